// Views keep the order of a row's elements, and ShapeOf sees the shape that all rows have.

#include <algorithm>
#include <limits>
#include <utility>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/batching/vmap/lift_step.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

Ints without_zero(const std::vector<std::size_t>& axes) {
    Ints others;
    for (const std::size_t axis : axes) {
        if (axis != 0) others.push_back(static_cast<std::int64_t>(axis));
    }
    return others;
}

bool contains_zero(const std::vector<std::size_t>& axes) {
    return std::find(axes.begin(), axes.end(), std::size_t{0}) != axes.end();
}

std::vector<std::size_t> normalized(const LiftStep& step, const Ints& axes, std::size_t rank) {
    const auto result = normalized_axes(axes, rank);
    if (!result) step.fail("its axes are out of range");
    return *result;
}

std::vector<std::size_t> squeezed_axes(const LiftStep& step) {
    const std::size_t rank = step.rank(0);
    Ints axes;
    if (step.inputs.size() > 1) axes = step.constant(1);
    if (!axes.empty()) return normalized(step, axes, rank);
    std::vector<std::size_t> ones;
    for (std::size_t i = 0; i < rank; ++i) {
        const Dimension& extent = step.shape(0)[i];
        if (!extent.is_static()) step.fail("an open extent decides which axes it drops");
        if (extent == Dimension(1)) ones.push_back(i);
    }
    return ones;
}

Ints one_behind(const std::vector<std::size_t>& axes) {
    Ints result;
    for (const std::size_t axis : axes) result.push_back(static_cast<std::int64_t>(axis) + 1);
    return result;
}

LiftedValue squeezed(const LiftStep& step) {
    const auto axes = squeezed_axes(step);
    const auto drop = [&](const Output& value, const Ints& which) {
        return which.empty() ? value : step.make<ops::Squeeze>("", value, step.ints(which));
    };
    if (contains_zero(axes))
        return LiftedValue::rows_apart(drop(step.merged(0), without_zero(axes)));
    if (step.is_single(0)) {
        return LiftedValue::rows_merged(drop(step.merged(0), without_zero(axes)));
    }
    return LiftedValue::rows_apart(drop(step.apart(0), one_behind(axes)));
}

LiftedValue unsqueezed(const LiftStep& step) {
    const std::size_t rank = step.node->output_shape(0).rank();
    const auto axes = normalized(step, step.constant(1), rank);
    const auto add = [&](const Output& value, const Ints& which) {
        return which.empty() ? value : step.make<ops::Unsqueeze>("", value, step.ints(which));
    };
    if (contains_zero(axes))
        return LiftedValue::rows_merged(add(step.apart(0), without_zero(axes)));
    if (step.is_single(0)) {
        return LiftedValue::rows_merged(add(step.merged(0), without_zero(axes)));
    }
    return LiftedValue::rows_apart(add(step.apart(0), one_behind(axes)));
}

// A vector of the pattern's type.
Output vector_like(const LiftStep& step, const Output& pattern, std::int64_t value) {
    Tensor tensor(pattern.element_type(), {1});
    if (pattern.element_type() == ElementType::i32) {
        *tensor.data<std::int32_t>() = static_cast<std::int32_t>(value);
    } else if (pattern.element_type() == ElementType::i64) {
        *tensor.data<std::int64_t>() = value;
    } else {
        step.fail("its pattern has another type than i64 and i32");
    }
    return step.forms.rewriter().make_constant(step.node->name() + "/rows", std::move(tensor));
}

LiftedValue reshaped(const LiftStep& step, const ops::Reshape& node) {
    const Output& pattern = step.plain(1);
    const auto known = constant_ints(pattern);
    const bool has_zero =
        !known || std::find(known->begin(), known->end(), std::int64_t{0}) != known->end();
    const PartialShape& shape = node.output_shape(0);
    const bool stays_single = step.is_single(0) && shape.rank() > 0 && shape[0] == Dimension(1);
    if (known && stays_single && (node.special_zero() || !has_zero)) {
        Ints merged = *known;
        merged[0] = 0;  // as many rows as before; where it was -1, what is left for it is 1
        return LiftedValue::rows_merged(
            step.make<ops::Reshape>("", step.merged(0), step.ints(merged), true));
    }
    if (node.special_zero() || !has_zero) {
        Output prefixed;
        if (known) {
            Ints all{0};
            all.insert(all.end(), known->begin(), known->end());
            prefixed = step.ints(all);
        } else {
            prefixed = step.forms.joined({vector_like(step, pattern, 0), pattern});
        }
        return LiftedValue::rows_apart(step.make<ops::Reshape>("", step.apart(0), prefixed, true));
    }
    if (pattern.element_type() != ElementType::i64) step.fail("its pattern isn't i64");
    const Output all = step.forms.joined({step.forms.rows(), pattern});
    return LiftedValue::rows_apart(step.make<ops::Reshape>("", step.apart(0), all, false));
}

}  // namespace

std::optional<LiftedValues> lift_view(const LiftStep& step) {
    const Node& node = *step.node;
    if (as_op<ops::Squeeze>(node) != nullptr) return LiftedValues{squeezed(step)};
    if (as_op<ops::Unsqueeze>(node) != nullptr) return LiftedValues{unsqueezed(step)};
    if (const auto* op = as_op<ops::Reshape>(node)) return LiftedValues{reshaped(step, *op)};
    return {};
}

std::optional<LiftedValues> lift_shape_of(const LiftStep& step) {
    const auto* op = as_op<ops::ShapeOf>(*step.node);
    if (op == nullptr) return {};
    const PartialShape& shape = step.shape(0);
    if (shape.is_static()) {
        return LiftedValues{LiftedValue::all_rows(step.forms.rewriter().make_constant(
            step.node->name(), ops::shape_tensor(shape.to_shape(), op->output_type())))};
    }
    const Output all = step.make<ops::ShapeOf>("with_rows", step.apart(0), op->output_type());
    constexpr auto kEnd = std::numeric_limits<std::int64_t>::max();
    return LiftedValues{LiftedValue::all_rows(step.make<ops::Slice>(
        "", all, step.ints({1}), step.ints({kEnd}), step.ints({1}), step.ints({0})))};
}

}  // namespace rondo::passes
