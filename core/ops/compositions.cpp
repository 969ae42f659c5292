#include "core/ops/compositions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/ops/reduction/reduction_ops.hpp"
#include "core/support/limits.hpp"

namespace rondo::ops {

Output clip(Builder& by, const Output& x, double least, double most) {
    return by.minimum(by.maximum(x, by.number(least, x)), by.number(most, x));
}

Output hard_sigmoid(Builder& by, const Output& x, const Output& alpha, const Output& beta) {
    return clip(by, by.add(by.multiply(x, alpha), beta), 0, 1);
}

Output prelu(Builder& by, const Output& x, const Output& slope) {
    return by.select(by.less(x, by.number(0, x)), by.multiply(x, slope), x);
}

Output leaky_relu(Builder& by, const Output& x, double alpha) {
    return prelu(by, x, by.number(alpha, x));
}

Output thresholded_relu(Builder& by, const Output& x, double alpha) {
    return by.select(by.greater(x, by.number(alpha, x)), x, by.number(0, x));
}

Output scaled_tanh(Builder& by, const Output& x, double alpha, double beta) {
    return by.scaled(by.apply(UnaryFunction::tanh, by.scaled(x, beta)), alpha);
}

Output elu(Builder& by, const Output& x, double alpha) {
    const Output below = by.scaled(by.expm1(by.minimum(x, by.number(0, x))), alpha);
    return by.select(by.greater_equal(x, by.number(0, x)), x, below);
}

Output celu(Builder& by, const Output& x, double alpha) {
    const Output factor = by.number(alpha, x), zero = by.number(0, x);
    const Output below = by.multiply(by.expm1(by.divide(x, factor)), factor);
    return by.add(by.maximum(x, zero), by.minimum(below, zero));
}

Output selu(Builder& by, const Output& x, const Output& gamma, const Output& alpha_gamma) {
    const Output zero = by.number(0, x);
    return by.add(by.multiply(by.maximum(x, zero), gamma),
                  by.multiply(by.expm1(by.minimum(x, zero)), alpha_gamma));
}

namespace {

// x (1 + factor) / 2.
Output gelu_with(Builder& by, const Output& x, const Output& factor) {
    return by.multiply(by.multiply(x, by.number(0.5, x)), by.add(factor, by.number(1, x)));
}

}  // namespace

Output gelu(Builder& by, const Output& x) {
    const Output part = by.multiply(x, by.number(std::numbers::sqrt2 / 2, x));
    return gelu_with(by, x, by.apply(UnaryFunction::erf, part));
}

Output gelu_by_tanh(Builder& by, const Output& x) {
    const Output cube = by.multiply(by.multiply(x, x), by.multiply(x, by.number(0.044715, x)));
    const Output factor = by.number(std::sqrt(2 / std::numbers::pi), x);
    return gelu_with(by, x, by.apply(UnaryFunction::tanh, by.multiply(by.add(x, cube), factor)));
}

Output swish(Builder& by, const Output& x, const Output& scaled) {
    return by.multiply(x, by.apply(UnaryFunction::sigmoid, scaled));
}

Output root(Builder& by, const Output& x, double epsilon) {
    return by.apply(UnaryFunction::sqrt, by.add(x, by.number(epsilon, x)));
}

Output affine(Builder& by, const Output& x, const Output& scale, const Output& shift) {
    const Output scaled = by.multiply(x, scale);
    return shift ? by.add(scaled, shift) : scaled;
}

Output normalised_groups(Builder& by, const Output& x, std::int64_t groups, double epsilon) {
    return by.make<Mvn>(by.reshape(x, {0, groups, -1}), by.ints({2}),
                        MvnAttributes{static_cast<float>(epsilon)});
}

Diagonal diagonal(Builder& by, const Output& rows, const Output& columns, const Output& k) {
    // One far outside is outside of any matrix: the sum with a row's number must not overflow.
    constexpr auto kFar = static_cast<double>(kMaxElements);
    return {by.range(columns), by.add(by.unsqueeze(by.range(rows), {1}), clip(by, k, -kFar, kFar))};
}

Output one_hot(Builder& by, const Output& indices, const OneHot& request) {
    Output places = by.convert(indices, ElementType::i64);
    // The greatest u64 become numbers below 0, which name no place either.
    if (request.from_end && indices.element_type() != ElementType::u64) {
        places = by.select(by.less(places, by.integer(0)), by.add(places, request.depth), places);
    }
    Builder::Ints pattern(static_cast<std::size_t>(request.axes_behind) + 1, 1);
    pattern.front() = -1;
    const Output along = by.reshape(by.range(request.depth), pattern);
    const Output is_on = by.equal(by.unsqueeze(places, {-1 - request.axes_behind}), along);
    return by.select(is_on, request.on, request.off);
}

namespace {

// [B, H, S, D] as [B, heads of `like`, S * H / heads, D]: queries of heads that share their keys
// become queries of one head, or the reverse. Nothing moves.
Output regrouped(Builder& by, const Output& x, const Output& like) {
    const Dimension heads = like.shape()[1];
    if (heads.is_static()) return by.reshape(x, {0, heads.length(), -1, 0});
    const Output number = by.unsqueeze(by.extent(like, 1), {0});
    return by.reshape(x, by.concat({by.ints({0}), number, by.ints({-1, 0})}, 0));
}

Output scaled_queries(Builder& by, const Attention& of) {
    if (of.scale) return by.scaled(of.q, *of.scale);
    const Dimension size = of.q.shape()[of.q.shape().rank() - 1];
    if (size.is_static()) {
        return by.scaled(of.q, 1 / std::sqrt(static_cast<double>(size.length())));
    }
    const Output open = by.convert(by.extent(of.q, -1), of.q.element_type());
    return by.divide(of.q, by.apply(UnaryFunction::sqrt, open));
}

// All that is added to the scores; may be empty.
Output bias_of(Builder& by, const Attention& of) {
    if (!of.allowed) return of.bias;
    const Output bias = of.bias ? of.bias : by.number(0, of.q);
    return by.select(of.allowed, bias, by.number(-kInfinity, of.q));
}

Output softmax_of(Builder& by, const Output& scores, ElementType type) {
    if (type == ElementType::dynamic) return by.softmax(scores);
    return by.convert(by.softmax(by.convert(scores, type)), scores.element_type());
}

}  // namespace

AttentionResults attention(Builder& by, const Attention& of) {
    const auto grouped = [&](const Output& x) {
        return of.shares_keys ? regrouped(by, x, of.k) : x;
    };
    const auto single = [&](const Output& x) {
        return of.shares_keys ? regrouped(by, x, of.q) : x;
    };
    AttentionResults results;
    const Output queries = grouped(scaled_queries(by, of));
    results.scores = single(by.product_transposed(queries, of.k));
    results.capped = of.softcap > 0 ? scaled_tanh(by, results.scores, of.softcap, 1 / of.softcap)
                                    : results.scores;
    const Output bias = bias_of(by, of);
    results.biased = bias ? by.add(results.capped, bias) : results.capped;
    results.weights = softmax_of(by, results.biased, of.softmax_type);
    if (bias && of.has_empty_rows) {
        const Output most = by.reduce(ReduceFunction::max, bias, {-1});
        const Output is_empty = by.equal(most, by.number(-kInfinity, bias));
        results.weights = by.select(is_empty, by.number(0, bias), results.weights);
    }
    results.y = single(by.product(grouped(results.weights), of.v));
    return results;
}

Output visible_keys(Builder& by, const KeyWindow& window) {
    if (!window.causal && window.left < 0 && window.right < 0) return {};
    const auto reach = [](std::int64_t far) {
        return std::min(far, static_cast<std::int64_t>(kMaxElements));
    };
    const Output keys = by.range(window.keys);
    const Output rows = by.unsqueeze(by.range(window.queries), {1});
    const Output places = window.offset ? by.add(rows, window.offset) : rows;
    Output allowed;
    if (window.causal || window.right >= 0) {
        const std::int64_t right = window.causal ? 0 : reach(window.right);
        allowed = by.less_equal(keys, right == 0 ? places : by.add(places, by.integer(right)));
    }
    if (window.left < 0) return allowed;
    const Output first = by.subtract(places, by.integer(reach(window.left)));
    return both_allowed(by, allowed, by.greater_equal(keys, first));
}

Output both_allowed(Builder& by, const Output& a, const Output& b) {
    if (!a || !b) return a ? a : b;
    return by.both(a, b);
}

}  // namespace rondo::ops
