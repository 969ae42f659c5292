// The functions of the elementwise families in vector math, and one table that says which there
// are.
//
// As in vector_math.hpp: at most 4 ULP from the true value over the whole range, NaN in NaN out.
#pragma once

#include <utility>

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "plugins/cpu/kernels/math/vector_math.hpp"

namespace rondo::cpu::math {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::LogicalFunction;
using ops::UnaryFunction;

/// x by its bits, as PlainOps::truth() has them: yes or no.
template <typename Ops>
typename Ops::Value choose(Ops& o, typename Ops::Value truth, typename Ops::Value yes,
                           typename Ops::Value no) {
    return o.select_negative(std::move(truth), std::move(yes), std::move(no));
}

template <typename Ops>
typename Ops::Value negative(Ops& o, typename Ops::Value x) {
    return o.bit_xor(std::move(x), o.constant(-0.0));
}

/// -1, 0 or 1; zeros keep their sign.
template <typename Ops>
typename Ops::Value sign(Ops& o, typename Ops::Value x) {
    auto counts = o.compare(CompareFunction::greater, o.abs(x), o.constant(0.0));
    auto one = o.copy_sign(o.constant(1.0), x);
    return choose(o, std::move(counts), std::move(one), std::move(x));
}

/// x = 2^e m, m in [1 / sqrt(2), sqrt(2)]; f = m - 1, s = f / (2 + f), z = s^2:
/// ln x = e ln 2 + f - (f^2 / 2 - s (f^2 / 2 + z p(z))).
template <typename Ops>
typename Ops::Value log_of_normal(Ops& o, typename Ops::Value e, typename Ops::Value m) {
    const MathConstants& k = constants_for(o);
    auto f = o.sub(std::move(m), o.constant(1.0));
    auto s = o.div(f, o.add(f, o.constant(2.0)));
    auto z = o.mul(s, s);
    auto rest = o.mul(polynomial(o, k.log, z), z);
    auto half_square = o.mul(o.mul(f, f), o.constant(0.5));
    rest = o.mul(o.add(std::move(rest), half_square), std::move(s));
    rest = o.fma(e, o.constant(k.ln2_low), std::move(rest));
    auto below = o.sub(std::move(half_square), std::move(rest));
    auto sum = o.sub(std::move(f), std::move(below));
    return o.fma(std::move(e), o.constant(k.ln2_high), std::move(sum));
}

/// The natural logarithm; minus infinity of zeros, NaN of negative numbers.
template <typename Ops>
typename Ops::Value log(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    x = o.add(std::move(x), o.constant(0.0));  // in a register, and -0 becomes 0
    auto tiny = o.compare(CompareFunction::less, x, o.constant(k.smallest_normal));
    auto origin = choose(o, tiny, o.constant(k.exponent_origin + k.upscale_log2),
                         o.constant(k.exponent_origin));
    auto normal = choose(o, std::move(tiny), o.mul(x, o.constant(k.upscale)), x);
    auto e = o.sub(o.biased_exponent(normal), std::move(origin));
    auto m = o.mantissa(std::move(normal));
    auto large = o.compare(CompareFunction::greater, m, o.constant(0x1.6a09e6p0));
    e = o.add(std::move(e), o.bit_and(large, o.constant(1.0)));
    auto half = o.mul(m, o.constant(0.5));
    m = choose(o, std::move(large), std::move(half), std::move(m));
    auto result = log_of_normal(o, std::move(e), std::move(m));
    // Infinity and NaN stay what they are.
    auto finite = o.compare(CompareFunction::less_equal, x, o.constant(k.largest));
    result = choose(o, std::move(finite), std::move(result), x);
    auto zero = o.compare(CompareFunction::equal, x, o.constant(0.0));
    result = choose(o, std::move(zero), o.constant(-k.infinity), std::move(result));
    // The sign bit of NaN says nothing.
    auto below = o.compare(CompareFunction::less, std::move(x), o.constant(0.0));
    return o.bit_or(std::move(below), std::move(result));
}

/// The error function: x p(x^2) up to 1, sign(x) (1 - e^(-x^2) q(|x|)) above.
template <typename Ops>
typename Ops::Value erf(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    auto magnitude = o.min(o.constant(k.erf_limit), o.abs(x));
    auto square = o.mul(magnitude, magnitude);
    auto far = exp(o, negative(o, square));
    far = o.mul(std::move(far), polynomial(o, k.erfcx, magnitude));
    far = o.copy_sign(o.sub(o.constant(1.0), std::move(far)), x);
    auto near = o.mul(std::move(x), polynomial(o, k.erf, std::move(square)));
    auto is_near = o.compare(CompareFunction::less, std::move(magnitude), o.constant(1.0));
    return choose(o, std::move(is_near), std::move(near), std::move(far));
}

template <typename Ops>
typename Ops::Value relu(Ops& o, typename Ops::Value x) {
    return o.max(o.constant(0.0), std::move(x));
}

/// min(max(x + 3, 0), 6) / 6.
template <typename Ops>
typename Ops::Value hsigmoid(Ops& o, typename Ops::Value x) {
    auto bounded = bound(o, o.add(std::move(x), o.constant(3.0)), 0.0, 6.0);
    return o.div(std::move(bounded), o.constant(6.0));
}

/// x hsigmoid(x), with x held above -4, where the result is -0.
template <typename Ops>
typename Ops::Value hswish(Ops& o, typename Ops::Value x) {
    x = o.max(o.constant(-4.0), std::move(x));
    auto slope = hsigmoid(o, x);
    return o.mul(std::move(x), std::move(slope));
}

/// x tanh(ln(1 + e^x)) = x n / (n + 2) with n = e^x (e^x + 2).
template <typename Ops>
typename Ops::Value mish(Ops& o, typename Ops::Value x) {
    const MathConstants& k = constants_for(o);
    x = o.max(o.constant(-k.largest), std::move(x));
    auto e = exp(o, o.min(o.constant(k.tanh_limit / 2), x));
    auto n = o.mul(e, o.add(e, o.constant(2.0)));
    auto below = o.add(n, o.constant(2.0));
    return o.mul(std::move(x), o.div(std::move(n), std::move(below)));
}

/// NaN where either is NaN; the second where they are equal.
template <typename Ops>
typename Ops::Value maximum(Ops& o, typename Ops::Value a, typename Ops::Value b) {
    auto nan = o.compare(CompareFunction::not_equal, a, a);
    auto larger = o.max(a, std::move(b));
    return choose(o, std::move(nan), std::move(a), std::move(larger));
}

template <typename Ops>
typename Ops::Value minimum(Ops& o, typename Ops::Value a, typename Ops::Value b) {
    auto nan = o.compare(CompareFunction::not_equal, a, a);
    auto smaller = o.min(a, std::move(b));
    return choose(o, std::move(nan), std::move(a), std::move(smaller));
}

template <typename Ops>
typename Ops::Value squared_difference(Ops& o, typename Ops::Value a, typename Ops::Value b) {
    auto difference = o.sub(std::move(a), std::move(b));
    return o.mul(difference, difference);
}

template <typename Ops>
using UnaryFormula = typename Ops::Value (*)(Ops&, typename Ops::Value);

/// The formula of a function, or null where the vector math has none: one line a function.
template <typename Ops>
constexpr UnaryFormula<Ops> formula_of(UnaryFunction function) {
    using Value = typename Ops::Value;
    switch (function) {
        case UnaryFunction::abs: return [](Ops& o, Value x) { return o.abs(std::move(x)); };
        case UnaryFunction::ceiling: return [](Ops& o, Value x) { return o.ceiling(std::move(x)); };
        case UnaryFunction::erf: return erf<Ops>;
        case UnaryFunction::exp: return exp<Ops>;
        case UnaryFunction::floor: return [](Ops& o, Value x) { return o.floor(std::move(x)); };
        case UnaryFunction::hsigmoid: return hsigmoid<Ops>;
        case UnaryFunction::hswish: return hswish<Ops>;
        case UnaryFunction::log: return log<Ops>;
        case UnaryFunction::logical_not:
            return [](Ops& o, Value x) { return o.bit_xor(std::move(x), o.truth(true)); };
        case UnaryFunction::mish: return mish<Ops>;
        case UnaryFunction::negative: return negative<Ops>;
        case UnaryFunction::relu: return relu<Ops>;
        case UnaryFunction::round: return [](Ops& o, Value x) { return o.round(std::move(x)); };
        case UnaryFunction::sigmoid: return sigmoid<Ops>;
        case UnaryFunction::sign: return sign<Ops>;
        case UnaryFunction::softplus: return softplus<Ops>;
        case UnaryFunction::softsign: return softsign<Ops>;
        case UnaryFunction::sqrt: return [](Ops& o, Value x) { return o.sqrt(std::move(x)); };
        case UnaryFunction::tanh: return tanh<Ops>;
        default: return nullptr;
    }
}

template <typename Ops>
using BinaryFormula = typename Ops::Value (*)(Ops&, typename Ops::Value, typename Ops::Value);

/// The same for functions of two numbers.
template <typename Ops>
constexpr BinaryFormula<Ops> formula_of(BinaryFunction function) {
    using V = typename Ops::Value;
    switch (function) {
        case BinaryFunction::add:
            return [](Ops& o, V a, V b) { return o.add(std::move(a), std::move(b)); };
        case BinaryFunction::divide:
            return [](Ops& o, V a, V b) { return o.div(std::move(a), std::move(b)); };
        case BinaryFunction::maximum: return maximum<Ops>;
        case BinaryFunction::minimum: return minimum<Ops>;
        case BinaryFunction::multiply:
            return [](Ops& o, V a, V b) { return o.mul(std::move(a), std::move(b)); };
        case BinaryFunction::squared_difference: return squared_difference<Ops>;
        case BinaryFunction::subtract:
            return [](Ops& o, V a, V b) { return o.sub(std::move(a), std::move(b)); };
        default: return nullptr;
    }
}

/// Whether the vector math has the function.
template <typename Function>
constexpr bool has_formula(Function function) {
    return formula_of<PlainOps<float>>(function) != nullptr;
}

}  // namespace rondo::cpu::math
