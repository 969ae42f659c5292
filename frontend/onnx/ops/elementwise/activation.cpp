// Activations that OpenVINO has no op for in ONNX's form: small graphs of elementwise ops.
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CompareFunction;

constexpr std::int64_t kNumpySlopeSince = 7;

// The node's input, which must be of a floating type, and what makes ops of that type.
struct Formula : Composer {
    explicit Formula(NodeContext& context)
        : Composer(context, NodeContext::known_type(context.input(0), "X")), x(context.input(0)) {
        skip_consumed_inputs(context);
        if (is_floating(type())) return;
        throw UnsupportedError("the input is " + std::string(to_string(type())) +
                               "; expected a floating type");
    }

    double attribute(const char* name, double otherwise) {
        const auto value = context().attributes().find_float(name);
        return value ? static_cast<double>(*value) : otherwise;
    }
    Output above_zero() { return maximum(x, number(0)); }

    const Output x;
};

// The same with x as one of the activations that operators may have in them.
std::vector<Output> activation(Formula& f, const char* name, std::vector<float> parameters) {
    return {f.result(activated(f, {name, std::move(parameters)}, f.x))};
}

void check_numbers(ElementType type) {
    if (type != ElementType::boolean) return;
    throw UnsupportedError("the input is " + std::string(to_string(type)) + "; expected numbers");
}

// Before opset 7 a slope of several elements has one for each channel, axis 1 of x.
Output slope_of(NodeContext& context, const Output& x) {
    const Output slope = context.input(1);
    const PartialShape& shape = slope.shape();
    if (context.opset() >= kNumpySlopeSince || (shape.has_rank() && shape.rank() == 0)) {
        return slope;
    }
    if (!shape.has_rank() || !x.shape().has_rank()) {
        throw UnsupportedError("the rank of X or of the slope isn't known");
    }
    if (shape.rank() != 1) {
        throw ModelError("the slope has shape " + to_string(shape) + "; expected rank 1");
    }
    if (x.shape().rank() <= 2) return slope;
    std::vector<std::int64_t> pattern(x.shape().rank() - 1, 1);
    pattern[0] = -1;
    return make_reshape(context, "slope", slope, pattern);
}

}  // namespace

std::vector<Output> convert_elu(NodeContext& context) {
    Formula f(context);
    return activation(f, "Elu", {context.attributes().find_float("alpha").value_or(1)});
}

// max(x, 0) + min(alpha (e^(x / alpha) - 1), 0).
std::vector<Output> convert_celu(NodeContext& context) {
    Formula f(context);
    const double alpha = f.attribute("alpha", 1);
    if (!(alpha != 0)) throw ModelError("attribute 'alpha' is 0 or no number");
    const Output below = f.multiply(f.expm1(f.divide(f.x, f.number(alpha))), f.number(alpha));
    return {f.result(f.add(f.above_zero(), f.minimum(below, f.number(0))))};
}

// gamma (max(x, 0) + alpha (e^min(x, 0) - 1)). Opset 6 has the defaults with more digits.
std::vector<Output> convert_selu(NodeContext& context) {
    Formula f(context);
    const bool old = context.opset() < 6;
    const double alpha = f.attribute("alpha", old ? 1.6732 : 1.6732631921768188);
    const double gamma = f.attribute("gamma", old ? 1.0507 : 1.0507010221481323);
    const Output below = f.expm1(f.minimum(f.x, f.number(0)));
    return {f.result(f.add(f.multiply(f.above_zero(), f.number(gamma)),
                           f.multiply(below, f.number(alpha * gamma))))};
}

std::vector<Output> convert_hard_sigmoid(NodeContext& context) {
    Formula f(context);
    return activation(f, "HardSigmoid",
                      {context.attributes().find_float("alpha").value_or(0.2F),
                       context.attributes().find_float("beta").value_or(0.5F)});
}

// x < 0 ? alpha x : x.
std::vector<Output> convert_leaky_relu(NodeContext& context) {
    Formula f(context);
    const Output scaled = f.multiply(f.x, f.number(f.attribute("alpha", 0.01F)));
    const Output is_below = f.compare(CompareFunction::less, f.x, f.number(0));
    return {f.result(f.select(is_below, scaled, f.x))};
}

// x < 0 ? slope x : x.
std::vector<Output> convert_prelu(NodeContext& context) {
    const Output x = context.input(0);
    Composer f(context, NodeContext::known_type(x, "X"));
    check_numbers(f.type());
    skip_consumed_inputs(context);
    const Output is_below = f.compare(CompareFunction::less, x, f.number(0));
    return {f.result(f.select(is_below, f.multiply(x, slope_of(context, x)), x))};
}

std::vector<Output> convert_thresholded_relu(NodeContext& context) {
    Formula f(context);
    return activation(f, "ThresholdedRelu", {context.attributes().find_float("alpha").value_or(1)});
}

// x < -lambd ? x + bias : x > lambd ? x - bias : 0; integers by way of f64.
std::vector<Output> convert_shrink(NodeContext& context) {
    const ElementType type = NodeContext::known_type(context.input(0), "X");
    check_numbers(type);
    Composer f(context, is_floating(type) ? type : ElementType::f64);
    const double bias = static_cast<double>(context.attributes().find_float("bias").value_or(0));
    const double lambd =
        static_cast<double>(context.attributes().find_float("lambd").value_or(0.5F));
    const Output x = f.wide(context.input(0));
    const Output is_above = f.compare(CompareFunction::greater, x, f.number(lambd));
    const Output above = f.select(is_above, f.add(x, f.number(-bias)), f.number(0));
    const Output is_below = f.compare(CompareFunction::less, x, f.number(-lambd));
    const Output y = f.select(is_below, f.add(x, f.number(bias)), above);
    return {f.result(f.convert(y, type))};
}

}  // namespace rondo::onnx
