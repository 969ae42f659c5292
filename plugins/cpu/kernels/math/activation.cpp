#include "plugins/cpu/kernels/math/activation.hpp"

#include <sstream>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

struct Row {
    ActivationKind kind;
    const char* name;
    bool takes_alpha;
    bool takes_beta;
    float alpha;
    float beta;
};

// In the order of the enum. Defaults are those of the ONNX operator of that name.
constexpr Row kTable[] = {
    {ActivationKind::affine, "Affine", true, true, 1.0f, 0.0f},
    {ActivationKind::relu, "Relu", false, false, 0.0f, 0.0f},
    {ActivationKind::leaky_relu, "LeakyRelu", true, false, 0.01f, 0.0f},
    {ActivationKind::thresholded_relu, "ThresholdedRelu", true, false, 1.0f, 0.0f},
    {ActivationKind::tanh, "Tanh", false, false, 0.0f, 0.0f},
    {ActivationKind::scaled_tanh, "ScaledTanh", true, true, 1.0f, 1.0f},
    {ActivationKind::sigmoid, "Sigmoid", false, false, 0.0f, 0.0f},
    {ActivationKind::hard_sigmoid, "HardSigmoid", true, true, 0.2f, 0.5f},
    {ActivationKind::elu, "Elu", true, false, 1.0f, 0.0f},
    {ActivationKind::softsign, "Softsign", false, false, 0.0f, 0.0f},
    {ActivationKind::softplus, "Softplus", false, false, 0.0f, 0.0f},
};

const Row& row(ActivationKind kind) { return kTable[static_cast<int>(kind)]; }

}  // namespace

const std::vector<ActivationKind>& all_activation_kinds() {
    static const std::vector<ActivationKind> kinds = [] {
        std::vector<ActivationKind> all;
        for (const Row& entry : kTable) all.push_back(entry.kind);
        return all;
    }();
    return kinds;
}

const char* name_of(ActivationKind kind) { return row(kind).name; }

bool takes_alpha(ActivationKind kind) { return row(kind).takes_alpha; }

bool takes_beta(ActivationKind kind) { return row(kind).takes_beta; }

Activation default_activation(ActivationKind kind) {
    return {kind, row(kind).alpha, row(kind).beta};
}

Activation activation_by_name(std::string_view name) {
    std::vector<std::string> names;
    for (const Row& entry : kTable) {
        if (equals_ignoring_case(name, entry.name)) return default_activation(entry.kind);
        names.emplace_back(entry.name);
    }
    throw ModelError("unknown activation function '" + std::string(name) + "'; expected one of " +
                     quoted_list(names));
}

std::string to_string(const Activation& activation) {
    const Row& entry = row(activation.kind);
    std::ostringstream text;
    text << entry.name;
    if (entry.takes_alpha) text << "(alpha=" << activation.alpha;
    if (entry.takes_beta) text << ", beta=" << activation.beta;
    if (entry.takes_alpha) text << ")";
    return text.str();
}

}  // namespace rondo::cpu
