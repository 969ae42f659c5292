// The ONNX frontend: turns a serialised ModelProto into a graph, and back.
#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"

namespace rondo::onnx {

/// True for bytes that start like an ONNX message.
bool can_read(const ModelSource& source);

/// Throws ModelError or UnsupportedError naming file, node, operator and attribute; one message
/// names all unsupported operators of a model.
std::shared_ptr<Graph> read(const ModelSource& source);

/// The graph as a serialised ModelProto of opset 22 (or the least that has all of its operators).
/// `weights`: f32, or f16 or bf16 for f32 and f64 constants. Throws UnsupportedError that names
/// each node that ONNX can't say, and why.
std::string to_bytes(const Graph& graph, ElementType weights = ElementType::f32);

/// Writes these bytes to `path`; no file is left half-written.
void write(const Graph& graph, const std::string& path, ElementType weights);

}  // namespace rondo::onnx
