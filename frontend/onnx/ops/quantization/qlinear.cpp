// com.microsoft's operators of 8-bit tensors, each with a scale and a zero point: computed in f32
// and rounded.
#include <algorithm>

#include "core/ops/compositions.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/window/pool.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Inputs `first` to `first` + 2.
Quantized quantized_at(NodeContext& by, std::size_t first) {
    return {"the data", by.input(first), by.input(first + 1), by.optional_input(first + 2)};
}

// x - zero_point: exact.
Output steps_of(NodeContext& by, const Quantized& x) {
    expect_byte(x.values, x.name);
    return centred(by, x, ElementType::f32);
}

Output numbers_of(NodeContext& by, const Quantized& x) {
    return by.multiply(steps_of(by, x), x.scale);
}

// What the result's inputs say, from `first` on.
struct QuantizedTarget {
    QuantizedTarget(NodeContext& by, std::size_t first)
        : scale(by.input(first)), zero_point(by.optional_input(first + 1)) {}

    Output scale;
    Output zero_point;
};

// `steps` of the result, which has the type of x.
std::vector<Output> rounded_steps(NodeContext& by, const Output& steps, const QuantizedTarget& to,
                                  const Quantized& x) {
    return {rounded_to(by, steps, to.zero_point, x.values.element_type())};
}

// An operator of one tensor whose result is `function` of its numbers.
template <typename Function>
std::vector<Output> function_of(NodeContext& by, Function function) {
    const Quantized x = quantized_at(by, 0);
    const QuantizedTarget to(by, 3);
    return rounded_steps(by, by.divide(function(numbers_of(by, x)), to.scale), to, x);
}

// The same; `mean` averages steps.
template <typename Mean>
std::vector<Output> mean_of(NodeContext& by, Mean mean) {
    const Quantized x = quantized_at(by, 0);
    const QuantizedTarget to(by, 3);
    const Output steps = by.multiply(mean(steps_of(by, x)), by.divide(x.scale, to.scale));
    return rounded_steps(by, steps, to, x);
}

}  // namespace

std::vector<Output> convert_qlinear_add(NodeContext& by) {
    const Quantized a = quantized_at(by, 0), b = quantized_at(by, 3);
    const QuantizedTarget to(by, 6);
    const auto steps = [&](const Quantized& x) {
        return by.multiply(steps_of(by, x), by.divide(x.scale, to.scale));
    };
    return rounded_steps(by, by.add(steps(a), steps(b)), to, a);
}

// The product of the differences is exact.
std::vector<Output> convert_qlinear_mul(NodeContext& by) {
    const Quantized a = quantized_at(by, 0), b = quantized_at(by, 3);
    const QuantizedTarget to(by, 6);
    const Output factor = by.divide(by.multiply(a.scale, b.scale), to.scale);
    const Output product = by.multiply(steps_of(by, a), steps_of(by, b));
    return rounded_steps(by, by.multiply(product, factor), to, a);
}

std::vector<Output> convert_qlinear_leaky_relu(NodeContext& by) {
    const double alpha = by.attribute("alpha", 0.01F);
    return function_of(by, [&](const Output& x) { return ops::leaky_relu(by, x, alpha); });
}

std::vector<Output> convert_qlinear_sigmoid(NodeContext& by) {
    return function_of(by, [&](const Output& x) { return by.apply(UnaryFunction::sigmoid, x); });
}

// The first two inputs are the result's; three for each part follow.
std::vector<Output> convert_qlinear_concat(NodeContext& by) {
    const std::int64_t axis = by.required_int("axis");
    const QuantizedTarget to(by, 0);
    const std::size_t count = by.input_count();
    if (count < 5 || count % 3 != 2) {
        throw ModelError("there are " + counted(count, "input") +
                         "; expected 2 and 3 for each part");
    }
    std::vector<Output> parts;
    for (std::size_t i = 2; i < count; i += 3) parts.push_back(numbers_of(by, quantized_at(by, i)));
    const ElementType type = expect_byte(by.input(1), "Y_zero_point");
    return {rounded_to(by, by.divide(by.concat(parts, axis), to.scale), to.zero_point, type)};
}

// X: [N,C,...], or [N,...,C] with channels_last.
std::vector<Output> convert_qlinear_global_average_pool(NodeContext& by) {
    const std::int64_t first = by.attribute("channels_last", false) ? 1 : 2;
    const std::size_t spatial = NodeContext::rank_of(by.input(0), 3) - 2;
    const Ints axes = ints_from(first, static_cast<std::size_t>(first) + spatial);
    return mean_of(by, [&](const Output& x) { return by.reduce(ReduceFunction::mean, x, axes); });
}

// A place outside counts as 0 if count_include_pad says so.
std::vector<Output> convert_qlinear_average_pool(NodeContext& by) {
    const bool channels_last = by.attribute("channels_last", false);
    NodeContext::rank_of(by.input(0));
    const auto attributes = pool_attributes(by, by.input(0));
    const bool counts_pads = by.attribute("count_include_pad", false);
    return mean_of(by, [&](const Output& x) {
        const Output mean = by.make<ops::AvgPool>(channels_last ? with_channels_first(by, x) : x,
                                                  attributes, !counts_pads);
        return channels_last ? with_channels_last(by, mean) : mean;
    });
}

std::vector<Output> convert_qlinear_reduce_mean(NodeContext& by) {
    const Ints axes = by.required_ints("axes");
    const bool keeps = by.attribute("keepdims", true);
    return mean_of(
        by, [&](const Output& x) { return by.reduce(ReduceFunction::mean, x, axes, keeps); });
}

// Before opset 13 of Softmax all axes from `axis` on are one.
std::vector<Output> convert_qlinear_softmax(NodeContext& by) {
    constexpr std::int64_t kOneAxisSince = 13;
    const std::int64_t opset = by.required_int("opset");
    const std::int64_t axis = by.attribute("axis", -1);
    return function_of(by, [&](const Output& x) {
        if (opset >= kOneAxisSince) return by.softmax(x, axis);
        NodeContext::rank_of(x);
        Ints pattern(by.normal_axis(axis, x.shape()), 0);
        pattern.push_back(-1);
        return by.reshape_like(by.softmax(by.reshape(x, pattern)), x);
    });
}

// The first input chooses; three for each of both, and two of the result follow.
std::vector<Output> convert_qlinear_where(NodeContext& by) {
    const Quantized a = quantized_at(by, 1), b = quantized_at(by, 4);
    const QuantizedTarget to(by, 7);
    const Output chosen = by.select(by.input(0), numbers_of(by, a), numbers_of(by, b));
    return rounded_steps(by, by.divide(chosen, to.scale), to, a);
}

}  // namespace rondo::onnx
