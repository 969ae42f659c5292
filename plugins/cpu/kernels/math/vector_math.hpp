// exp, sigmoid, tanh and the other activations: one sequence of operations for every width.
//
// Branch-free, at most 4 ULP from the true value over the whole range, relative accuracy kept for
// tiny results, exact saturation, NaN in NaN out. Results below the smallest normal number may be
// zero in f32. `Ops` is PlainOps or an emitter and knows its precision; std::move says that an
// operand's register may be reused.
#pragma once

#include <span>
#include <utility>

#include "plugins/cpu/kernels/math/activation.hpp"
#include "plugins/cpu/kernels/math/vector_math_constants.hpp"

namespace rondo::cpu::math {

template <typename Ops>
const MathConstants& constants_for(const Ops& o) {
    return constants_of(o.precision());
}

/// c[0] + c[1] x + ... by Horner's rule, each step fused.
template <typename Ops>
typename Ops::Value polynomial(Ops& o, std::span<const double> c, const typename Ops::Value& x) {
    const std::size_t count = c.size();
    auto sum = o.fma(o.constant(c[count - 1]), x, o.constant(c[count - 2]));
    for (std::size_t i = count - 2; i-- > 0;) sum = o.fma(std::move(sum), x, o.constant(c[i]));
    return sum;
}

/// 1 / d for d in the interval that `first_guess` was fitted to, within 1 ULP of f32.
/// r' = r + r (e + e^2), e = 1 - d r: the error is cubed.
template <typename Ops>
typename Ops::Value reciprocal(Ops& o, std::span<const double> first_guess, typename Ops::Value d) {
    auto r = polynomial(o, first_guess, d);
    auto e = o.sub_product(o.constant(1.0), std::move(d), r);
    auto t = o.fma(e, e, e);
    return o.fma(std::move(t), r, r);
}

/// n / d for d in the interval that `first_guess` was fitted to.
template <typename Ops>
typename Ops::Value quotient(Ops& o, typename Ops::Value n, typename Ops::Value d,
                             std::span<const double> first_guess) {
    if (constants_for(o).divides) return o.div(std::move(n), std::move(d));
    return o.mul(std::move(n), reciprocal(o, first_guess, std::move(d)));
}

/// x = n ln 2 + remainder, scale = 2^n.
template <typename Value>
struct Reduced {
    Value remainder;
    Value scale;
};

/// For x in [k.exp_floor, 0].
template <typename Ops>
Reduced<typename Ops::Value> reduce(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    auto t = o.fma(x, o.constant(k.log2_e), o.constant(k.magic));
    auto n = o.sub(t, o.constant(k.magic));
    auto r = o.fma(n, o.constant(-k.ln2_high), std::move(x));
    r = o.fma(std::move(n), o.constant(-k.ln2_low), std::move(r));
    return {std::move(r), o.power_of_two(std::move(t))};
}

/// e^r = 1 + r (1 + r q(r)).
template <typename Ops>
typename Ops::Value exp_of_remainder(Ops& o, typename Ops::Value r) {
    const MathConstants& k = constants_for(o);
    auto q = polynomial(o, k.exp, r);
    q = o.fma(std::move(q), r, o.constant(1.0));
    return o.fma(std::move(q), std::move(r), o.constant(1.0));
}

/// e^x for x in [k.exp_lowest, k.exp_highest]. The scale 2^n is applied in two halves, since n may
/// be outside the exponents of normal numbers.
template <typename Ops>
typename Ops::Value exp_in_range(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    auto t = o.fma(x, o.constant(k.log2_e), o.constant(k.magic));
    auto n = o.sub(std::move(t), o.constant(k.magic));
    auto r = o.fma(n, o.constant(-k.ln2_high), std::move(x));
    r = o.fma(n, o.constant(-k.ln2_low), std::move(r));
    auto half = o.fma(n, o.constant(0.5), o.constant(k.magic));
    auto rest = o.sub(std::move(n), o.sub(half, o.constant(k.magic)));
    rest = o.add(std::move(rest), o.constant(k.magic));
    auto p = o.mul(exp_of_remainder(o, std::move(r)), o.power_of_two(std::move(half)));
    return o.mul(std::move(p), o.power_of_two(std::move(rest)));
}

/// e^x for any x.
template <typename Ops>
typename Ops::Value exp(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    auto bounded = o.min(o.constant(k.exp_highest), std::move(x));
    return exp_in_range(o, o.max(o.constant(k.exp_lowest), std::move(bounded)));
}

/// e^x for x <= 0.
template <typename Ops>
typename Ops::Value exp_not_positive(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    if (k.gradual_underflow) {
        return exp_in_range(o, o.max(o.constant(k.exp_lowest), std::move(x)));
    }
    auto reduced = reduce(o, o.max(o.constant(k.exp_floor), std::move(x)));
    auto p = exp_of_remainder(o, std::move(reduced.remainder));
    return o.mul(std::move(p), std::move(reduced.scale));
}

/// e^x - 1 for x <= 0: 2^n p + (2^n - 1), p = e^r - 1 kept exact near 0.
template <typename Ops>
typename Ops::Value expm1_not_positive(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    auto reduced = reduce(o, o.max(o.constant(k.exp_floor), std::move(x)));
    auto& r = reduced.remainder;
    auto p = o.mul(polynomial(o, k.expm1, r), r);
    p = o.fma(std::move(p), r, r);
    auto rest = o.sub(reduced.scale, o.constant(1.0));
    return o.fma(std::move(p), std::move(reduced.scale), std::move(rest));
}

/// e = e^-|x|: x >= 0: 1 / (1 + e); x < 0: e / (1 + e), which stays relatively exact.
template <typename Ops>
typename Ops::Value sigmoid(Ops& o, typename Ops::Value x) {
    auto e = exp_not_positive(o, o.negative_abs(x));
    auto d = o.add(e, o.constant(1.0));
    auto numerator = o.select_negative(std::move(x), std::move(e), o.constant(1.0));
    return quotient(o, std::move(numerator), std::move(d), kReciprocal);
}

/// h = (1 - e^(-2|x|)) / 2 in [0, 0.5], exact near 0; tanh|x| = h / (1 - h).
/// -2|x| = n ln 2 - 2r, so h = 2^n p + (1 - 2^n) / 2 with p = (1 - e^(-2r)) / 2 = r + r^2 q(r).
template <typename Ops>
typename Ops::Value tanh(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    auto y = o.min(o.constant(k.tanh_limit), o.abs(x));
    auto t = o.fma(y, o.constant(-2.0 * k.log2_e), o.constant(k.magic));
    auto n = o.sub(t, o.constant(k.magic));
    auto r = o.fma(n, o.constant(0.5 * k.ln2_high), std::move(y));
    r = o.fma(std::move(n), o.constant(0.5 * k.ln2_low), std::move(r));
    auto p = o.mul(polynomial(o, k.tanh, r), r);
    p = o.fma(std::move(p), r, r);
    auto scale = o.power_of_two(std::move(t));
    auto rest = o.fma(scale, o.constant(-0.5), o.constant(0.5));
    auto h = o.fma(std::move(p), std::move(scale), std::move(rest));
    auto d = o.sub(o.constant(1.0), h);
    auto magnitude = quotient(o, std::move(h), std::move(d), kReciprocalHalf);
    return o.copy_sign(std::move(magnitude), std::move(x));
}

/// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|).
template <typename Ops>
typename Ops::Value softplus(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    auto e = exp_not_positive(o, o.negative_abs(x));
    auto log1p = o.mul(polynomial(o, k.log1p, e), e);
    return o.add(std::move(log1p), o.max(o.constant(0.0), std::move(x)));
}

template <typename Ops>
typename Ops::Value elu(Ops& o, typename Ops::Value x, float alpha) {
    auto below = expm1_not_positive(o, o.min(o.constant(0.0), x));
    below = o.mul(std::move(below), o.constant(alpha));
    auto keep = x;
    return o.select_negative(std::move(x), std::move(below), std::move(keep));
}

/// x / (1 + |x|), with x held finite so that infinity gives 1.
template <typename Ops>
typename Ops::Value softsign(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    x = o.max(o.constant(-k.largest), o.min(o.constant(k.largest), std::move(x)));
    auto below = o.add(o.abs(x), o.constant(1.0));
    return o.div(std::move(x), std::move(below));
}

/// x bounded to [low, high]; NaN stays NaN.
template <typename Ops>
typename Ops::Value bound(Ops& o, typename Ops::Value x, double low, double high) {
    return o.max(o.constant(low), o.min(o.constant(high), std::move(x)));
}

/// The activation `a` of x; which one is known when code is emitted.
template <typename Ops>
typename Ops::Value activate(Ops& o, const Activation& a, typename Ops::Value x) {
    switch (a.kind) {
        case ActivationKind::affine:
            return o.fma(std::move(x), o.constant(a.alpha), o.constant(a.beta));
        case ActivationKind::relu: return o.max(o.constant(0.0), std::move(x));
        case ActivationKind::leaky_relu: {
            auto scaled = o.mul(x, o.constant(a.alpha));
            auto keep = x;
            return o.select_negative(std::move(x), std::move(scaled), std::move(keep));
        }
        case ActivationKind::thresholded_relu: {
            auto keep = x;
            return o.select_less_equal(std::move(x), o.constant(a.alpha), o.constant(0.0),
                                       std::move(keep));
        }
        case ActivationKind::tanh: return tanh(o, std::move(x));
        case ActivationKind::scaled_tanh:
            return o.mul(tanh(o, o.mul(std::move(x), o.constant(a.beta))), o.constant(a.alpha));
        case ActivationKind::sigmoid: return sigmoid(o, std::move(x));
        case ActivationKind::hard_sigmoid: {
            auto line = o.fma(std::move(x), o.constant(a.alpha), o.constant(a.beta));
            return bound(o, std::move(line), 0.0, 1.0);
        }
        case ActivationKind::elu: return elu(o, std::move(x), a.alpha);
        case ActivationKind::softsign: return softsign(o, std::move(x));
        case ActivationKind::softplus: return softplus(o, std::move(x));
    }
    return x;
}

}  // namespace rondo::cpu::math
