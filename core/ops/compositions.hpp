// Ops that are written as small graphs of other ops, for readers of files and for passes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/ops/builder.hpp"

namespace rondo::ops {

// Activations, in the type of x, which is floating. If nothing else is said, what lies below 0
// is chosen, not added: -0 and NaN pass as they are.

/// min(max(x, least), most).
Output clip(Builder& by, const Output& x, double least, double most);
/// clip(alpha x + beta, 0, 1), of numbers in the type of x.
Output hard_sigmoid(Builder& by, const Output& x, const Output& alpha, const Output& beta);
/// x < 0 ? slope x : x.
Output prelu(Builder& by, const Output& x, const Output& slope);
Output leaky_relu(Builder& by, const Output& x, double alpha);
/// x > alpha ? x : 0.
Output thresholded_relu(Builder& by, const Output& x, double alpha);
/// alpha tanh(beta x).
Output scaled_tanh(Builder& by, const Output& x, double alpha, double beta);
/// x >= 0 ? x : alpha (e^x - 1).
Output elu(Builder& by, const Output& x, double alpha);
/// max(x, 0) + min(alpha (e^(x / alpha) - 1), 0).
Output celu(Builder& by, const Output& x, double alpha);
/// gamma max(x, 0) + alpha_gamma (e^min(x, 0) - 1), of numbers in the type of x.
Output selu(Builder& by, const Output& x, const Output& gamma, const Output& alpha_gamma);
/// x (1 + erf(x / sqrt(2))) / 2.
Output gelu(Builder& by, const Output& x);
/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
Output gelu_by_tanh(Builder& by, const Output& x);
/// x sigmoid(scaled), if scaled is x times a factor.
Output swish(Builder& by, const Output& x, const Output& scaled);

/// sqrt(x + epsilon).
Output root(Builder& by, const Output& x, double epsilon);
/// scale x + shift, whose shift may be empty.
Output affine(Builder& by, const Output& x, const Output& scale, const Output& shift);
/// x [N,C,...] as [N,groups,...], each group of a row with mean 0 and variance 1.
Output normalised_groups(Builder& by, const Output& x, std::int64_t groups, double epsilon);

/// Matrices [.., M, N] with this shape, a vector, if a diagonal meets them: both compared give a
/// mask [M, N].
struct Diagonal {
    Output columns;  ///< [N]: 0, 1, ...
    Output meets;    ///< [M,1]: the column in which the diagonal meets each row
};
/// `k`, an i64: 0 is the main diagonal, numbers above it lie to its right. `rows` and `columns` are
/// i64 scalars.
Diagonal diagonal(Builder& by, const Output& rows, const Output& columns, const Output& k);

/// What OneHot says besides its indices.
struct OneHot {
    Output depth;  ///< an i64 scalar
    Output on;
    Output off;
    std::int64_t axes_behind = 0;  ///< of the result, after the new axis
    bool from_end = false;         ///< indices below 0 count from the end
};
/// `on` if the place along the new axis is the index; an index out of range names no place.
Output one_hot(Builder& by, const Output& indices, const OneHot& request);

/// Its negative hides a key from a query.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// softmax(scale Q K' + bias) V, in f32 or f64. If heads share keys, all have rank 4.
struct Attention {
    Output q;             ///< [.., Hq, S, D]
    Output k;             ///< [.., Hk, T, D]
    Output v;             ///< [.., Hk, T, E]
    Output allowed = {};  ///< booleans: which keys a query sees; empty: all
    Output bias = {};     ///< added to the scores; may be empty
    /// The factor of the scores; 1 / sqrt(D) unless given.
    std::optional<double> scale = {};
    double softcap = 0;  ///< above 0: scores become softcap tanh(score / softcap)
    /// What softmax is computed in, unless `dynamic`.
    ElementType softmax_type = ElementType::dynamic;
    /// A query may see no key: its result is 0 then.
    bool has_empty_rows = false;
    /// Hq is a multiple of Hk, and neighbouring heads of Q have the same keys.
    bool shares_keys = false;
};

/// Results and what lies before them. `allowed` and `bias` broadcast to [.., Hq, S, T].
struct AttentionResults {
    Output y;        ///< [.., Hq, S, E]
    Output scores;   ///< scale Q K'; this one and the following [.., Hq, S, T]
    Output capped;   ///< after the soft cap
    Output biased;   ///< and with the bias
    Output weights;  ///< their softmax
};

AttentionResults attention(Builder& by, const Attention& of);

/// Which keys the queries see by their places alone.
struct KeyWindow {
    Output queries;       ///< how many, an i64 scalar
    Output keys;          ///< likewise
    Output offset = {};   ///< the place of the first query: i64 [] or [B, 1, 1, 1]; empty: 0
    bool causal = false;  ///< no key after the query
    /// How far a key may lie before its query and after it; below 0: anywhere.
    std::int64_t left = -1;
    std::int64_t right = -1;
};
/// [S, T] or [B, 1, S, T]; empty if each query sees each key.
Output visible_keys(Builder& by, const KeyWindow& window);
/// Both of them, where an empty one allows all.
Output both_allowed(Builder& by, const Output& a, const Output& b);

}  // namespace rondo::ops
