// Converts Conv, ConvTranspose, DeformConv and Col2Im.
#include <algorithm>
#include <optional>
#include <utility>

#include "core/ops/window/convolutions.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

Output convolved(NodeContext& by, const Output& data, const Output& filters) {
    const std::int64_t group = group_of(by);
    const std::size_t axes = spatial_axes_of(data, filters);
    const Output w = with_kernel_shape(by, filters, axes);
    const auto attributes = window_attributes(by, axes);
    if (group == 1) return by.make<ops::Convolution>(data, w, attributes);
    return by.make<ops::GroupConvolution>(data, grouped_filters(by, w, group), attributes);
}

Output along_filters(NodeContext& by, const Output& vector, const Output& data,
                     const Output& filters) {
    // One whose rank isn't known is a vector too, or a single number, which the pattern also takes.
    if (vector.shape().has_rank() && vector.shape().rank() != 1) return vector;
    return by.reshape(vector, along_axis_pattern(spatial_axes_of(data, filters) + 2, 1));
}

namespace {

Dimension first_extent(const Output& filters) {
    return filters.shape().has_rank() ? filters.shape()[0] : Dimension();
}

void refuse_auto_pad(NodeContext& by) {
    if (!by.attributes().has("auto_pad")) return;
    throw ModelError("attribute 'auto_pad' is not known for this operator");
}

}  // namespace

std::vector<Output> convert_conv(NodeContext& by) {
    const Output filters = by.input(1), bias = by.optional_input(2);
    const Output sums = convolved(by, by.input(0), filters);
    return {biased_channels(by, sums, bias, first_extent(filters))};
}

// f(convolution + bias + Z).
std::vector<Output> convert_fused_conv(NodeContext& by) {
    Output sums = convolved(by, by.input(0), by.input(1));
    sums = biased_channels(by, sums, by.optional_input(2), Dimension());
    if (const Output addend = by.optional_input(3)) sums = by.add(sums, addend);
    return {activated(by, listed_activation(by), sums)};
}

std::vector<Output> convert_deform_conv(NodeContext& by) {
    const Output data = by.input(0), bias = by.optional_input(3), factors = by.optional_input(4);
    const std::size_t axes = spatial_axes_of(data, by.input(1));
    if (axes != 2) {
        throw UnsupportedError("X has shape " + to_string(data.shape()) + " and W " +
                               to_string(by.input(1).shape()) + "; expected two spatial axes");
    }
    refuse_auto_pad(by);
    const Output filters = with_kernel_shape(by, by.input(1), axes);
    const std::int64_t group = group_of(by);
    const std::int64_t offset_group = by.attribute("offset_group", 1);
    std::vector<Output> inputs{data, by.input(2), filters};
    if (factors) inputs.push_back(factors);
    const Output sums = by.make<ops::DeformableConvolution>(
        std::move(inputs), window_attributes(by, axes), group, offset_group, true);
    return {biased_channels(by, sums, bias, first_extent(filters))};
}

std::vector<Output> convert_col2im(NodeContext& by) {
    const Output data = by.input(0), image = by.input(1), block = by.input(2);
    NodeContext::check_shape(data, PartialShape::of_rank(3), "input");
    NodeContext::rank_of(data, 3, "the input");
    const PartialShape& sizes = image.shape().is_static() ? image.shape() : block.shape();
    if (!sizes.is_static() || sizes.rank() != 1) {
        throw UnsupportedError("image_shape has shape " + to_string(image.shape()) +
                               " and block_shape " + to_string(block.shape()) +
                               "; expected a known number of axes");
    }
    refuse_auto_pad(by);
    const auto axes = static_cast<std::size_t>(sizes[0].length());
    return {by.make<ops::Col2Im>(data, image, block, window_attributes(by, axes))};
}

namespace {

// The spatial extents that the node asks for. Some exporters write those of all axes.
std::optional<Ints> output_shape(NodeContext& by, std::size_t axes) {
    auto shape = by.attributes().find_ints("output_shape");
    if (!shape) return std::nullopt;
    if (shape->size() == axes + 2) shape->erase(shape->begin(), shape->begin() + 2);
    if (shape->size() == axes) return shape;
    throw ModelError("attribute 'output_shape' has " + std::to_string(shape->size()) +
                     " entries; expected " + std::to_string(axes));
}

// SAME_UPPER and SAME_LOWER: stride * extent outputs. That settles the pads, whatever the extent
// is: reach - stride + output_padding in all; if there would be fewer than none, zeros follow.
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

struct TransposeRequest {
    ops::BackpropAttributes attributes;
    std::optional<Ints> output_shape;
};

TransposeRequest transpose_request_of(NodeContext& by, const Output& filters, std::size_t axes) {
    TransposeRequest request{{}, output_shape(by, axes)};
    auto& [window, output_padding] = request.attributes;
    output_padding = entries_of(by, "output_padding", axes, 0);
    if (request.output_shape) {  // the pads follow from it; the op has the larger one elsewhere
        window.auto_pad = auto_pad_of(by) == ops::AutoPad::same_upper ? ops::AutoPad::same_lower
                                                                      : ops::AutoPad::same_upper;
        window.strides = entries_of(by, "strides", axes, 1);
        window.dilations = entries_of(by, "dilations", axes, 1);
        entries_of(by, "pads", 2 * axes, 0);
        return request;
    }
    window = window_attributes(by, axes);
    if (ops::is_same(window.auto_pad)) settle_same(request.attributes, filters);
    return request;
}

Dimension channels_of(const Output& filters, std::int64_t group) {
    if (!filters.shape().has_rank() || !filters.shape()[1].is_static()) return {};
    const std::int64_t own = filters.shape()[1].length();
    return own > ops::kMaxWindowInput / group ? Dimension() : Dimension(own * group);
}

}  // namespace

std::vector<Output> convert_conv_transpose(NodeContext& by) {
    const std::int64_t group = group_of(by);
    const Output data = by.input(0), bias = by.optional_input(2);
    const std::size_t axes = spatial_axes_of(data, by.input(1));
    const Output filters = with_kernel_shape(by, by.input(1), axes);
    TransposeRequest request = transpose_request_of(by, filters, axes);
    std::vector<Output> inputs{data, group > 1 ? grouped_filters(by, filters, group) : filters};
    if (request.output_shape) inputs.push_back(by.ints(*request.output_shape));
    const Output sums = group == 1 ? by.make<ops::ConvolutionBackpropData>(
                                         std::move(inputs), std::move(request.attributes))
                                   : by.make<ops::GroupConvolutionBackpropData>(
                                         std::move(inputs), std::move(request.attributes));
    return {biased_channels(by, sums, bias, channels_of(filters, group))};
}

}  // namespace rondo::onnx
