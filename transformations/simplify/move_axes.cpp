#include "transformations/simplify/move_axes.hpp"

#include <algorithm>
#include <numeric>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/analysis/views.hpp"

namespace rondo::passes {
namespace {

using Kind = MovedInput::Kind;

MovedInput reordered(AxisOrder order) { return {Kind::reordered, std::move(order), {}}; }
MovedInput replaced(std::vector<std::int64_t> ints) {
    return {Kind::replaced, {}, std::move(ints)};
}

bool contains(const std::vector<std::size_t>& values, std::size_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

// The axis's number once the named ones are gone: 2 without {1} is 1.
std::size_t renumbered(std::size_t axis, const std::vector<std::size_t>& without) {
    return axis - static_cast<std::size_t>(std::count_if(without.begin(), without.end(),
                                                         [&](std::size_t w) { return w < axis; }));
}

// The order below `data` if a transpose makes it: it determines the best position of a removed
// axis.
AxisOrder order_below(const Output& data) {
    if (const auto order = order_of(data.node())) return *order;
    AxisOrder identity(data.shape().rank());
    std::iota(identity.begin(), identity.end(), std::size_t{0});
    return identity;
}

// A removed axis may be at any position; at its position below the transpose both orders cancel.
std::optional<MovedNode> move_squeeze(const Node& node, const AxisOrder& order) {
    const auto removed = view_axes(node);
    if (!removed) return {};
    const AxisOrder below = order_below(node.input(0));
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < below.size(); ++i) {
        if (!contains(*removed, i)) kept.push_back(i);
    }
    AxisOrder data_order = combine(kept, order);
    for (const std::size_t axis : *removed) {
        const auto place = std::find_if(data_order.begin(), data_order.end(),
                                        [&](std::size_t a) { return below[a] > below[axis]; });
        data_order.insert(place, axis);
    }
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < data_order.size(); ++i) {
        if (contains(*removed, data_order[i])) places.push_back(i);
    }
    return MovedNode{{reordered(data_order), replaced(to_ints(places))}, {}};
}

// Inserted axes are at the positions that the order gives them.
std::optional<MovedNode> move_unsqueeze(const Node& node, const AxisOrder& order) {
    const auto inserted = view_axes(node);
    if (!inserted) return {};
    AxisOrder data_order;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (contains(*inserted, order[i])) {
            places.push_back(i);
        } else {
            data_order.push_back(renumbered(order[i], *inserted));
        }
    }
    return MovedNode{{reordered(data_order), replaced(to_ints(places))}, {}};
}

// A 0 copies the extent at its own place: elsewhere the extent must be a number, or the -1.
std::optional<std::int64_t> moved_extent(const ops::Reshape& node, std::int64_t asked,
                                         std::size_t data_axis, bool stays) {
    if (asked != 0 || !node.special_zero() || stays) return asked;
    const Dimension& extent = node.input(0).shape()[data_axis];
    if (!extent.is_static()) return -1;
    if (extent.length() == 0) return {};
    return extent.length();
}

// Axes that the Reshape puts together move as one block.
std::optional<MovedNode> move_reshape(const ops::Reshape& node, const AxisOrder& order) {
    const auto counts = node.merged_axis_counts();
    if (!counts) return {};
    const auto pattern = *constant_ints(node.input(1));
    std::vector<std::size_t> starts(counts->size());
    std::exclusive_scan(counts->begin(), counts->end(), starts.begin(), std::size_t{0});
    AxisOrder data_order;
    std::vector<std::int64_t> moved;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t from = order[i];
        const auto extent = moved_extent(node, pattern[from], starts[from], data_order.size() == i);
        if (!extent) return {};
        moved.push_back(*extent);
        for (std::size_t k = 0; k < (*counts)[from]; ++k) data_order.push_back(starts[from] + k);
    }
    if (std::count(moved.begin(), moved.end(), -1) > 1) return {};
    return MovedNode{{reordered(data_order), replaced(moved)}, {}};
}

bool all_extents_are_1(const PartialShape& shape) {
    return std::all_of(shape.dimensions().begin(), shape.dimensions().end(),
                       [](const Dimension& extent) { return extent == Dimension(1); });
}

// The rows of every axis that moves are independent, so that they may have any order. An input
// moves along if it has the same axes, and stays if all rows read it as a whole.
std::optional<MovedNode> move_rows(const Node& node, const AxisOrder& order) {
    MovedNode plan{std::vector<MovedInput>(node.input_count()), {}};
    std::vector<bool> stays(node.input_count(), true);
    std::vector<bool> moves(node.input_count(), true);
    for (std::size_t axis = 0; axis < order.size(); ++axis) {
        if (order[axis] == axis) continue;
        const auto rows = node.independent_axis(0, axis);
        if (!rows) return {};
        for (std::size_t i = 0; i < rows->inputs.size(); ++i) {
            if (rows->inputs[i] != IndependentAxis::kWhole) stays[i] = false;
            if (rows->inputs[i] != axis) moves[i] = false;
        }
    }
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
        const PartialShape& shape = node.input(i).shape();
        if (stays[i] || all_extents_are_1(shape)) continue;
        if (!moves[i] || shape.rank() != order.size()) return {};
        plan.inputs[i] = reordered(order);
    }
    return plan;
}

// An op that moves elements along the axes that it names does so along them at their other places.
std::optional<MovedNode> move_named_axes(const Node& node, const AxisOrder& order) {
    const auto axes = node.traits().moves_elements ? named_axes(node) : std::nullopt;
    if (!axes) return {};
    const AxisOrder places = inverse(order);
    MovedNode plan{std::vector<MovedInput>(node.input_count()), std::vector<std::int64_t>()};
    for (std::size_t i = 0; i < node.input_count(); ++i) {
        if (i < node.traits().inputs_with_axes) plan.inputs[i] = reordered(order);
    }
    for (const std::size_t axis : *axes) {
        plan.axes->push_back(static_cast<std::int64_t>(places[axis]));
    }
    return plan;
}

}  // namespace

std::optional<MovedNode> move_axes(const Node& node, const AxisOrder& order) {
    if (node.input_count() == 0 || !node.has_ranks()) return {};
    if (as_op<ops::Squeeze>(node)) return move_squeeze(node, order);
    if (as_op<ops::Unsqueeze>(node)) return move_unsqueeze(node, order);
    if (const auto* op = as_op<ops::Reshape>(node)) return move_reshape(*op, order);
    if (node.output_count() != 1) return {};
    if (auto plan = move_named_axes(node, order)) return plan;
    return move_rows(node, order);
}

NodePtr make_moved(Rewriter& rewriter, const Node& node, const MovedNode& plan,
                   std::vector<Output> data) {
    data.resize(plan.inputs.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (plan.inputs[i].kind != Kind::replaced) continue;
        data[i] = rewriter.make_ints(node.name() + "/axes", plan.inputs[i].ints);
    }
    return plan.axes ? make_with_axes(rewriter, node, std::move(data), *plan.axes)
                     : rewriter.clone(node, std::move(data));
}

}  // namespace rondo::passes
