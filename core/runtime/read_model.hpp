// Reads a file's bytes, and makes a graph of them with the frontend that knows the format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"
#include "rondo/properties.hpp"

namespace rondo {

/// The file at `path`, mapped, and added to `opened` if that isn't null. Throws ModelError naming
/// the path if it can't be read.
ModelSource source_of(const std::string& path, std::vector<OpenedFile>* opened = nullptr);

/// Sets what the properties say about reading: the limits and KEEP_INPUTS.
void configure(ModelSource& source, const Properties& settings);

/// Throws ModelError or UnsupportedError naming the path and the place in it.
std::shared_ptr<Graph> read_model(const ModelSource& source);

}  // namespace rondo
