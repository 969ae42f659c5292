// The files that a graph's constants are mapped from.
#pragma once

#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"

namespace rondo {

/// Those that aren't read whole for a digest, each once, by their absolute paths.
std::vector<OpenedFile> sampled_files_of(const Graph& graph);

/// True if the files are those that were mapped, and a change from now on changes their stamps.
bool are_current(const std::vector<OpenedFile>& files);

}  // namespace rondo
