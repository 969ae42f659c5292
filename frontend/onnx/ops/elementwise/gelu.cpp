// Gelu and its forms in com.microsoft, Swish, SwiGLU: small graphs of elementwise ops, which the
// device runs as one. Types of 16 bits are computed in f32 and rounded once.
#include <cmath>
#include <numbers>

#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::UnaryFunction;

// Computes in f32 or f64.
struct WideFormula : Composer {
    explicit WideFormula(NodeContext& context)
        : WideFormula(context, NodeContext::known_type(context.input(0), "X")) {}
    WideFormula(NodeContext& context, ElementType type)
        : Composer(context, type == ElementType::f64 ? type : ElementType::f32), own(type) {
        if (is_floating(type)) return;
        throw UnsupportedError("the input is " + std::string(to_string(type)) +
                               "; expected a floating type");
    }

    // a * b as the node's result, in its type.
    std::vector<Output> product_of(const Output& a, const Output& b) {
        return {result(convert(multiply(a, b), own))};
    }

    const ElementType own;
};

// 0.5 x (1 + erf(x / sqrt(2))).
std::vector<Output> gelu_of(WideFormula& by, const Output& x) {
    const Output erf =
        by.apply(UnaryFunction::erf, by.multiply(x, by.number(std::numbers::sqrt2 / 2)));
    return by.product_of(by.multiply(x, by.number(0.5)), by.add(erf, by.number(1)));
}

// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
std::vector<Output> gelu_by_tanh(WideFormula& by, const Output& x) {
    const Output cubic = by.add(by.multiply(by.multiply(x, x), by.number(0.044715)), by.number(1));
    const double factor = std::sqrt(2 / std::numbers::pi);
    const Output tanh =
        by.apply(UnaryFunction::tanh, by.multiply(by.multiply(x, by.number(factor)), cubic));
    return by.product_of(by.multiply(x, by.number(0.5)), by.add(tanh, by.number(1)));
}

Output biased(NodeContext& context, WideFormula& by, const Output& bias) {
    const Output x = by.wide(context.input(0));
    return bias ? by.add(x, by.wide(bias)) : x;
}

}  // namespace

std::vector<Output> convert_gelu(NodeContext& context) {
    const std::string name = context.attributes().find_string("approximate").value_or("none");
    WideFormula by(context);
    const Output x = by.wide(context.input(0));
    if (name == "none") return gelu_of(by, x);
    if (name == "tanh") return gelu_by_tanh(by, x);
    throw ModelError("attribute 'approximate' is '" + name + "'; expected 'none' or 'tanh'");
}

std::vector<Output> convert_microsoft_gelu(NodeContext& context) {
    WideFormula by(context);
    return gelu_of(by, by.wide(context.input(0)));
}

std::vector<Output> convert_bias_gelu(NodeContext& context) {
    WideFormula by(context);
    return gelu_of(by, biased(context, by, context.input(1)));
}

// The left half of x + bias, times Gelu of the right half.
std::vector<Output> convert_bias_split_gelu(NodeContext& context) {
    WideFormula by(context);
    const auto halves = by.split(biased(context, by, context.input(1)), -1, 2);
    const Output right = halves[1];
    const Output erf =
        by.apply(UnaryFunction::erf, by.multiply(right, by.number(std::numbers::sqrt2 / 2)));
    const Output gelu = by.multiply(by.multiply(right, by.number(0.5)), by.add(erf, by.number(1)));
    return by.product_of(halves[0], gelu);
}

std::vector<Output> convert_fast_gelu(NodeContext& context) {
    WideFormula by(context);
    return gelu_by_tanh(by, biased(context, by, context.optional_input(1)));
}

// x sigmoid(alpha x).
std::vector<Output> convert_swish(NodeContext& context) {
    const float alpha = context.attributes().find_float("alpha").value_or(1);
    WideFormula by(context);
    const Output x = by.wide(context.input(0));
    const Output scaled = by.scaled(x, static_cast<double>(alpha));
    return by.product_of(x, by.apply(UnaryFunction::sigmoid, scaled));
}

// Swish of the gate, times the value.
std::vector<Output> convert_swiglu(NodeContext& context) {
    const float alpha = context.attributes().find_float("alpha").value_or(1);
    NodeContext::check_shape(context.input(1), context.input(0).shape(), "B");
    WideFormula by(context);
    const Output gate = by.wide(context.input(0));
    const Output scaled = by.scaled(gate, static_cast<double>(alpha));
    const Output swish = by.multiply(gate, by.apply(UnaryFunction::sigmoid, scaled));
    return by.product_of(swish, by.wide(context.input(1)));
}

// com.microsoft's QuickGelu, whose factor has a default.
std::vector<Output> convert_quick_gelu(NodeContext& context) {
    const float alpha = context.attributes().find_float("alpha").value_or(1.702F);
    WideFormula by(context);
    const Output x = by.wide(context.input(0));
    return by.product_of(
        x, by.apply(UnaryFunction::sigmoid, by.multiply(x, by.number(static_cast<double>(alpha)))));
}

}  // namespace rondo::onnx
