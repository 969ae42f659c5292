#include "frontend/onnx/ops/common/building_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/range.hpp"
#include "core/ops/source/shape_of.hpp"
#include "core/support/limits.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The static extents; a 0, which copies an extent, for the others.
std::vector<std::int64_t> known_pattern(const PartialShape& shape) {
    std::vector<std::int64_t> pattern;
    for (const Dimension& extent : shape.dimensions()) {
        pattern.push_back(extent.is_static() ? extent.length() : 0);
    }
    return pattern;
}

// The axes of x; two or more.
std::vector<std::int64_t> axes_of(const Output& x) {
    if (!x.shape().has_rank()) throw UnsupportedError("the rank of X isn't known");
    if (x.shape().rank() < 2) {
        throw ModelError("X has shape " + to_string(x.shape()) + "; expected rank 2 or more");
    }
    std::vector<std::int64_t> axes(x.shape().rank());
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

}  // namespace

Output make_ints(NodeContext& context, const std::string& role,
                 const std::vector<std::int64_t>& values) {
    return context.finish(ops::make_i64(values, ""), role);
}

Output make_int_scalar(NodeContext& context, const std::string& role, std::int64_t value) {
    return context.finish(ops::make_i64_scalar(value, ""), role);
}

Output make_filled(NodeContext& context, const std::string& role, ElementType type,
                   const Shape& shape, double value) {
    return context.make<ops::Constant>(role, filled_tensor(type, shape, value));
}

Output make_transpose(NodeContext& context, const std::string& role, const Output& data,
                      const std::vector<std::int64_t>& order) {
    return context.make<ops::Transpose>(role, data, make_ints(context, role + "/order", order));
}

Output with_channels_first(NodeContext& context, const std::string& role, const Output& x) {
    std::vector<std::int64_t> order = axes_of(x);
    std::rotate(order.begin() + 1, order.end() - 1, order.end());
    return make_transpose(context, role, x, order);
}

Output with_channels_last(NodeContext& context, const std::string& role, const Output& x) {
    std::vector<std::int64_t> order = axes_of(x);
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return make_transpose(context, role, x, order);
}

Output make_reshape(NodeContext& context, const std::string& role, const Output& data,
                    const std::vector<std::int64_t>& pattern) {
    const Output constant =
        make_ints(context, role.empty() ? "pattern" : role + "/pattern", pattern);
    return context.make<ops::Reshape>(role, data, constant, true);
}

Output make_concat(NodeContext& context, const std::string& role, std::vector<Output> parts,
                   std::int64_t axis) {
    return context.make<ops::Concat>(role, std::move(parts), axis);
}

std::vector<Output> make_split(NodeContext& context, const std::string& role, const Output& data,
                               std::int64_t axis, std::int64_t parts) {
    const Output constant = make_int_scalar(context, role.empty() ? "axis" : role + "/axis", axis);
    return outputs_of(context.make<ops::Split>(role, data, constant, parts));
}

Output make_sum(NodeContext& context, const std::string& role, const Output& a, const Output& b) {
    return context.make<ops::Binary>(role, ops::BinaryFunction::add, a, b);
}

Output make_shape_of(NodeContext& context, const std::string& role, const Output& data) {
    return context.make<ops::ShapeOf>(role, data);
}

Output make_element(NodeContext& context, const std::string& role, const Output& vector,
                    std::int64_t index) {
    return context.make<ops::Gather>(role, vector, make_ints(context, role + "/index", {index}),
                                     make_int_scalar(context, role + "/axis", 0));
}

Output make_broadcast(NodeContext& context, const std::string& role, const Output& value,
                      const Output& shape) {
    return context.make<ops::Broadcast>(role, value, shape);
}

Output with_extents(NodeContext& context, const std::string& role, const Output& value,
                    const PartialShape& expected) {
    Output known = value;
    for (std::size_t axis = 0; axis < expected.rank(); ++axis) {
        const bool is_known = known.shape().has_rank() && known.shape()[axis].is_static();
        // A 0 in the pattern would copy the extent.
        if (is_known || !expected[axis].is_static() || expected[axis].length() == 0) continue;
        // One axis at a time: two extents could differ while their product doesn't.
        std::vector<std::int64_t> pattern(expected.rank(), 0);
        pattern[axis] = expected[axis].length();
        known = make_reshape(context, role + "_" + std::to_string(axis), known, pattern);
    }
    return known;
}

