// Slides filters over one, two or three spatial axes.
#include "core/ops/window/convolutions.hpp"

#include <string>
#include <utility>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"

namespace rondo::ops {

// The number of spatial axes, or nothing while no input's rank is known.
std::optional<std::size_t> ConvolutionBase::spatial_axes(const InferContext& context) const {
    const PartialShape& data = context.shape(0);
    const PartialShape& filters = context.shape(1);
    if (!data.has_rank() && !filters.has_rank()) return std::nullopt;
    const PartialShape& known = data.has_rank() ? data : filters;
    const std::size_t leading = data.has_rank() ? 2 : leading_axes();
    context.check(known.rank() > leading && known.rank() <= leading + kMaxSpatialAxes,
                  std::string(data.has_rank() ? "the data has" : "the filters have") + " shape " +
                      to_string(known) + "; expected rank " + std::to_string(leading + 1) + ", " +
                      std::to_string(leading + 2) + " or " + std::to_string(leading + 3));
    const std::size_t spatial = known.rank() - leading;
    context.check_rank(1, spatial + leading_axes(), "filters");
    return spatial;
}

std::vector<ConvolutionAxis> ConvolutionBase::axes(const Shape& data, const Shape& filters) const {
    std::vector<ConvolutionAxis> result;
    for (std::size_t i = 0; i + 2 < data.size(); ++i) {
        ConvolutionAxis axis = axis_of(attributes_, i);
        axis.input = static_cast<std::int64_t>(data[i + 2]);
        axis.kernel = static_cast<std::int64_t>(filters[i + leading_axes()]);
        settle(axis, attributes_.auto_pad);
        result.push_back(axis);
    }
    return result;
}

void ConvolutionBase::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.merge_types({0, 1});
    if (type == ElementType::boolean) context.refuse("the inputs are boolean; expected numbers");
    const auto spatial = spatial_axes(context);
    if (!spatial) {
        context.set_output(0, type, {});
        return;
    }
    check_lists(context, attributes_, *spatial);
    const PartialShape open_data = PartialShape::of_rank(*spatial + 2);
    const PartialShape open_filters = PartialShape::of_rank(*spatial + leading_axes());
    const PartialShape& data = context.shape(0).has_rank() ? context.shape(0) : open_data;
    const PartialShape& filters = context.shape(1).has_rank() ? context.shape(1) : open_filters;
    std::vector<Dimension> result{data[0], infer_channels(context, data, filters)};
    for (std::size_t i = 0; i < *spatial; ++i) {
        result.push_back(
            window_extent(context, attributes_, i, data[i + 2], filters[i + leading_axes()]));
    }
    context.set_output(0, type, std::move(result));
}

Dimension Convolution::infer_channels(const InferContext& context, const PartialShape& data,
                                      const PartialShape& filters) const {
    context.check(data[1].intersect(filters[1]).has_value(),
                  "the data has shape " + to_string(data) + " but the filters have " +
                      to_string(filters) + "; expected as many channels (axis 1) in both");
    return filters[0];
}

std::optional<IndependentAxis> Convolution::independent_axis(std::size_t, std::size_t axis) const {
    if (axis > 1) return std::nullopt;
    IndependentAxis rows(2, 1, axis);
    rows.inputs[axis] = 0;  // N of data, or O of filters
    return rows;
}

void check_group_channels(const InferContext& context, const PartialShape& data,
                          const PartialShape& filters, std::size_t channel_axis) {
    const Dimension expected = multiply_extents(context, {filters[0], filters[channel_axis]});
    context.check(data[1].intersect(expected).has_value(),
                  "the data has shape " + to_string(data) + " but the filters have " +
                      to_string(filters) + "; expected " + to_string(expected) +
                      " channels: groups (axis 0) times channels of a group (axis " +
                      std::to_string(channel_axis) + ")");
}

Dimension GroupConvolution::infer_channels(const InferContext& context, const PartialShape& data,
                                           const PartialShape& filters) const {
    check_group_channels(context, data, filters, 2);
    return multiply_extents(context, {filters[0], filters[1]});
}

std::optional<IndependentAxis> GroupConvolution::independent_axis(std::size_t,
                                                                  std::size_t axis) const {
    if (axis > 0) return std::nullopt;
    IndependentAxis rows(2, 1, axis);
    rows.inputs[0] = 0;
    return rows;
}

}  // namespace rondo::ops
