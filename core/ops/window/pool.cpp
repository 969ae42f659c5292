#include "core/ops/window/pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

// The number of windows; 0 if the window is larger than the padded data, unless it is rounded
// up.
std::int64_t output_extent(const ConvolutionAxis& axis, AutoPad pad, PoolRounding rounding) {
    if (is_same(pad)) return (axis.input + axis.stride - 1) / axis.stride;
    const std::int64_t rest = axis.input + axis.pad_begin + axis.pad_end - reach_of(axis);
    const std::int64_t whole = rest < 0 ? 0 : rest / axis.stride + 1;  // inside data and pads
    if (rounding == PoolRounding::floor) return whole;
    const bool reaches_the_end = rest >= 0 ? rest % axis.stride == 0 : rest <= -axis.stride;
    if (reaches_the_end) return whole;
    const bool starts_inside = whole * axis.stride < axis.input + axis.pad_begin;
    return whole + (rounding == PoolRounding::ceil || starts_inside ? 1 : 0);
}

}  // namespace

std::int64_t taps_inside(const ConvolutionAxis& axis, std::int64_t at, std::int64_t before,
                         std::int64_t behind) {
    const std::int64_t first = at * axis.stride - axis.pad_begin;
    const auto taps_below = [&](std::int64_t limit) {  // that lie below it
        if (limit <= first) return std::int64_t{0};
        return std::min((limit - first + axis.dilation - 1) / axis.dilation, axis.kernel);
    };
    return std::max<std::int64_t>(taps_below(axis.input + behind) - taps_below(-before), 0);
}

std::vector<std::vector<std::int64_t>> AvgPool::counts(
    const std::vector<ConvolutionAxis>& axes) const {
    const bool is_padded = std::any_of(axes.begin(), axes.end(), [](const ConvolutionAxis& axis) {
        return axis.pad_begin != 0 || axis.pad_end != 0;
    });
    const bool counts_all =
        !exclude_pad_ && is_padded && attributes().rounding == PoolRounding::ceil;
    std::vector<std::vector<std::int64_t>> result;
    for (const ConvolutionAxis& axis : axes) {
        std::vector<std::int64_t> own(static_cast<std::size_t>(axis.output), axis.kernel);
        for (std::size_t i = 0; !counts_all && i < own.size(); ++i) {
            const std::int64_t inside =
                taps_inside(axis, static_cast<std::int64_t>(i), exclude_pad_ ? 0 : axis.pad_begin,
                            exclude_pad_ ? 0 : axis.pad_end);
            own[i] = std::max<std::int64_t>(inside, 1);
        }
        result.push_back(std::move(own));
    }
    return result;
}

std::vector<ConvolutionAxis> PoolBase::axes(const Shape& data) const {
    const AutoPad pad = attributes_.window.auto_pad;
    std::vector<ConvolutionAxis> result;
    for (std::size_t i = 0; i + 2 < data.size(); ++i) {
        ConvolutionAxis axis = axis_of(attributes_.window, i);
        axis.input = static_cast<std::int64_t>(data[i + 2]);
        axis.kernel = attributes_.kernel[i];
        axis.output = output_extent(axis, pad, attributes_.rounding);
        if (is_same(pad)) {
            const std::int64_t reach = (axis.output - 1) * axis.stride + reach_of(axis);
            distribute_pads(axis, std::max<std::int64_t>(reach - axis.input, 0), pad);
        }
        result.push_back(axis);
    }
    return result;
}

Dimension PoolBase::infer_extent(const InferContext& context, std::size_t i,
                                 const Dimension& input) const {
    const AutoPad pad = attributes_.window.auto_pad;
    ConvolutionAxis axis = axis_of(attributes_.window, i);
    axis.kernel = attributes_.kernel[i];
    const auto extent_at = [&](std::int64_t extent) {
        axis.input = extent;
        return output_extent(axis, pad, attributes_.rounding);
    };
    context.check(input.min() <= kMaxWindowInput, "the data has a spatial extent of " +
                                                      to_string(input) + "; expected at most " +
                                                      std::to_string(kMaxWindowInput));
    const bool is_bounded = input.max() <= kMaxWindowInput;
    return {extent_at(input.min()), is_bounded ? extent_at(input.max()) : Dimension::kInfinity};
}

PartialShape PoolBase::infer_shape(const InferContext& context) const {
    const std::size_t spatial = attributes_.kernel.size();
    context.check(spatial >= 1 && spatial <= kMaxSpatialAxes,
                  "kernel has " + std::to_string(spatial) + " entries; expected 1, 2 or 3");
    check_list(context, {"kernel", attributes_.kernel, 1}, spatial);
    check_lists(context, attributes_.window, spatial);
    context.check_rank(0, spatial + 2, "data");
    const PartialShape open = PartialShape::of_rank(spatial + 2);
    const PartialShape& data = context.shape(0).has_rank() ? context.shape(0) : open;
    std::vector<Dimension> result{data[0], data[1]};
    for (std::size_t i = 0; i < spatial; ++i) {
        result.push_back(infer_extent(context, i, data[i + 2]));
    }
    return {std::move(result)};
}

std::optional<IndependentAxis> AvgPool::independent_axis(std::size_t, std::size_t axis) const {
    if (axis > 1) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

// The places count from axis `axis_` on: before it, they are those of one row.
std::optional<IndependentAxis> MaxPool::independent_axis(std::size_t, std::size_t axis) const {
    const std::size_t rank = input(0).shape().rank();
    const auto first = named_among({axis_}, rank);
    if (axis > 1 || !first) return std::nullopt;
    const auto counted_from =
        static_cast<std::size_t>(std::find(first->begin(), first->end(), true) - first->begin());
    IndependentAxis rows = rows_of_data(*this, axis, axis);
    if (axis < counted_from) return rows;
    if (!consumers(1).empty()) return std::nullopt;
    rows.outputs[1] = IndependentAxis::kWhole;
    return rows;
}

void MaxPool::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    const ElementType type = context.type(0);
    if (type == ElementType::boolean) context.refuse("the data is boolean; expected numbers");
    context.check(
        index_type_ == ElementType::i64 || index_type_ == ElementType::i32,
        "index_element_type is " + std::string(to_string(index_type_)) + "; expected i64 or i32");
    PartialShape shape = infer_shape(context);
    normalize_axis(context, axis_, shape.rank());
    context.set_output(0, type, shape);
    context.set_output(1, index_type_, std::move(shape));
}

void AvgPool::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    check_type(context, TypeRule::floating, context.type(0), "the data is");
    context.set_output(0, context.type(0), infer_shape(context));
}

}  // namespace rondo::ops
