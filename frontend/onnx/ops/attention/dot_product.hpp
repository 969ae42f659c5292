// What the operators of attention have in common: softmax(scale Q K' + bias) V of several heads.
#pragma once

#include <limits>
#include <optional>

#include "frontend/onnx/ops/common/composer.hpp"

namespace rondo::onnx {

/// Its negative hides a key from a query.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One of attention's computations, in f32 or f64.
struct DotProductAttention {
    Output q;             ///< [B, Hq, S, D]
    Output k;             ///< [B, Hk, T, D]; Hq is a multiple of Hk
    Output v;             ///< [B, Hk, T, E]
    Output allowed = {};  ///< booleans: which keys a query sees; empty: all
    Output bias = {};     ///< added to the scores; may be empty
    /// The factor of the scores; 1 / sqrt(D) unless given.
    std::optional<double> scale = {};
    double softcap = 0;  ///< above 0: scores become softcap tanh(score / softcap)
    /// What softmax is computed in, unless `dynamic`.
    ElementType softmax_type = ElementType::dynamic;
    /// A query may see no key: its result is 0 then.
    bool has_empty_rows = false;
};

/// Results and what lies before them. `allowed` and `bias` broadcast to [B, Hq, S, T].
struct AttentionResults {
    Output y;        ///< [B, Hq, S, E]
    Output scores;   ///< scale Q K'; this one and the following [B, Hq, S, T]
    Output capped;   ///< behind the soft cap
    Output biased;   ///< and with the bias
    Output weights;  ///< their softmax
};

/// Throws ModelError where the heads of Q are no multiple of those of K.
AttentionResults attend(Composer& by, const DotProductAttention& attention);

/// [B, S, H * D] as [B, H, S, D].
Output split_heads(Composer& by, const Output& x, std::int64_t heads);
/// [B, H, S, D] as [B, S, H * D].
Output merge_heads(Composer& by, const Output& x);

/// Which keys the queries see by their places alone.
struct KeyWindow {
    Output queries;       ///< how many, an i64 scalar
    Output keys;          ///< likewise
    Output offset = {};   ///< the place of the first query: i64 [] or [B, 1, 1, 1]; empty: 0
    bool causal = false;  ///< no key behind the query
    /// How far a key may lie in front of its query and behind it; below 0: anywhere.
    std::int64_t left = -1;
    std::int64_t right = -1;
};

/// [S, T] or [B, 1, S, T]; empty where each query sees each key.
Output visible_keys(Composer& by, const KeyWindow& window);

/// Both of them, where an empty one allows all.
Output both_allowed(Composer& by, const Output& a, const Output& b);

}  // namespace rondo::onnx
