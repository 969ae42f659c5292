// A convolution whose taps are moved by offsets, each at each position.
#include "core/ops/window/convolutions.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/families.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kOffsets = 1;
constexpr std::size_t kFilters = 2;
constexpr std::size_t kFactors = 3;
constexpr std::int64_t kMaxGroups = std::int64_t{1} << 31;

PartialShape shape_of_rank_4(const InferContext& context, std::size_t input, const char* what) {
    if (!context.shape(input).has_rank()) return PartialShape::of_rank(4);
    if (context.shape(input).rank() != 4) {
        context.refuse(std::string(what) + " has shape " + to_string(context.shape(input)) +
                       "; expected rank 4");
    }
    return context.shape(input);
}

void check_group(const InferContext& context, const char* name, std::int64_t group,
                 const Dimension& channels, const char* what) {
    context.check(group >= 1 && group <= kMaxGroups,
                  std::string(name) + " is " + std::to_string(group) + "; expected 1 or more");
    context.check(divide_extent(channels, group).has_value(),
                  std::string(what) + " have " + to_string(channels) + " channels; expected a " +
                      "multiple of " + name + " " + std::to_string(group));
}

}  // namespace

std::array<ConvolutionAxis, 2> DeformableConvolution::axes(const Shape& data,
                                                           const Shape& filters) const {
    std::array<ConvolutionAxis, 2> result;
    for (std::size_t i = 0; i < 2; ++i) {
        ConvolutionAxis axis = axis_of(attributes_, i);
        axis.input = static_cast<std::int64_t>(data[i + 2]);
        axis.kernel = static_cast<std::int64_t>(filters[i + 2]);
        settle(axis, attributes_.auto_pad);
        result[i] = axis;
    }
    return result;
}

void DeformableConvolution::infer(InferContext& context) const {
    context.check_input_count(3, 4);
    ElementType type = context.merge_types({0, kOffsets, kFilters});
    if (context.input_count() > kFactors)
        type = context.merge_types({0, kOffsets, kFilters, kFactors});
    check_type(context, TypeRule::floating, type, "the inputs are");
    check_lists(context, attributes_, 2);
    const PartialShape data = shape_of_rank_4(context, 0, "data");
    const PartialShape offsets = shape_of_rank_4(context, kOffsets, "offsets");
    const PartialShape filters = shape_of_rank_4(context, kFilters, "filters");
    check_group(context, "group", group_, data[1], "the data");
    check_group(context, "group", group_, filters[0], "the filters");
    check_group(context, "deformable_group", offset_group_, data[1], "the data");
    const Dimension channels = multiply_extents(context, {filters[1], group_});
    context.check(data[1].intersect(channels).has_value(),
                  "the data has shape " + to_string(data) + " but the filters have " +
                      to_string(filters) + "; expected " + to_string(channels) + " channels");
    PartialShape result{context.merge(data[0], offsets[0], "the batch"), filters[0], Dimension(),
                        Dimension()};
    for (std::size_t i = 2; i < 4; ++i) {
        result[i] = context.merge(window_extent(context, attributes_, i - 2, data[i], filters[i]),
                                  offsets[i], "an extent of the output");
    }
    const Dimension taps = multiply_extents(context, {filters[2], filters[3], offset_group_});
    context.merge(multiply_extents(context, {taps, Dimension(2)}), offsets[1],
                  "the number of offsets");
    if (context.input_count() > kFactors) {
        const PartialShape factors = shape_of_rank_4(context, kFactors, "factors");
        result[0] = context.merge(result[0], factors[0], "the batch");
        context.merge(taps, factors[1], "the number of factors");
        for (std::size_t i = 2; i < 4; ++i) {
            result[i] = context.merge(result[i], factors[i], "an extent of the output");
        }
    }
    context.set_output(0, type, std::move(result));
}

std::optional<IndependentAxis> DeformableConvolution::independent_axis(std::size_t,
                                                                       std::size_t axis) const {
    if (axis > 0) return std::nullopt;
    IndependentAxis rows(input_count(), 1, 0);
    for (const std::size_t input : {0, 1, 3}) {
        if (input < input_count()) rows.inputs[input] = 0;
    }
    return rows;
}

}  // namespace rondo::ops
