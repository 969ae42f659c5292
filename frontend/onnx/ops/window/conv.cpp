// Converts Conv, DeformConv and Col2Im.
#include <string>

#include "core/ops/window/col2im.hpp"
#include "core/ops/window/convolution.hpp"
#include "core/ops/window/deformable_convolution.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

Output convolved(NodeContext& context, const std::string& role, const Output& data,
                 const Output& filters) {
    const std::int64_t group = group_of(context);
    const std::size_t axes = spatial_axes_of(data, filters);
    const Output w = with_kernel_shape(context, filters, axes);
    const auto attributes = window_attributes(context, axes);
    if (group == 1) return context.make<ops::Convolution>(role, data, w, attributes);
    return context.make<ops::GroupConvolution>(role, data, make_grouped_filters(context, w, group),
                                               attributes);
}

Output along_filters(NodeContext& context, const std::string& role, const Output& vector,
                     const Output& data, const Output& filters) {
    // One whose rank isn't known is a vector too, or a single number, which the pattern also takes.
    if (vector.shape().has_rank() && vector.shape().rank() != 1) return vector;
    std::vector<std::int64_t> pattern(spatial_axes_of(data, filters) + 2, 1);
    pattern[1] = -1;
    return make_reshape(context, role, vector, pattern);
}

std::vector<Output> convert_conv(NodeContext& context) {
    const Output data = context.input(0);
    const Output filters = context.input(1);
    const Output bias = context.optional_input(2);
    const Output sums = convolved(context, bias ? "product" : "", data, filters);
    const Dimension channels = filters.shape().has_rank() ? filters.shape()[0] : Dimension();
    return {make_biased(context, sums, bias, channels, spatial_axes_of(data, filters))};
}

// f(convolution + bias + Z).
std::vector<Output> convert_fused_conv(NodeContext& context) {
    Composer by(context);
    const Output data = context.input(0), filters = context.input(1);
    Output sums = convolved(context, by.role(), data, filters);
    if (const Output bias = context.optional_input(2)) {
        sums = with_channels(context, by.role(), sums, {bias});
        const Output exact = make_exact_channels(context, by.role(), bias, sums, "B");
        sums = by.add(sums, along_filters(context, by.role(), exact, data, filters));
    }
    if (const Output addend = context.optional_input(3)) sums = by.add(sums, addend);
    return {by.result(activated(by, listed_activation(context), sums))};
}

std::vector<Output> convert_deform_conv(NodeContext& context) {
    const Output data = context.input(0);
    const Output bias = context.optional_input(3);
    const Output factors = context.optional_input(4);
    const std::size_t axes = spatial_axes_of(data, context.input(1));
    if (axes != 2) {
        throw UnsupportedError("X has shape " + to_string(data.shape()) + " and W " +
                               to_string(context.input(1).shape()) + "; expected two spatial axes");
    }
    if (context.attributes().has("auto_pad")) {
        throw ModelError("attribute 'auto_pad' is not known for this operator");
    }
    const Output filters = with_kernel_shape(context, context.input(1), axes);
    const std::int64_t group = group_of(context);
    const std::int64_t offset_group = context.attributes().find_int("offset_group").value_or(1);
    std::vector<Output> inputs{data, context.input(2), filters};
    if (factors) inputs.push_back(factors);
    const Output sums = context.make<ops::DeformableConvolution>(
        bias ? "product" : "", std::move(inputs), window_attributes(context, axes), group,
        offset_group, true);
    const Dimension channels = filters.shape().has_rank() ? filters.shape()[0] : Dimension();
    return {make_biased(context, sums, bias, channels, axes)};
}

std::vector<Output> convert_col2im(NodeContext& context) {
    const Output data = context.input(0);
    const Output image = context.input(1);
    const Output block = context.input(2);
    NodeContext::check_shape(data, PartialShape::of_rank(3), "input");
    if (!data.shape().has_rank()) throw UnsupportedError("the rank of the input isn't known");
    const PartialShape& sizes = image.shape().is_static() ? image.shape() : block.shape();
    if (!sizes.is_static() || sizes.rank() != 1) {
        throw UnsupportedError("image_shape has shape " + to_string(image.shape()) +
                               " and block_shape " + to_string(block.shape()) +
                               "; expected a known number of axes");
    }
    if (context.attributes().has("auto_pad")) {
        throw ModelError("attribute 'auto_pad' is not known for this operator");
    }
    const auto axes = static_cast<std::size_t>(sizes[0].length());
    return {context.make<ops::Col2Im>("", data, image, block, window_attributes(context, axes))};
}

}  // namespace rondo::onnx
