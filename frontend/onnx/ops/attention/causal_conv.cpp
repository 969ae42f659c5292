// Converts CausalConvWithState: a convolution of each channel by itself, over the past alone.
#include "core/ops/movement/pad.hpp"
#include "core/ops/window/convolution.hpp"
#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

bool has_swish(NodeContext& context) {
    const std::string name = context.attributes().find_string("activation").value_or("none");
    if (name == "none" || name == "silu" || name == "swish") return name != "none";
    throw ModelError("attribute 'activation' is '" + name + "'; expected none, silu or swish");
}

// [channels, 1, k].
const PartialShape& filter_shape(const Output& filters) {
    const PartialShape& shape = filters.shape();
    NodeContext::check_shape(filters, {Dimension(), 1, Dimension()}, "weight");
    if (shape.has_rank() && shape[0].is_static() && shape[2].is_static()) return shape;
    throw UnsupportedError("weight has shape " + to_string(shape) + "; expected a known one");
}

// The data behind the last k - 1 elements before them, or behind zeros.
Output with_past(NodeContext& context, Composer& by, std::int64_t past) {
    const Output x = context.input(0);
    if (const Output state = context.optional_input(3)) {
        NodeContext::check_shape(state, {Dimension(), Dimension(), past}, "past_state");
        return by.concat({state, x}, 2);
    }
    const std::vector<Output> inputs{x, by.ints({0, 0, past}), by.ints({0, 0, 0})};
    return context.make<ops::Pad>(by.role(), inputs, ops::PadMode::constant);
}

}  // namespace

std::vector<Output> convert_causal_conv(NodeContext& context) {
    const Output x = context.input(0), filters = context.input(1);
    const ElementType type = NodeContext::known_type(x, "input"), wide = arithmetic_type(type);
    NodeContext::check_shape(x, PartialShape::of_rank(3), "input");
    const PartialShape& shape = filter_shape(filters);
    const std::int64_t past = shape[2].length() - 1;
    if (past < 0) throw ModelError("weight has shape " + to_string(shape) + "; expected k >= 1");
    const bool swish = has_swish(context);
    Composer by(context);
    const Output padded = with_past(context, by, past);
    const Output grouped =
        make_grouped_filters(context, by.convert(filters, wide), shape[0].length());
    ops::ConvolutionAttributes attributes;
    attributes.strides = attributes.dilations = {1};
    attributes.pads_begin = {0};
    // A convolution has a result: where there may be no data, one too many is cut off.
    const Dimension length = x.shape().has_rank() ? x.shape()[2] : Dimension();
    const bool may_be_empty = length.contains(0);
    attributes.pads_end = {may_be_empty ? 1 : 0};
    Output y = context.make<ops::GroupConvolution>(by.role(), by.convert(padded, wide), grouped,
                                                   attributes);
    if (may_be_empty) y = by.slice(y, 2, 0, -1);
    if (const Output bias = context.optional_input(2)) {
        y = by.add(y, by.convert(make_channel_vector(context, by.role(), bias, y, "bias"), wide));
    }
    if (swish) y = by.multiply(y, by.apply(ops::UnaryFunction::sigmoid, y));
    const Output state =
        past == 0 ? by.slice(padded, 2, 0, 0) : by.slice(padded, 2, -past, kSliceEnd);
    return {by.result(by.convert(y, type)), state};
}

}  // namespace rondo::onnx
