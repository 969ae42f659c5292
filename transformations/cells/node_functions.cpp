#include "transformations/cells/node_functions.hpp"

#include <utility>

#include "core/ops/elementwise/unary.hpp"

namespace rondo::passes {

using ops::ActivationKind;
using ops::BinaryFunction;
using ops::UnaryFunction;

std::optional<ops::ActivationFunction> activation_of(const Node& node) {
    const auto* unary = as_op<ops::Unary>(node);
    if (unary == nullptr) return {};
    switch (unary->function()) {
        case UnaryFunction::sigmoid: return ops::default_activation(ActivationKind::sigmoid);
        case UnaryFunction::tanh: return ops::default_activation(ActivationKind::tanh);
        case UnaryFunction::relu: return ops::default_activation(ActivationKind::relu);
        case UnaryFunction::softsign: return ops::default_activation(ActivationKind::softsign);
        case UnaryFunction::softplus: return ops::default_activation(ActivationKind::softplus);
        default: return {};
    }
}

std::optional<GateFormula> combined(GateAlgebra& algebra, BinaryFunction function,
                                    const GateFormula& a, const GateFormula& b) {
    std::optional<GateFormula> result;
    switch (function) {
        case BinaryFunction::add: result = algebra.sum(a, b); break;
        case BinaryFunction::subtract: result = algebra.sum(a, b, -1); break;
        case BinaryFunction::multiply: result = algebra.product(a, b); break;
        default: return {};
    }
    return result ? std::optional(algebra.as_one_function(*std::move(result))) : std::nullopt;
}

}  // namespace rondo::passes
