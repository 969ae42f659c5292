// The ONNX frontend: turns a serialised ModelProto into a graph, and back.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"
#include "rondo/core.hpp"
#include "rondo/model.hpp"

namespace rondo::onnx {

/// True for bytes that start like an ONNX message.
bool can_read(const ModelSource& source);

/// Throws ModelError or UnsupportedError naming file, node, operator and attribute; one message
/// names all unsupported operators of a model.
std::shared_ptr<Graph> read(const ModelSource& source);

/// A row for each node of the main graph; see Core::query_model().
std::vector<NodeSupport> query(const ModelSource& source);

/// From which size on constants lie in a file beside the model's.
struct WriteLimits {
    std::size_t least_external = 1024;  ///< bytes of a constant
    /// Protobuf parses no message of 2 GiB or more. A model that exceeds this has external data
    /// whatever the options say.
    std::size_t most_message = std::numeric_limits<int>::max();
};

/// The graph as a serialised ModelProto of opset 22 (or the least that has all of its operators).
/// `weights`: f32, or f16 or bf16 for f32 and f64 constants. Throws UnsupportedError that names
/// each node that ONNX can't say, and why, and if the message would be too large.
std::string to_bytes(const Graph& graph, ElementType weights = ElementType::f32);

/// Writes these bytes to `path`, and larger constants to "<path>.data" if the options or the
/// model's size want that. No file is left half-written.
void write(const Graph& graph, const std::string& path, const SaveOptions& options,
           const WriteLimits& limits = {});

}  // namespace rondo::onnx
