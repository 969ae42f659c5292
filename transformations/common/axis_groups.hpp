// Which axes of its data a Reshape puts together.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/ops/movement/reshape.hpp"

namespace rondo::passes {

/// For a Reshape that only merges neighbouring axes: how many of them make each axis of the output
/// (1 or more). Nothing where it splits or inserts axes, or where that isn't known.
std::optional<std::vector<std::size_t>> merged_axis_counts(const ops::Reshape& reshape);

}  // namespace rondo::passes
