// Views: Reshape, Squeeze and Unsqueeze, which leave the elements in their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/node.hpp"
#include "transformations/common/axis_order.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// The axes that a Squeeze removes or an Unsqueeze inserts, sorted, or nothing while not known.
std::optional<std::vector<std::size_t>> view_axes(const Node& view);

/// True where the view can't fail at run time, whatever its open extents turn out to be: only then
/// may it be merged with others, for it checks nothing.
bool always_fits(const Node& view);

/// A Reshape's pattern for this shape, or nothing: it can hold one open extent at most.
std::optional<std::vector<std::int64_t>> pattern_for(const PartialShape& shape);

/// True where both shapes are the same at run time, given that they hold equally many elements.
bool same_extents(const PartialShape& a, const PartialShape& b);

/// The tensor with one of its axes at another place, by a Transpose; itself where that is the same.
Output make_axis_move(Rewriter& rewriter, const Output& data, std::size_t from, std::size_t to,
                      const std::string& name);

/// Transpose(data, order) as views; only axes of extent 1 may move.
Output make_unit_axis_move(Rewriter& rewriter, const Output& data, const AxisOrder& order,
                           const std::string& name);

}  // namespace rondo::passes
