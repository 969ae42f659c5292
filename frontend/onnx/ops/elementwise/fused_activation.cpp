#include "frontend/onnx/ops/elementwise/fused_activation.hpp"

#include "core/ops/compositions.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::Builder;
using Parameters = std::vector<double>;

struct Row {
    std::string_view name;
    std::size_t parameters;
    Output (*formula)(Builder& by, const Output& x, const Parameters& p);
};

template <UnaryFunction function>
Output plain(Builder& by, const Output& x, const Parameters&) {
    return by.apply(function, x);
}

template <Output (*formula)(Builder&, const Output&, double)>
Output with_one(Builder& by, const Output& x, const Parameters& p) {
    return formula(by, x, p[0]);
}

template <Output (*formula)(Builder&, const Output&, double, double)>
Output with_two(Builder& by, const Output& x, const Parameters& p) {
    return formula(by, x, p[0], p[1]);
}

Output hard_sigmoid_of(Builder& by, const Output& x, const Parameters& p) {
    return ops::hard_sigmoid(by, x, by.number(p[0], x), by.number(p[1], x));
}

Output parametric_softplus(Builder& by, const Output& x, const Parameters& p) {
    return by.scaled(by.apply(UnaryFunction::softplus, by.scaled(x, p[1])), p[0]);
}

Output selu_of(Builder& by, const Output& x, const Parameters& p) {
    return ops::selu(by, x, by.number(p[1], x), by.number(p[0] * p[1], x));
}

// keep-sorted
constexpr Row kRows[] = {
    {"Celu", 1, with_one<ops::celu>},
    {"Clip", 2, with_two<ops::clip>},
    {"Elu", 1, with_one<ops::elu>},
    {"HardSigmoid", 2, hard_sigmoid_of},
    {"HardSwish", 0, plain<UnaryFunction::hswish>},
    {"LeakyRelu", 1, with_one<ops::leaky_relu>},
    {"ParametricSoftplus", 2, parametric_softplus},
    {"Relu", 0, plain<UnaryFunction::relu>},
    {"ScaledTanh", 2, with_two<ops::scaled_tanh>},
    {"Selu", 2, selu_of},
    {"Sigmoid", 0, plain<UnaryFunction::sigmoid>},
    {"Softplus", 0, plain<UnaryFunction::softplus>},
    {"Softsign", 0, plain<UnaryFunction::softsign>},
    {"Tanh", 0, plain<UnaryFunction::tanh>},
    {"ThresholdedRelu", 1, with_one<ops::thresholded_relu>},
};

}  // namespace

FusedActivation listed_activation(NodeContext& by) {
    return {by.attribute("activation", ""),
            by.attributes().find_floats("activation_params").value_or(std::vector<float>{})};
}

FusedActivation named_activation(NodeContext& by) {
    FusedActivation activation{by.attribute("activation", ""), {}};
    for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
        const auto value = by.attributes().find_float(name);
        if (value) activation.parameters.push_back(*value);
    }
    return activation;
}

Output activated(NodeContext& by, const FusedActivation& activation, const Output& x) {
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
