#include "frontend/onnx/ops/attention/dot_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/support/limits.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CompareFunction;

bool known_equal(const Dimension& a, const Dimension& b) {
    return a.is_static() && b.is_static() && a.length() == b.length();
}

// [B, H, S, D] as [B, heads of `like`, S * H / heads, D]: queries of heads that share their keys
// become queries of one head, or the other way round. Nothing moves.
Output regrouped(Composer& by, const Output& x, const Output& like) {
    const Dimension heads = like.shape()[1];
    if (heads.is_static()) return by.reshape(x, {0, heads.length(), -1, 0});
    const Output number = by.unsqueeze(by.extent(like, 1), {0});
    return by.reshape(x, by.concat({by.ints({0}), number, by.ints({-1, 0})}, 0));
}

void check_heads(const Dimension& q, const Dimension& k) {
    if (!q.is_static() || !k.is_static() || q.length() == k.length()) return;
    if (k.length() > 0 && q.length() % k.length() == 0) return;
    throw ModelError("the query has " + to_string(q) + " heads and the key " + to_string(k) +
                     "; expected a multiple");
}

Output scaled_queries(Composer& by, const DotProductAttention& attention) {
    const Output& q = attention.q;
    if (attention.scale) return by.scaled(q, *attention.scale);
    if (q.shape()[3].is_static()) {
        return by.scaled(q, 1 / std::sqrt(static_cast<double>(q.shape()[3].length())));
    }
    const Output size = by.convert(by.extent(q, 3), q.element_type());
    return by.divide(q, by.apply(ops::UnaryFunction::sqrt, size));
}

Output capped(Composer& by, const Output& scores, double cap) {
    if (!(cap > 0)) return scores;
    return by.scaled(by.apply(ops::UnaryFunction::tanh, by.scaled(scores, 1 / cap)), cap);
}

// All that is added to the scores; may be empty.
Output bias_of(Composer& by, const DotProductAttention& attention) {
    if (!attention.allowed) return attention.bias;
    const ElementType type = attention.q.element_type();
    const Output bias = attention.bias ? attention.bias : by.number(type, 0);
    return by.select(attention.allowed, bias, by.number(type, -kInfinity));
}

Output softmax_of(Composer& by, const Output& scores, ElementType type) {
    if (type == ElementType::dynamic) return by.softmax(scores);
    return by.convert(by.softmax(by.convert(scores, type)), scores.element_type());
}

}  // namespace

AttentionResults attend(Composer& by, const DotProductAttention& attention) {
    const Dimension q_heads = attention.q.shape()[1], k_heads = attention.k.shape()[1];
    check_heads(q_heads, k_heads);
    const bool is_grouped = !known_equal(q_heads, k_heads);
    const auto grouped = [&](const Output& x) {
        return is_grouped ? regrouped(by, x, attention.k) : x;
    };
    const auto single = [&](const Output& x) {
        return is_grouped ? regrouped(by, x, attention.q) : x;
    };
    AttentionResults results;
    const Output queries = grouped(scaled_queries(by, attention));
    results.scores = single(by.product_transposed(queries, attention.k));
    results.capped = capped(by, results.scores, attention.softcap);
    const Output bias = bias_of(by, attention);
    results.biased = bias ? by.add(results.capped, bias) : results.capped;
    results.weights = softmax_of(by, results.biased, attention.softmax_type);
    if (bias && attention.has_empty_rows) {
        const ElementType type = bias.element_type();
        const Output most = by.reduce(ops::ReduceFunction::max, bias, {-1});
        const Output is_empty =
            by.compare(CompareFunction::equal, most, by.number(type, -kInfinity));
        results.weights = by.select(is_empty, by.number(type, 0), results.weights);
    }
    results.y = single(by.product(grouped(results.weights), attention.v));
    return results;
}

Output split_heads(Composer& by, const Output& x, std::int64_t heads) {
    return by.transpose(by.reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}

Output merge_heads(Composer& by, const Output& x) {
    return by.reshape(by.transpose(x, {0, 2, 1, 3}), {0, 0, -1});
}

Output visible_keys(Composer& by, const KeyWindow& window) {
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
        const Output last = right == 0 ? places : by.add(places, by.integer(right));
        allowed = by.compare(CompareFunction::less_equal, keys, last);
    }
    if (window.left < 0) return allowed;
    const Output first = by.subtract(places, by.integer(reach(window.left)));
    return both_allowed(by, allowed, by.compare(CompareFunction::greater_equal, keys, first));
}

Output both_allowed(Composer& by, const Output& a, const Output& b) {
    if (!a || !b) return a ? a : b;
    return by.both(a, b);
}

}  // namespace rondo::onnx
