// From a path to a model's bytes, and from these, by the frontend that knows them, to a graph.
#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"

namespace rondo {

/// The file at `path`, mapped. Throws ModelError naming the path where it can't be read.
ModelSource source_of(const std::string& path);

/// Throws ModelError or UnsupportedError naming the path and the place in it.
std::shared_ptr<Graph> read_model(const ModelSource& source);

}  // namespace rondo
