#include "transformations/lowering/sequence_parts.hpp"

#include "core/ops/compositions.hpp"

namespace rondo::passes {

Output lower_activation(Formula& by, const ops::ActivationFunction& function, const Output& x) {
    using ops::ActivationKind;
    using ops::UnaryFunction;
    const auto alpha = [&] { return by.number(function.alpha, x); };
    const auto beta = [&] { return by.number(function.beta, x); };
    switch (function.kind) {
        case ActivationKind::affine: return ops::affine(by, x, alpha(), beta());
        case ActivationKind::relu: return by.apply(UnaryFunction::relu, x);
        case ActivationKind::leaky_relu: return ops::leaky_relu(by, x, function.alpha);
        case ActivationKind::thresholded_relu: return ops::thresholded_relu(by, x, function.alpha);
        case ActivationKind::tanh: return by.apply(UnaryFunction::tanh, x);
        case ActivationKind::scaled_tanh:
            return ops::scaled_tanh(by, x, function.alpha, function.beta);
        case ActivationKind::sigmoid: return by.apply(UnaryFunction::sigmoid, x);
        case ActivationKind::hard_sigmoid: return ops::hard_sigmoid(by, x, alpha(), beta());
        case ActivationKind::elu: return ops::elu(by, x, function.alpha);
        case ActivationKind::softsign: return by.apply(UnaryFunction::softsign, x);
        case ActivationKind::softplus: return by.apply(UnaryFunction::softplus, x);
    }
    return x;
}

}  // namespace rondo::passes
