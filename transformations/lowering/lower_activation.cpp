#include "transformations/lowering/formula.hpp"

namespace rondo::passes {
namespace {

using ops::ActivationFunction;
using ops::ActivationKind;
using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

// a x + b.
Output line(Formula& by, const ActivationFunction& f, const Output& x) {
    return by.add(by.multiply(x, by.number(f.alpha, x)), by.number(f.beta, x));
}

Output hard_sigmoid(Formula& by, const ActivationFunction& f, const Output& x) {
    const Output below = by.minimum(line(by, f, x), by.number(1, x));
    return by.maximum(below, by.number(0, x));
}

// x where it is at least 0, else what stands for it.
Output or_below_zero(Formula& by, const Output& x, const Output& below) {
    return by.select(by.compare(CompareFunction::greater_equal, x, by.number(0, x)), x, below);
}

// a (e^min(x, 0) - 1) as a tanh(y / 2) (e^y + 1), which is exact near 0.
Output elu_below(Formula& by, const ActivationFunction& f, const Output& x) {
    const Output y = by.minimum(x, by.number(0, x));
    const Output half = by.apply(UnaryFunction::tanh, by.multiply(y, by.number(0.5, x)));
    const Output sum = by.add(by.apply(UnaryFunction::exp, y), by.number(1, x));
    return by.multiply(by.multiply(half, sum), by.number(f.alpha, x));
}

Output thresholded(Formula& by, const ActivationFunction& f, const Output& x) {
    const Output above = by.compare(CompareFunction::greater, x, by.number(f.alpha, x));
    return by.select(above, x, by.number(0, x));
}

Output scaled_tanh(Formula& by, const ActivationFunction& f, const Output& x) {
    const Output inner = by.apply(UnaryFunction::tanh, by.multiply(x, by.number(f.beta, x)));
    return by.multiply(inner, by.number(f.alpha, x));
}

}  // namespace

Output lower_activation(Formula& by, const ActivationFunction& function, const Output& x) {
    switch (function.kind) {
        case ActivationKind::affine: return line(by, function, x);
        case ActivationKind::relu: return by.apply(UnaryFunction::relu, x);
        case ActivationKind::leaky_relu:
            return or_below_zero(by, x, by.multiply(x, by.number(function.alpha, x)));
        case ActivationKind::thresholded_relu: return thresholded(by, function, x);
        case ActivationKind::tanh: return by.apply(UnaryFunction::tanh, x);
        case ActivationKind::scaled_tanh: return scaled_tanh(by, function, x);
        case ActivationKind::sigmoid: return by.apply(UnaryFunction::sigmoid, x);
        case ActivationKind::hard_sigmoid: return hard_sigmoid(by, function, x);
        case ActivationKind::elu: return or_below_zero(by, x, elu_below(by, function, x));
        case ActivationKind::softsign: return by.apply(UnaryFunction::softsign, x);
        case ActivationKind::softplus: return by.apply(UnaryFunction::softplus, x);
    }
    return x;
}

}  // namespace rondo::passes
