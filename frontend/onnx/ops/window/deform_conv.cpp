// Converts DeformConv.
#include "core/ops/window/deformable_convolution.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

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

}  // namespace rondo::onnx
