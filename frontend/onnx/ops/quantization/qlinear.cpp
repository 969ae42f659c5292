// com.microsoft's operators of 8-bit tensors, each with a scale and a zero point: computed in f32
// and rounded.
#include <algorithm>
#include <numeric>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/window/pool.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

using ElementType::f32;

// A tensor's values, scale and zero point, which may be empty.
struct Quantized {
    Output values;
    Output scale;
    Output zero_point;
};

// What the operators are written with; every op gets a name of its own.
class Quantizer {
public:
    explicit Quantizer(NodeContext& context) : context_(context) {}

    // Inputs `first` to `first` + 2.
    Quantized input(std::size_t first) {
        return {context_.input(first), context_.input(first + 1),
                context_.optional_input(first + 2)};
    }
    Output binary(BinaryFunction function, const Output& a, const Output& b) {
        return context_.make<ops::Binary>(role(), function, a, b);
    }
    Output multiply(const Output& a, const Output& b) {
        return binary(BinaryFunction::multiply, a, b);
    }
    Output divide(const Output& a, const Output& b) { return binary(BinaryFunction::divide, a, b); }
    // x - zero_point: exact.
    Output centred(const Quantized& x) {
        expect_type(x.values, "the data", {ElementType::u8, ElementType::i8});
        const Output wide = converted(context_, role(), x.values, f32);
        if (!x.zero_point) return wide;
        return binary(BinaryFunction::subtract, wide,
                      converted(context_, role(), x.zero_point, f32));
    }
    Output number(const Quantized& x) { return multiply(centred(x), x.scale); }
    // As the node's result: `value` counts steps of the result.
    std::vector<Output> result(const Output& value, const Output& zero_point, ElementType type) {
        return {rounded_to(context_, value, zero_point, type)};
    }
    std::string role() { return "part_" + std::to_string(parts_++); }

private:
    NodeContext& context_;
    int parts_ = 0;
};

// The last two inputs of an operator of `inputs` tensors.
struct Target {
    Output scale;
    Output zero_point;
};

Target target(NodeContext& context, std::size_t inputs) {
    return {context.input(3 * inputs), context.optional_input(3 * inputs + 1)};
}

ElementType type_of(const Quantized& x) { return x.values.element_type(); }

}  // namespace

std::vector<Output> convert_qlinear_add(NodeContext& context) {
    Quantizer by(context);
    const Quantized a = by.input(0), b = by.input(3);
    const Target to = target(context, 2);
    const Output left = by.multiply(by.centred(a), by.divide(a.scale, to.scale));
    const Output right = by.multiply(by.centred(b), by.divide(b.scale, to.scale));
    return by.result(by.binary(BinaryFunction::add, left, right), to.zero_point, type_of(a));
}

// The product of the differences is exact.
std::vector<Output> convert_qlinear_mul(NodeContext& context) {
    Quantizer by(context);
    const Quantized a = by.input(0), b = by.input(3);
    const Target to = target(context, 2);
    const Output factor = by.divide(by.multiply(a.scale, b.scale), to.scale);
    const Output product = by.multiply(by.centred(a), by.centred(b));
    return by.result(by.multiply(product, factor), to.zero_point, type_of(a));
}

std::vector<Output> convert_qlinear_leaky_relu(NodeContext& context) {
    Quantizer by(context);
    const Quantized x = by.input(0);
    const Target to = target(context, 1);
    const double alpha =
        static_cast<double>(context.attributes().find_float("alpha").value_or(0.01F));
    const Output value = by.number(x);
    const Output below = context.make<ops::Compare>(by.role(), ops::CompareFunction::less, value,
                                                    make_filled(context, by.role(), f32, {}, 0));
    const Output scaled = by.multiply(value, make_filled(context, by.role(), f32, {}, alpha));
    const Output chosen = context.make<ops::Select>(by.role(), below, scaled, value);
    return by.result(by.divide(chosen, to.scale), to.zero_point, type_of(x));
}

std::vector<Output> convert_qlinear_sigmoid(NodeContext& context) {
    Quantizer by(context);
    const Quantized x = by.input(0);
    const Target to = target(context, 1);
    const Output value =
        context.make<ops::Unary>(by.role(), ops::UnaryFunction::sigmoid, by.number(x));
    return by.result(by.divide(value, to.scale), to.zero_point, type_of(x));
}

// The first two inputs are the result's; three for each part follow.
std::vector<Output> convert_qlinear_concat(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    Quantizer by(context);
    const Output scale = context.input(0), zero_point = context.input(1);
    const std::size_t count = context.input_count();
    if (count < 5 || count % 3 != 2) {
        throw ModelError("there are " + counted(count, "input") +
                         "; expected 2 and 3 for each part");
    }
    std::vector<Output> parts;
    for (std::size_t i = 2; i < count; i += 3) parts.push_back(by.number(by.input(i)));
    const ElementType type =
        expect_type(zero_point, "Y_zero_point", {ElementType::u8, ElementType::i8});
    const Output joined = make_concat(context, by.role(), parts, *axis);
    return by.result(by.divide(joined, scale), zero_point, type);
}

