// Reads views, and orders of axes as Transpose takes them: axis i of the result is axis order[i] of
// the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

using AxisOrder = std::vector<std::size_t>;

/// The order of a Transpose written out; nothing while order or rank isn't known, and for other
/// ops.
std::optional<AxisOrder> order_of(const Node& node);

bool is_identity(const AxisOrder& order);

/// True where only axes of extent 1 move, so that the elements stay where they are in memory.
bool moves_only_unit_axes(const AxisOrder& order, const PartialShape& data);

/// One order for a transpose by `first`, then one by `second`.
AxisOrder combine(const AxisOrder& first, const AxisOrder& second);

/// The order that undoes `order`.
AxisOrder inverse(const AxisOrder& order);

/// As a Transpose's second input has it.
std::vector<std::int64_t> to_ints(const std::vector<std::size_t>& axes);

// Views: Reshape, Squeeze and Unsqueeze, which leave the elements in their order.

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

// Outputs that share the memory of a constant, so that folding them copies nothing.

/// The outputs of a node that reshapes or slices a constant, for `inputs` (the values of all its
/// inputs), sharing the constant's memory. Empty for other nodes, and for non-contiguous parts.
std::vector<Tensor> views_of_constant(const Node& node, const std::vector<Tensor>& inputs);

}  // namespace rondo::passes
