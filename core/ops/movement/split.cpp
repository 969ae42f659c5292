// Cuts a tensor along an axis into parts, of one size or of the sizes that an input holds.
#include "core/ops/movement/movement_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

PartialShape part_shape(const InferContext& context, std::int64_t num_splits) {
    const PartialShape& data = context.shape(0);
    const auto axis = single_int(context, 1, "axis");
    if (!data.has_rank()) return {};
    if (!axis) return PartialShape::of_rank(data.rank());
    const std::size_t normal = normalize_axis(context, *axis, data.rank());
    const auto extent = divide_extent(data[normal], num_splits);
    if (!extent) {
        context.fail("axis " + std::to_string(normal) + " of data of shape " + to_string(data) +
                     " can't be split into " + std::to_string(num_splits) + " equal parts");
    }
    PartialShape part = data;
    part[normal] = *extent;
    return part;
}

}  // namespace

void Split::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    context.check(num_splits_ >= 1,
                  "num_splits is " + std::to_string(num_splits_) + "; expected 1 or more");
    check_output_count(context, num_splits_);
    const PartialShape part = part_shape(context, num_splits_);
    for (std::int64_t i = 0; i < num_splits_; ++i) {
        context.set_output(static_cast<std::size_t>(i), context.type(0), part);
    }
}

std::optional<IndependentAxis> Split::independent_axis(std::size_t, std::size_t axis) const {
    return rows_beside_named_axis(*this, axis, 1);
}

namespace {

// The sum of the lengths except -1, which may occur once.
std::int64_t sum_of(const InferContext& context, const std::vector<std::int64_t>& lengths) {
    Dimension sum(0);
    bool has_rest = false;
    for (const std::int64_t length : lengths) {
        context.check(length >= -1,
                      "lengths hold " + std::to_string(length) + "; expected lengths or one -1");
        context.check(length >= 0 || !has_rest, "lengths hold -1 more than once");
        has_rest = has_rest || length < 0;
        if (length >= 0) sum = add_extents(context, sum, length);
    }
    return sum.length();
}

// The extent of every part along the axis.
std::vector<Dimension> part_extents(const InferContext& context, const Dimension& whole,
                                    const std::vector<std::int64_t>& lengths) {
    const std::int64_t sum = sum_of(context, lengths);
    const auto rest = subtract_extent(whole, sum);
    std::vector<Dimension> extents;
    bool has_rest = false;
    for (const std::int64_t length : lengths) {
        has_rest = has_rest || length == -1;
        extents.push_back(length == -1 ? rest.value_or(Dimension(0)) : Dimension(length));
    }
    context.check(
        rest && (has_rest || whole.contains(sum)),
        "lengths add up to " + std::to_string(sum) + ", but the axis has " + to_string(whole));
    return extents;
}

}  // namespace

void VariadicSplit::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    const PartialShape& data = context.shape(0);
    const auto axis = single_int(context, 1, "axis");
    const auto count = vector_length(context, 2, "lengths");
    const auto lengths = context.ints(2);
    if (!count) context.refuse("the number of lengths, and so of outputs, is not known");
    context.check(*count > 0, "lengths are empty; expected 1 or more");
    PartialShape part = data;
    std::vector<Dimension> extents(*count);
    std::size_t normal = 0;
    if (data.has_rank()) {
        if (!axis) part = PartialShape::of_rank(data.rank());
        if (axis) normal = normalize_axis(context, *axis, data.rank());
        if (axis && lengths) extents = part_extents(context, data[normal], *lengths);
    }
    for (std::size_t i = 0; i < *count; ++i) {
        if (data.has_rank() && axis) part[normal] = extents[i];
        context.set_output(i, context.type(0), part);
    }
}

std::optional<IndependentAxis> VariadicSplit::independent_axis(std::size_t,
                                                               std::size_t axis) const {
    return rows_beside_named_axis(*this, axis, 1);
}

}  // namespace rondo::ops
