// Gelu and its forms in com.microsoft, Swish, SwiGLU: small graphs of elementwise ops, which the
// device runs as one. Types of 16 bits are computed in f32 and rounded once.
#include <cmath>
#include <numbers>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using ops::UnaryFunction;

// Ops on numbers of one type, f32 or f64, and the way back to the type of the node.
class Computation {
public:
    Computation(NodeContext& context, ElementType type)
        : context_(context),
          type_(type),
          wide_(type == ElementType::f64 ? type : ElementType::f32) {
        if (is_floating(type)) return;
        throw UnsupportedError("the input is " + std::string(to_string(type)) +
                               "; expected a floating type");
    }

    Output wide(const Output& value) {
        if (value.element_type() == wide_) return value;
        return context_.make<ops::Convert>(role(), value, wide_);
    }
    Output number(double value) { return make_filled(context_, role(), wide_, {}, value); }
    Output add(const Output& a, const Output& b) {
        return context_.make<ops::Binary>(role(), BinaryFunction::add, a, b);
    }
    Output multiply(const Output& a, const Output& b) {
        return context_.make<ops::Binary>(role(), BinaryFunction::multiply, a, b);
    }
    Output apply(UnaryFunction function, const Output& x) {
        return context_.make<ops::Unary>(role(), function, x);
    }
    // a * b as the node's result.
    std::vector<Output> result(const Output& a, const Output& b) {
        const bool is_last = wide_ == type_;
        const Output product =
            context_.make<ops::Binary>(is_last ? "" : role(), BinaryFunction::multiply, a, b);
        if (is_last) return {product};
        return {context_.make<ops::Convert>("", product, type_)};
    }

private:
    std::string role() { return "part_" + std::to_string(parts_++); }

    NodeContext& context_;
    ElementType type_;
    ElementType wide_;
    int parts_ = 0;
};

Computation computation(NodeContext& context) {
    return {context, NodeContext::known_type(context.input(0), "X")};
}

// 0.5 x (1 + erf(x / sqrt(2))).
std::vector<Output> gelu_of(Computation& by, const Output& x) {
    const Output erf =
        by.apply(UnaryFunction::erf, by.multiply(x, by.number(std::numbers::sqrt2 / 2)));
    return by.result(by.multiply(x, by.number(0.5)), by.add(erf, by.number(1)));
}

// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
std::vector<Output> gelu_by_tanh(Computation& by, const Output& x) {
    const Output cubic = by.add(by.multiply(by.multiply(x, x), by.number(0.044715)), by.number(1));
    const double factor = std::sqrt(2 / std::numbers::pi);
    const Output tanh =
        by.apply(UnaryFunction::tanh, by.multiply(by.multiply(x, by.number(factor)), cubic));
    return by.result(by.multiply(x, by.number(0.5)), by.add(tanh, by.number(1)));
}

Output biased(NodeContext& context, Computation& by, const Output& bias) {
    const Output x = by.wide(context.input(0));
    return bias ? by.add(x, by.wide(bias)) : x;
}

}  // namespace

std::vector<Output> convert_gelu(NodeContext& context) {
    const std::string name = context.attributes().find_string("approximate").value_or("none");
    Computation by = computation(context);
    const Output x = by.wide(context.input(0));
    if (name == "none") return gelu_of(by, x);
    if (name == "tanh") return gelu_by_tanh(by, x);
    throw ModelError("attribute 'approximate' is '" + name + "'; expected 'none' or 'tanh'");
}

std::vector<Output> convert_microsoft_gelu(NodeContext& context) {
    Computation by = computation(context);
    return gelu_of(by, by.wide(context.input(0)));
}

std::vector<Output> convert_bias_gelu(NodeContext& context) {
    Computation by = computation(context);
    return gelu_of(by, biased(context, by, context.input(1)));
}

// The left half of x + bias, times Gelu of the right half.
std::vector<Output> convert_bias_split_gelu(NodeContext& context) {
    Computation by = computation(context);
    const auto halves = make_split(context, "halves", biased(context, by, context.input(1)), -1, 2);
    const Output right = halves[1];
    const Output erf =
        by.apply(UnaryFunction::erf, by.multiply(right, by.number(std::numbers::sqrt2 / 2)));
    const Output gelu = by.multiply(by.multiply(right, by.number(0.5)), by.add(erf, by.number(1)));
    return by.result(halves[0], gelu);
}

std::vector<Output> convert_fast_gelu(NodeContext& context) {
    Computation by = computation(context);
    return gelu_by_tanh(by, biased(context, by, context.optional_input(1)));
}

// x sigmoid(alpha x).
std::vector<Output> convert_swish(NodeContext& context) {
    const float alpha = context.attributes().find_float("alpha").value_or(1);
    Computation by = computation(context);
    const Output x = by.wide(context.input(0));
    const Output scaled = alpha == 1 ? x : by.multiply(x, by.number(static_cast<double>(alpha)));
    return by.result(x, by.apply(UnaryFunction::sigmoid, scaled));
}

// Swish of the gate, times the value.
std::vector<Output> convert_swiglu(NodeContext& context) {
    const float alpha = context.attributes().find_float("alpha").value_or(1);
    NodeContext::check_shape(context.input(1), context.input(0).shape(), "B");
    Computation by = computation(context);
    const Output gate = by.wide(context.input(0));
    const Output scaled =
        alpha == 1 ? gate : by.multiply(gate, by.number(static_cast<double>(alpha)));
    const Output swish = by.multiply(gate, by.apply(UnaryFunction::sigmoid, scaled));
    return by.result(swish, by.wide(context.input(1)));
}

// com.microsoft's QuickGelu, whose factor has a default.
std::vector<Output> convert_quick_gelu(NodeContext& context) {
    const float alpha = context.attributes().find_float("alpha").value_or(1.702F);
    Computation by = computation(context);
    const Output x = by.wide(context.input(0));
    return by.result(
        x, by.apply(UnaryFunction::sigmoid, by.multiply(x, by.number(static_cast<double>(alpha)))));
}

}  // namespace rondo::onnx
