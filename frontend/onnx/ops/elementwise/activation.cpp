// Activations that OpenVINO has no op for in ONNX's form, and com.microsoft's: small graphs of
// elementwise ops, which the device runs as one.
#include "core/ops/compositions.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kNumpySlopeSince = 7;

// The node's input, which must be of a floating type.
Output floating_input(NodeContext& by) {
    const Output x = by.input(0);
    NodeContext::floating_type(x);
    skip_consumed_inputs(by);
    return x;
}

ElementType number_type(const Output& x) {
    const ElementType type = NodeContext::known_type(x, "X");
    if (type != ElementType::boolean) return type;
    throw UnsupportedError("the input is " + std::string(to_string(type)) + "; expected numbers");
}

// Before opset 7 a slope of several elements has one for each channel, axis 1 of x.
Output slope_of(NodeContext& by, const Output& x) {
    const Output slope = by.input(1);
    const PartialShape& shape = slope.shape();
    if (by.opset() >= kNumpySlopeSince || (shape.has_rank() && shape.rank() == 0)) return slope;
    if (!shape.has_rank() || !x.shape().has_rank()) {
        throw UnsupportedError("the rank of X or of the slope isn't known");
    }
    if (shape.rank() != 1) {
        throw ModelError("the slope has shape " + to_string(shape) + "; expected rank 1");
    }
    if (x.shape().rank() <= 2) return slope;
    return by.reshape(slope, along_axis_pattern(x.shape().rank() - 1));
}

}  // namespace

std::vector<Output> convert_elu(NodeContext& by) {
    return {ops::elu(by, floating_input(by), by.attribute("alpha", 1.0F))};
}

std::vector<Output> convert_celu(NodeContext& by) {
    const Output x = floating_input(by);
    const double alpha = by.attribute("alpha", 1.0F);
    if (!(alpha != 0)) throw ModelError("attribute 'alpha' is 0 or no number");
    return {ops::celu(by, x, alpha)};
}

// Opset 6 has the defaults with more digits.
std::vector<Output> convert_selu(NodeContext& by) {
    const Output x = floating_input(by);
    const bool old = by.opset() < 6;
    const auto given_alpha = by.attributes().find_float("alpha");
    const auto given_gamma = by.attributes().find_float("gamma");
    const double alpha = given_alpha ? *given_alpha : old ? 1.6732 : 1.6732631921768188;
    const double gamma = given_gamma ? *given_gamma : old ? 1.0507 : 1.0507010221481323;
    return {ops::selu(by, x, by.number(gamma, x), by.number(alpha * gamma, x))};
}

std::vector<Output> convert_hard_sigmoid(NodeContext& by) {
    const Output x = floating_input(by);
    const float alpha = by.attribute("alpha", 0.2F), beta = by.attribute("beta", 0.5F);
    return {activated(by, {"HardSigmoid", {alpha, beta}}, x)};
}

std::vector<Output> convert_leaky_relu(NodeContext& by) {
    return {ops::leaky_relu(by, floating_input(by), by.attribute("alpha", 0.01F))};
}

std::vector<Output> convert_prelu(NodeContext& by) {
    const Output x = by.input(0);
    number_type(x);
    skip_consumed_inputs(by);
    return {ops::prelu(by, x, slope_of(by, x))};
}

std::vector<Output> convert_thresholded_relu(NodeContext& by) {
    return {ops::thresholded_relu(by, floating_input(by), by.attribute("alpha", 1.0F))};
}

// x < -lambd ? x + bias : x > lambd ? x - bias : 0; integers by way of f64.
std::vector<Output> convert_shrink(NodeContext& by) {
    const ElementType type = number_type(by.input(0));
    const double bias = by.attribute("bias", 0.0F), lambd = by.attribute("lambd", 0.5F);
    const Output x = by.convert(by.input(0), is_floating(type) ? type : ElementType::f64);
    const auto number = [&](double value) { return by.number(value, x); };
    const Output above =
        by.select(by.greater(x, number(lambd)), by.add(x, number(-bias)), number(0));
    const Output y = by.select(by.less(x, number(-lambd)), by.add(x, number(bias)), above);
    return {by.convert(y, type)};
}

namespace {

// A formula over the first input, to which a bias may be added, in f32 or f64: types of 16 bits are
// rounded once.
template <typename Formula>
std::vector<Output> wide_formula(NodeContext& by, const Output& bias, Formula formula) {
    const ElementType type = NodeContext::floating_type(by.input(0));
    const ElementType wide = arithmetic_type(type);
    const Output x = by.convert(by.input(0), wide);
    return {by.convert(formula(bias ? by.add(x, by.convert(bias, wide)) : x), type)};
}

std::vector<Output> gelu_of(NodeContext& by, const Output& bias) {
    return wide_formula(by, bias, [&](const Output& x) { return ops::gelu(by, x); });
}

std::vector<Output> gelu_by_tanh_of(NodeContext& by, const Output& bias) {
    return wide_formula(by, bias, [&](const Output& x) { return ops::gelu_by_tanh(by, x); });
}

std::vector<Output> swish_of(NodeContext& by, double alpha) {
    return wide_formula(by, {},
                        [&](const Output& x) { return ops::swish(by, x, by.scaled(x, alpha)); });
}

}  // namespace

std::vector<Output> convert_gelu(NodeContext& by) {
    enum class Form { exact, by_tanh };
    constexpr std::pair<std::string_view, Form> kForms[] = {{"none", Form::exact},
                                                            {"tanh", Form::by_tanh}};
    const Form form = by.choice("approximate", "none", kForms);
    return form == Form::exact ? gelu_of(by, {}) : gelu_by_tanh_of(by, {});
}

std::vector<Output> convert_microsoft_gelu(NodeContext& by) { return gelu_of(by, {}); }

std::vector<Output> convert_bias_gelu(NodeContext& by) { return gelu_of(by, by.input(1)); }

// The left half of x + bias, times Gelu of the right half.
std::vector<Output> convert_bias_split_gelu(NodeContext& by) {
    return wide_formula(by, by.input(1), [&](const Output& x) {
        const auto halves = by.split(x, -1, 2);
        return by.multiply(halves[0], ops::gelu(by, halves[1]));
    });
}

std::vector<Output> convert_fast_gelu(NodeContext& by) {
    return gelu_by_tanh_of(by, by.optional_input(1));
}

std::vector<Output> convert_swish(NodeContext& by) {
    return swish_of(by, by.attribute("alpha", 1.0F));
}

// com.microsoft's QuickGelu, whose factor has another default.
std::vector<Output> convert_quick_gelu(NodeContext& by) {
    return swish_of(by, by.attribute("alpha", 1.702F));
}

// Swish of the gate, times the value.
std::vector<Output> convert_swiglu(NodeContext& by) {
    const double alpha = by.attribute("alpha", 1.0F);
    NodeContext::check_shape(by.input(1), by.input(0).shape(), "B");
    return wide_formula(by, {}, [&](const Output& gate) {
        return by.multiply(ops::swish(by, gate, by.scaled(gate, alpha)),
                           by.convert(by.input(1), gate.element_type()));
    });
}

}  // namespace rondo::onnx
