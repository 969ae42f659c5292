// The interface of a frontend, which makes a graph of a file's bytes; and reading with the one that
// knows the format.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"
#include "rondo/core.hpp"
#include "rondo/model.hpp"
#include "rondo/properties.hpp"

namespace rondo {

struct Frontend {
    const char* name;
    /// True if the first bytes look like this format.
    bool (*can_read)(const ModelSource& source);
    /// The validated graph, with tensor names at inputs and outputs. Throws ModelError or
    /// UnsupportedError naming the path and the place in it.
    std::shared_ptr<Graph> (*read)(const ModelSource& source);
    /// A row for each node of the model. Null: all nodes of a model that can be read are supported.
    std::vector<NodeSupport> (*query)(const ModelSource& source);
    /// How names of files of this format end: ".onnx".
    const char* ending;
    /// Throws UnsupportedError that names each node that the format can't say.
    void (*write)(const Graph& graph, const std::string& path, const SaveOptions& options);
};

/// The formats that are part of the library, the strictest first. Defined in
/// frontend/builtin_frontends.cpp.
std::span<const Frontend> builtin_frontends();

/// The file at `path`, mapped, and added to `opened` if that isn't null. Throws ModelError naming
/// the path if it can't be read.
ModelSource source_of(const std::string& path, std::vector<OpenedFile>* opened = nullptr);

/// Sets what the properties say about reading: the limits and KEEP_INPUTS.
void configure(ModelSource& source, const Properties& settings);

/// Throws ModelError or UnsupportedError naming the path and the place in it.
std::shared_ptr<Graph> read_model(const ModelSource& source);
std::vector<NodeSupport> query_model(const ModelSource& source);

}  // namespace rondo
