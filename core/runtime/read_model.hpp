// Finds the frontend for a model's bytes and lets it read them.
#pragma once

#include <memory>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"

namespace rondo {

/// Throws ModelError or UnsupportedError naming the path and the place in it.
std::shared_ptr<Graph> read_model(const ModelSource& source);

}  // namespace rondo
