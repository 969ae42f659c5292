#include "frontend/onnx/ops/window/conv.hpp"

#include "core/ops/window/convolution.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"

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

}  // namespace rondo::onnx
