// Converts LRN: each element over a power of the mean square of its neighbours among the channels.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/window/pool.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

// [N,C,...] as [N,1,C,all others].
Output image_of(NodeContext& context, const Output& x) {
    const Output shape = make_shape_of(context, "x_shape", x);
    const Output one = make_ints(context, "one", {1});
    const Output pattern =
        make_concat(context, "image/pattern",
                    {make_element(context, "n", shape, 0), one,
                     make_element(context, "c", shape, 1), make_ints(context, "rest", {-1})},
                    0);
    return context.make<ops::Reshape>("image", x, pattern, false);
}

// The mean of `size` neighbours along axis 1; those outside of the tensor count as 0.
Output channel_means(NodeContext& context, const Output& x, std::int64_t size) {
    ops::PoolAttributes attributes;
    attributes.kernel = {size, 1};
    attributes.window.strides = {1, 1};
    attributes.window.dilations = {1, 1};
    attributes.window.pads_begin = {(size - 1) / 2, 0};
    attributes.window.pads_end = {size / 2, 0};
    const Output means =
        context.make<ops::AvgPool>("means", image_of(context, x), std::move(attributes), false);
    return context.make<ops::Reshape>("flat", means, make_shape_of(context, "shape", x));
}

}  // namespace

std::vector<Output> convert_lrn(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    rank_of_x(x, 2);
    const auto size = context.attributes().find_int("size");
    if (!size || *size < 1) throw ModelError("attribute 'size' is missing, or below 1");
    const double alpha = context.attributes().find_float("alpha").value_or(1e-4F);
    const double beta = context.attributes().find_float("beta").value_or(0.75F);
    const double bias = context.attributes().find_float("bias").value_or(1.0F);
    const ElementType arithmetic = arithmetic_type(type);
    const auto number = [&](const char* role, double value) {
        return make_filled(context, role, arithmetic, {}, value);
    };
    const Output wide = make_converted(context, "wide", x, arithmetic);
    const Output square = make_binary(context, "square", BinaryFunction::multiply, wide, wide);
    const Output scaled =
        make_binary(context, "scaled", BinaryFunction::multiply,
                    channel_means(context, square, *size), number("alpha", alpha));
    const Output base =
        make_binary(context, "base", BinaryFunction::add, scaled, number("bias", bias));
    const Output divisor =
        make_binary(context, "divisor", BinaryFunction::power, base, number("beta", beta));
    const bool converts = type != arithmetic;
    const Output y =
        make_binary(context, converts ? "quotient" : "", BinaryFunction::divide, wide, divisor);
    return {make_converted(context, "", y, type)};
}

}  // namespace rondo::onnx
