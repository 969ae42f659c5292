// Converts ConvTranspose.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/ops/window/convolutions.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Ints = std::vector<std::int64_t>;

// The spatial extents that the node asks for. Some exporters write those of all axes.
std::optional<Ints> output_shape(NodeContext& context, std::size_t axes) {
    auto shape = context.attributes().find_ints("output_shape");
    if (!shape) return std::nullopt;
    if (shape->size() == axes + 2) shape->erase(shape->begin(), shape->begin() + 2);
    if (shape->size() == axes) return shape;
    throw ModelError("attribute 'output_shape' has " + std::to_string(shape->size()) +
                     " entries; expected " + std::to_string(axes));
}

// SAME_UPPER and SAME_LOWER: stride * extent outputs. That settles the pads, whatever the extent
// is: reach - stride + output_padding in all; where there would be fewer than none, zeros follow.
void settle_same(ops::BackpropAttributes& attributes, const Output& filters) {
    const PartialShape& shape = filters.shape();
    auto& window = attributes.window;
    for (std::size_t i = 0; i < window.strides.size(); ++i) {
        if (!shape.has_rank() || !shape[i + 2].is_static()) {
            throw UnsupportedError("auto_pad with filters of shape " + to_string(shape) +
                                   "; expected known spatial extents");
        }
        ops::ConvolutionAxis axis;
        axis.kernel = shape[i + 2].length();
        axis.dilation = window.dilations[i];
        if (axis.kernel < 1 || axis.kernel > ops::kMaxWindowKernel || axis.dilation < 1 ||
            axis.dilation > ops::kMaxWindowAttribute) {
            return;  // refused where the op is made
        }
        const std::int64_t total =
            ops::reach_of(axis) - window.strides[i] + attributes.output_padding[i];
        ops::distribute_pads(axis, std::max<std::int64_t>(total, 0), window.auto_pad);
        window.pads_begin[i] = axis.pad_begin;
        window.pads_end[i] = axis.pad_end;
        if (total < 0) attributes.output_padding[i] -= total;
    }
    window.auto_pad = ops::AutoPad::explicit_pads;
}

struct BackpropRequest {
    ops::BackpropAttributes attributes;
    std::optional<Ints> output_shape;
};

BackpropRequest request_of(NodeContext& context, const Output& filters, std::size_t axes) {
    BackpropRequest request{{}, output_shape(context, axes)};
    auto& [window, output_padding] = request.attributes;
    output_padding = entries_of(context, "output_padding", axes, 0);
    if (request.output_shape) {  // the pads follow from it; the op has the larger one elsewhere
        window.auto_pad = auto_pad_of(context) == ops::AutoPad::same_upper
                              ? ops::AutoPad::same_lower
                              : ops::AutoPad::same_upper;
        window.strides = entries_of(context, "strides", axes, 1);
        window.dilations = entries_of(context, "dilations", axes, 1);
        entries_of(context, "pads", 2 * axes, 0);
        return request;
    }
    window = window_attributes(context, axes);
    if (ops::is_same(window.auto_pad)) settle_same(request.attributes, filters);
    return request;
}

Dimension channels_of(const Output& filters, std::int64_t group) {
    if (!filters.shape().has_rank() || !filters.shape()[1].is_static()) return {};
    const std::int64_t own = filters.shape()[1].length();
    return own > ops::kMaxWindowInput / group ? Dimension() : Dimension(own * group);
}

}  // namespace

std::vector<Output> convert_conv_transpose(NodeContext& context) {
    const std::int64_t group = group_of(context);
    const Output data = context.input(0);
    const Output bias = context.optional_input(2);
    const std::size_t axes = spatial_axes_of(data, context.input(1));
    const Output filters = with_kernel_shape(context, context.input(1), axes);
    BackpropRequest request = request_of(context, filters, axes);
    const char* role = bias ? "product" : "";
    std::vector<Output> inputs{data, filters};
    if (group > 1) inputs[1] = make_grouped_filters(context, filters, group);
    if (request.output_shape) {
        inputs.push_back(make_ints(context, "output_shape", *request.output_shape));
    }
    const Output sums = group == 1 ? Output(context.make<ops::ConvolutionBackpropData>(
                                         role, std::move(inputs), std::move(request.attributes)))
                                   : Output(context.make<ops::GroupConvolutionBackpropData>(
                                         role, std::move(inputs), std::move(request.attributes)));
    return {make_biased(context, sums, bias, channels_of(filters, group), axes)};
}

}  // namespace rondo::onnx
