// Converts CausalConvWithState: a convolution of each channel by itself, over the past alone.
#include "core/ops/compositions.hpp"
#include "core/ops/window/convolutions.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// [channels, 1, k].
const PartialShape& filter_shape(const Output& filters) {
    const PartialShape& shape = filters.shape();
    NodeContext::check_shape(filters, {Dimension(), 1, Dimension()}, "weight");
    if (shape.has_rank() && shape[0].is_static() && shape[2].is_static()) return shape;
    throw UnsupportedError("weight has shape " + to_string(shape) + "; expected a known one");
}

// The data after the last k - 1 elements before them, or after zeros.
Output after_state(NodeContext& by, std::int64_t past) {
    const Output x = by.input(0);
    const Output state = by.optional_input(3);
    if (!state) return by.pad(x, by.ints({0, 0, past}), by.ints({0, 0, 0}));
    NodeContext::check_shape(state, {Dimension(), Dimension(), past}, "past_state");
    return by.concat({state, x}, 2);
}

}  // namespace

std::vector<Output> convert_causal_conv(NodeContext& by) {
    constexpr std::pair<std::string_view, bool> kHasSwish[] = {
        {"none", false}, {"silu", true}, {"swish", true}};
    const Output x = by.input(0), filters = by.input(1);
    const ElementType type = NodeContext::known_type(x, "input"), wide = arithmetic_type(type);
    NodeContext::check_shape(x, PartialShape::of_rank(3), "input");
    const PartialShape& shape = filter_shape(filters);
    const std::int64_t past = shape[2].length() - 1;
    if (past < 0) throw ModelError("weight has shape " + to_string(shape) + "; expected k >= 1");
    const bool swish = by.choice("activation", "none", kHasSwish);
    const Output padded = after_state(by, past);
    const Output grouped = grouped_filters(by, by.convert(filters, wide), shape[0].length());
    ops::ConvolutionAttributes attributes;
    attributes.strides = attributes.dilations = {1};
    attributes.pads_begin = {0};
    // A convolution has a result: if there may be no data, one too many is cut off.
    const Dimension length = x.shape().has_rank() ? x.shape()[2] : Dimension();
    const bool may_be_empty = length.contains(0);
    attributes.pads_end = {may_be_empty ? 1 : 0};
    Output y = by.make<ops::GroupConvolution>(by.convert(padded, wide), grouped, attributes);
    if (may_be_empty) y = by.slice(y, 2, 0, -1);
    if (const Output bias = by.optional_input(2)) {
        y = by.add(y, by.convert(channel_vector(by, bias, y, "bias"), wide));
    }
    if (swish) y = ops::swish(by, y, y);
    const Output state =
        past == 0 ? by.slice(padded, 2, 0, 0) : by.slice(padded, 2, -past, kSliceEnd);
    return {by.convert(y, type), state};
}

}  // namespace rondo::onnx
