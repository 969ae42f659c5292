// Transposed convolution: scatters each element of the data times the filters.
#include "core/ops/window/convolutions.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/support/limits.hpp"

namespace rondo::ops {
namespace {

constexpr auto kMostOutput = static_cast<std::int64_t>(kMaxElements);

// stride * (input - 1) + reach without the pads; kInfinity if that is too much.
std::int64_t whole_extent(const ConvolutionAxis& axis) {
    if (axis.input == 0) return reach_of(axis) - axis.stride;
    const std::int64_t steps = saturating_multiply(axis.stride, axis.input - 1);
    const std::int64_t reach = reach_of(axis);
    return steps > Dimension::kInfinity - reach ? Dimension::kInfinity : steps + reach;
}

// Here same_upper has the larger pad in front, as OpenVINO computes it.
AutoPad turned(AutoPad pad) {
    return pad == AutoPad::same_upper ? AutoPad::same_lower : AutoPad::same_upper;
}

}  // namespace

std::optional<std::size_t> BackpropBase::spatial_axes(const InferContext& context) const {
    const PartialShape& data = context.shape(0);
    const PartialShape& filters = context.shape(1);
    if (!data.has_rank() && !filters.has_rank()) return std::nullopt;
    const PartialShape& known = data.has_rank() ? data : filters;
    const std::size_t leading = data.has_rank() ? 2 : leading_axes();
    context.check(known.rank() > leading && known.rank() <= leading + kMaxSpatialAxes,
                  std::string(data.has_rank() ? "the data has" : "the filters have") + " shape " +
                      to_string(known) + "; expected 1 to 3 spatial axes behind the first " +
                      std::to_string(leading));
    const std::size_t spatial = known.rank() - leading;
    context.check_rank(1, spatial + leading_axes(), "filters");
    return spatial;
}

void BackpropBase::check_attributes(const InferContext& context, std::size_t spatial) const {
    check_lists(context, attributes_.window, spatial);
    check_list(context, {"output_padding", attributes_.output_padding, 0}, spatial);
}

// What the axis gives without an output shape; grows with the input and the kernel. Pads that cut
// off all of it, or more, leave nothing.
Dimension BackpropBase::natural_extent(const InferContext& context, std::size_t i,
                                       const Dimension& input, const Dimension& kernel) const {
    check_extents(context, input, kernel);
    ConvolutionAxis axis = axis_of(attributes_.window, i);
    const std::int64_t padding = entry_of(attributes_.output_padding, i, 0);
    const auto extent_at = [&](std::int64_t data, std::int64_t taps) {
        axis.input = data;
        axis.kernel = taps;
        const std::int64_t whole = whole_extent(axis);
        if (whole == Dimension::kInfinity) return whole;
        return std::max<std::int64_t>(whole - axis.pad_begin - axis.pad_end + padding, 0);
    };
    const bool is_bounded = input.max() <= kMaxWindowInput && kernel.max() <= kMaxWindowKernel;
    const std::int64_t most =
        is_bounded ? extent_at(input.max(), kernel.max()) : Dimension::kInfinity;
    const std::int64_t least = extent_at(input.min(), std::max<std::int64_t>(kernel.min(), 1));
    context.check(least <= kMostOutput, "spatial axis " + std::to_string(i) +
                                            " of the output has extent " + std::to_string(least) +
                                            "; expected at most " + std::to_string(kMostOutput));
    return {least, most};
}

void BackpropBase::infer(InferContext& context) const {
    context.check_input_count(2, 3);
    const ElementType type = context.merge_types({0, 1});
    if (type == ElementType::boolean) context.refuse("the inputs are boolean; expected numbers");
    const auto spatial = spatial_axes(context);
    if (!spatial) {
        context.set_output(0, type, {});
        return;
    }
    check_attributes(context, *spatial);
    const PartialShape open_data = PartialShape::of_rank(*spatial + 2);
    const PartialShape open_filters = PartialShape::of_rank(*spatial + leading_axes());
    const PartialShape& data = context.shape(0).has_rank() ? context.shape(0) : open_data;
    const PartialShape& filters = context.shape(1).has_rank() ? context.shape(1) : open_filters;
    std::vector<Dimension> result{data[0], infer_channels(context, data, filters)};
    if (context.input_count() == 3) {
        const auto length = vector_length(context, 2, "the output shape");
        context.check(!length || *length == *spatial,
                      "the output shape has " + std::to_string(length.value_or(0)) +
                          " entries; expected " + std::to_string(*spatial));
        const auto extents = context.ints(2);
        for (std::size_t i = 0; i < *spatial; ++i) {
            check_extents(context, data[i + 2], filters[i + leading_axes()]);
            if (extents) {
                context.check((*extents)[i] >= 0 && (*extents)[i] <= kMostOutput,
                              "the output shape has an extent " + std::to_string((*extents)[i]) +
                                  "; expected 0 to " + std::to_string(kMostOutput));
            }
            result.push_back(extents ? Dimension((*extents)[i]) : Dimension());
        }
    } else {
        for (std::size_t i = 0; i < *spatial; ++i) {
            result.push_back(natural_extent(context, i, data[i + 2], filters[i + leading_axes()]));
        }
    }
    context.set_output(0, type, std::move(result));
}

std::vector<ConvolutionAxis> BackpropBase::axes(const Shape& data, const Shape& filters,
                                                const Shape& output) const {
    const AutoPad pad = attributes_.window.auto_pad;
    std::vector<ConvolutionAxis> result;
    for (std::size_t i = 0; i + 2 < data.size(); ++i) {
        ConvolutionAxis axis = axis_of(attributes_.window, i);
        axis.input = static_cast<std::int64_t>(data[i + 2]);
        axis.kernel = static_cast<std::int64_t>(filters[i + leading_axes()]);
        axis.output = static_cast<std::int64_t>(output[i + 2]);
        const std::int64_t whole = whole_extent(axis);
        if (is_same(pad) && input_count() == 3) {
            const std::int64_t padding = entry_of(attributes_.output_padding, i, 0);
            const std::int64_t total = std::max<std::int64_t>(whole + padding - axis.output, 0);
            distribute_pads(axis, total, turned(pad));
        }
        result.push_back(axis);
    }
    return result;
}

std::optional<IndependentAxis> BackpropBase::independent_axis(std::size_t, std::size_t axis) const {
    if (axis > 0) return std::nullopt;
    IndependentAxis rows(input_count(), 1, axis);
    rows.inputs[0] = 0;
    return rows;
}

Dimension ConvolutionBackpropData::infer_channels(const InferContext& context,
                                                  const PartialShape& data,
                                                  const PartialShape& filters) const {
    context.check(data[1].intersect(filters[0]).has_value(),
                  "the data has shape " + to_string(data) + " but the filters have " +
                      to_string(filters) +
                      "; expected as many channels of the data (axis 1) as filters (axis 0)");
    return filters[1];
}

Dimension GroupConvolutionBackpropData::infer_channels(const InferContext& context,
                                                       const PartialShape& data,
                                                       const PartialShape& filters) const {
    check_group_channels(context, data, filters, 1);
    return multiply_extents(context, {filters[0], filters[2]});
}

}  // namespace rondo::ops
