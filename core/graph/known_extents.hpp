// Integers of which some are known: shapes that a graph computes.
#pragma once

#include <vector>

#include "core/graph/node.hpp"

namespace rondo {

/// Walks that are longer end without a result.
constexpr int kMostExtentSteps = 16;

/// The numbers of an integer value of rank 0 or 1: exactly, or as a range where a tensor's open
/// extent decides; open where nothing says more. Empty where nothing at all is known, where a
/// constant is below 0, and where there are many. `steps`: how many ops the walk has come through.
std::vector<Dimension> known_extents(const Output& value, int steps = 0);

}  // namespace rondo
