// Compiles a model: portable passes or the cache, then the device.
#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "core/runtime/compile.hpp"
#include "rondo/compiled_model.hpp"

namespace rondo {

/// Doesn't change `graph`. With CACHE_DIR, a hit saves the portable passes.
std::shared_ptr<CompiledModel::Impl> compile(const CompileTarget& target, const Graph& graph);

/// With CACHE_DIR, a hit saves reading the model too.
std::shared_ptr<CompiledModel::Impl> compile(const CompileTarget& target, const std::string& path);

}  // namespace rondo