// X: [N,C,...], or [N,...,C] with channels_last.
std::vector<Output> convert_qlinear_global_average_pool(NodeContext& context) {
    Quantizer by(context);
    const Quantized x = by.input(0);
    const Target to = target(context, 1);
    const bool channels_last = context.attributes().flag("channels_last", false);
    const PartialShape& shape = x.values.shape();
    if (!shape.has_rank()) throw UnsupportedError("the rank of X isn't known");
    if (shape.rank() < 3) {
        throw ModelError("X has shape " + to_string(shape) + "; expected rank 3 or more");
    }
    std::vector<std::int64_t> axes(shape.rank() - 2);
    std::iota(axes.begin(), axes.end(), channels_last ? 1 : 2);
    const Output mean =
        context.make<ops::Reduce>(by.role(), ops::ReduceFunction::mean, by.centred(x),
                                  make_ints(context, by.role(), axes), true);
    return by.result(by.multiply(mean, by.divide(x.scale, to.scale)), to.zero_point, type_of(x));
}

// A place outside counts as 0 where count_include_pad says so.
std::vector<Output> convert_qlinear_average_pool(NodeContext& context) {
    Quantizer by(context);
    const Quantized x = by.input(0);
    const Target to = target(context, 1);
    const bool channels_last = context.attributes().flag("channels_last", false);
    if (!x.values.shape().has_rank()) throw UnsupportedError("the rank of X isn't known");
    auto attributes = pool_attributes(context, x.values);
    const bool counts_pads = context.attributes().flag("count_include_pad", false);
    Output data = by.centred(x);
    if (channels_last) data = with_channels_first(context, by.role(), data);
    Output mean = context.make<ops::AvgPool>(by.role(), data, std::move(attributes), !counts_pads);
    if (channels_last) mean = with_channels_last(context, by.role(), mean);
    return by.result(by.multiply(mean, by.divide(x.scale, to.scale)), to.zero_point, type_of(x));
}

std::vector<Output> convert_qlinear_reduce_mean(NodeContext& context) {
    Quantizer by(context);
    const Quantized x = by.input(0);
    const Target to = target(context, 1);
    const auto axes = context.attributes().find_ints("axes");
    if (!axes) throw ModelError("attribute 'axes' is missing");
    const bool keeps = context.attributes().flag("keepdims", true);
    const Output mean =
        context.make<ops::Reduce>(by.role(), ops::ReduceFunction::mean, by.centred(x),
                                  make_ints(context, by.role(), *axes), keeps);
    return by.result(by.multiply(mean, by.divide(x.scale, to.scale)), to.zero_point, type_of(x));
}

// Before opset 13 of Softmax all axes from `axis` on are one.
std::vector<Output> convert_qlinear_softmax(NodeContext& context) {
    constexpr std::int64_t kOneAxisSince = 13;
    Quantizer by(context);
    const Quantized x = by.input(0);
    const Target to = target(context, 1);
    const auto opset = context.attributes().find_int("opset");
    if (!opset) throw ModelError("attribute 'opset' is missing");
    const std::int64_t axis = context.attributes().find_int("axis").value_or(-1);
    const Output value = by.number(x);
    if (*opset >= kOneAxisSince) {
        const Output y = context.make<ops::Softmax>(by.role(), value, axis);
        return by.result(by.divide(y, to.scale), to.zero_point, type_of(x));
    }
    if (!value.shape().has_rank()) throw UnsupportedError("the rank of X isn't known");
    const InferContext place(context.name(), "QLinearSoftmax", {});
    std::vector<std::int64_t> pattern(normalize_axis(place, axis, value.shape().rank()), 0);
    pattern.push_back(-1);
    const Output flat = make_reshape(context, by.role(), value, pattern);
    const Output y = context.make<ops::Softmax>(by.role(), flat, -1);
    const Output back = context.make<ops::Reshape>(
        by.role(), y, make_shape_of(context, by.role(), x.values), false);
    return by.result(by.divide(back, to.scale), to.zero_point, type_of(x));
}

// The first input chooses; three for each of both, and two of the result follow.
std::vector<Output> convert_qlinear_where(NodeContext& context) {
    Quantizer by(context);
    const Quantized a = by.input(1), b = by.input(4);
    const Output scale = context.input(7), zero_point = context.input(8);
    const Output chosen =
        context.make<ops::Select>(by.role(), context.input(0), by.number(a), by.number(b));
    return by.result(by.divide(chosen, scale), zero_point, type_of(a));
}

}  // namespace rondo::onnx