Output make_in_shape_of(NodeContext& context, const std::string& role, const Output& value,
                        const Output& x) {
    const auto role_of = [&](const std::string& part) {
        return role.empty() ? part : role + "/" + part;
    };
    const Output shape = make_shape_of(context, role_of("shape"), x);
    const PartialShape common = value.shape().intersect(x.shape()).value_or(x.shape());
    const std::vector<std::int64_t> known = known_pattern(common);
    const bool is_settled =
        x.shape().is_static() || std::ranges::count(known, 0) == std::ssize(known);
    if (is_settled) return context.make<ops::Reshape>(role, value, shape, false);
    const Output view = context.make<ops::Reshape>(role_of("view"), value, shape, false);
    return make_reshape(context, role, view, known);
}

void check_broadcast(const PartialShape& shape, const PartialShape& target, std::string_view what) {
    if (!shape.has_rank() || !target.has_rank()) return;
    bool fits = shape.rank() <= target.rank();
    for (std::size_t i = 0; fits && i < shape.rank(); ++i) {
        const Dimension& wide = target[i + target.rank() - shape.rank()];
        fits = shape[i].contains(1) || shape[i].intersect(wide);
    }
    if (fits) return;
    throw ModelError(std::string(what) + " has shape " + to_string(shape) +
                     ", which can't be broadcast to " + to_string(target));
}

PartialShape extents_met(const PartialShape& shape, const PartialShape& target) {
    PartialShape met = PartialShape::of_rank(target.rank());
    if (!shape.has_rank() || shape.rank() > target.rank()) return met;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] != Dimension(1)) met[i + target.rank() - shape.rank()] = shape[i];
    }
    return met;
}

std::optional<std::int64_t> known_elements(const PartialShape& shape, std::size_t from,
                                           std::size_t to) {
    Shape extents;
    for (std::size_t i = from; i < to; ++i) {
        if (!shape[i].is_static()) return std::nullopt;
        extents.push_back(static_cast<std::size_t>(shape[i].length()));
    }
    return static_cast<std::int64_t>(element_count(extents));
}

std::vector<Output> outputs_of(const NodePtr& node) {
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < node->output_count(); ++i) outputs.push_back(node->output(i));
    return outputs;
}

namespace {

using ops::BinaryFunction;

// 0, 1, ... for an axis.
Output make_numbers(NodeContext& context, const std::string& role, const Output& shape,
                    std::int64_t axis) {
    const Output extent = context.make<ops::Gather>(role + "/stop", shape,
                                                    make_int_scalar(context, role + "/index", axis),
                                                    make_int_scalar(context, role + "/axis", 0));
    return context.make<ops::Range>(role, make_int_scalar(context, role + "/start", 0), extent,
                                    make_int_scalar(context, role + "/step", 1), ElementType::i64);
}

// A diagonal far outside is outside of any matrix: the sum with a row's number must not overflow.
Output make_bounded(NodeContext& context, const Output& k) {
    constexpr auto kFar = static_cast<std::int64_t>(kMaxElements);
    const Output above = context.make<ops::Binary>("k_bounded_below", BinaryFunction::maximum, k,
                                                   make_int_scalar(context, "k_min", -kFar));
    return context.make<ops::Binary>("k_bounded", BinaryFunction::minimum, above,
                                     make_int_scalar(context, "k_max", kFar));
}

}  // namespace

Diagonal make_diagonal(NodeContext& context, const Output& data, const Output& k) {
    if (data.shape().has_rank() && data.shape().rank() < 2) {
        throw ModelError("the input has shape " + to_string(data.shape()) +
                         "; expected matrices, rank 2 or more");
    }
    return make_diagonal_in(context, make_shape_of(context, "shape", data), k);
}

Diagonal make_diagonal_in(NodeContext& context, const Output& shape, const Output& k) {
    const Output rows = make_numbers(context, "rows", shape, -2);
    const Output column =
        context.make<ops::Unsqueeze>("rows_as_column", rows, make_ints(context, "rows/axes", {1}));
    return {make_numbers(context, "columns", shape, -1),
            make_sum(context, "diagonal", column, make_bounded(context, k))};
}

}  // namespace rondo::onnx
