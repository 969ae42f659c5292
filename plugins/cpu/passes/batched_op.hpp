// Which ops may compute for all steps of a loop at once what they compute in one of them.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::cpu {

/// True where outputs_over_rows() (lift_graph.hpp) may compute all steps at once. `varies` says
/// which inputs are another one in each step; at least one is. The others are the same in all
/// steps.
bool runs_over_steps(const Node& node, const std::vector<bool>& varies);

/// Whether two axes of values certainly have the same extent, whatever that is.
using SameExtent = std::function<bool(const Output& a, std::size_t axis_of_a, const Output& b,
                                      std::size_t axis_of_b)>;

/// True for an op of those that certainly has no error at run time, whatever its inputs hold and
/// what extents their open axes have.
bool never_fails(const Node& node, const SameExtent& same_extent);

}  // namespace rondo::cpu
