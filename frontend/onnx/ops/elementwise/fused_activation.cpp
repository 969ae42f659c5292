#include "frontend/onnx/ops/elementwise/fused_activation.hpp"

#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::UnaryFunction;

using Parameters = std::vector<double>;
using ActivationFormula = Output (*)(Composer& by, const Output& x, const Parameters& p);

template <UnaryFunction function>
Output plain(Composer& by, const Output& x, const Parameters&) {
    return by.apply(function, x);
}

Output number(Composer& by, const Output& x, double value) {
    return by.number(x.element_type(), value);
}

Output above_zero(Composer& by, const Output& x) { return by.maximum(x, number(by, x, 0)); }
Output below_zero(Composer& by, const Output& x) { return by.minimum(x, number(by, x, 0)); }

Output clip(Composer& by, const Output& x, const Parameters& p) {
    return by.minimum(by.maximum(x, number(by, x, p[0])), number(by, x, p[1]));
}

Output elu(Composer& by, const Output& x, const Parameters& p) {
    return by.add(above_zero(by, x), by.scaled(by.expm1(below_zero(by, x)), p[0]));
}

Output celu(Composer& by, const Output& x, const Parameters& p) {
    const Output below = by.expm1(by.scaled(below_zero(by, x), 1 / p[0]));
    return by.add(above_zero(by, x), by.scaled(below, p[0]));
}

Output hard_sigmoid(Composer& by, const Output& x, const Parameters& p) {
    return clip(by, by.add(by.scaled(x, p[0]), number(by, x, p[1])), {0, 1});
}

Output leaky_relu(Composer& by, const Output& x, const Parameters& p) {
    return by.add(above_zero(by, x), by.scaled(below_zero(by, x), p[0]));
}

Output parametric_softplus(Composer& by, const Output& x, const Parameters& p) {
    return by.scaled(by.apply(UnaryFunction::softplus, by.scaled(x, p[1])), p[0]);
}

Output scaled_tanh(Composer& by, const Output& x, const Parameters& p) {
    return by.scaled(by.apply(UnaryFunction::tanh, by.scaled(x, p[1])), p[0]);
}

Output selu(Composer& by, const Output& x, const Parameters& p) {
    return by.scaled(elu(by, x, p), p[1]);
}

Output thresholded_relu(Composer& by, const Output& x, const Parameters& p) {
    const Output kept = by.compare(ops::CompareFunction::greater, x, number(by, x, p[0]));
    return by.select(kept, x, number(by, x, 0));
}

struct Row {
    std::string_view name;
    std::size_t parameters;
    ActivationFormula formula;
};

// keep-sorted
constexpr Row kRows[] = {
    {"Celu", 1, celu},
    {"Clip", 2, clip},
    {"Elu", 1, elu},
    {"HardSigmoid", 2, hard_sigmoid},
    {"HardSwish", 0, plain<UnaryFunction::hswish>},
    {"LeakyRelu", 1, leaky_relu},
    {"ParametricSoftplus", 2, parametric_softplus},
    {"Relu", 0, plain<UnaryFunction::relu>},
    {"ScaledTanh", 2, scaled_tanh},
    {"Selu", 2, selu},
    {"Sigmoid", 0, plain<UnaryFunction::sigmoid>},
    {"Softplus", 0, plain<UnaryFunction::softplus>},
    {"Softsign", 0, plain<UnaryFunction::softsign>},
    {"Tanh", 0, plain<UnaryFunction::tanh>},
    {"ThresholdedRelu", 1, thresholded_relu},
};

}  // namespace

FusedActivation listed_activation(NodeContext& context) {
    Attributes& attributes = context.attributes();
    return {attributes.find_string("activation").value_or(""),
            attributes.find_floats("activation_params").value_or(std::vector<float>{})};
}

FusedActivation named_activation(NodeContext& context) {
    Attributes& attributes = context.attributes();
    FusedActivation activation{attributes.find_string("activation").value_or(""), {}};
    for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
        if (const auto value = attributes.find_float(name)) activation.parameters.push_back(*value);
    }
    return activation;
}

Output activated(Composer& by, const FusedActivation& activation, const Output& x) {
    if (activation.name.empty()) return x;
    for (const Row& row : kRows) {
        if (row.name != activation.name) continue;
        // HardSwish is written with those of its formula.
        const std::size_t given = activation.parameters.size();
        if (given != row.parameters && row.name != "HardSwish") {
            throw ModelError("the activation '" + activation.name + "' has " +
                             std::to_string(given) + " parameters; expected " +
                             std::to_string(row.parameters));
        }
        return row.formula(by, x, {activation.parameters.begin(), activation.parameters.end()});
    }
    throw UnsupportedError("attribute 'activation' is '" + activation.name +
                           "', which is not supported");
}

}  // namespace rondo::onnx
