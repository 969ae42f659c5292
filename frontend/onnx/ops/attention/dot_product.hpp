// What the operators of attention have in common: softmax(scale Q K' + bias) V of several heads.
#pragma once

#include <string>

#include "core/ops/compositions.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// The inputs have four axes: q [B, Hq, S, D], k [B, Hk, T, D], v [B, Hk, T, E]. Throws ModelError
/// if the heads of Q are no multiple of those of K.
ops::AttentionResults attend(NodeContext& by, ops::Attention attention);

/// [B, S, H * D] as [B, H, S, D].
Output split_heads(NodeContext& by, const Output& x, std::int64_t heads);
/// [B, H, S, D] as [B, S, H * D].
Output merge_heads(NodeContext& by, const Output& x);

/// Keys or values after those of an earlier run, which may be empty: [B, H, S, D].
Output after_past(NodeContext& by, const Output& past, const Output& x);
/// Throws ModelError unless both inputs are given, or none.
void check_past(const NodeContext& by, std::size_t past_key, std::size_t past_value);

/// i64 scalars as a vector.
Output joined_extents(NodeContext& by, std::vector<Output> extents);

/// The number of angles that a cache of cosines has; throws UnsupportedError if it isn't known.
std::int64_t known_angles(const Output& cosines);

/// Pairs of features are turned by the angle of their place.
struct Rotation {
    Output cosines;  ///< [B, S, R / 2], in the type of the features
    Output sines;
    std::int64_t heads_axis = 1;  ///< of x: 1 in [B, H, S, R], 2 in [B, S, H, R]
    bool is_interleaved = false;  ///< pairs are neighbours, else one of each half
};
/// x has rank 4; the first `turned` of its R features belong to pairs; 0: all.
Output rotated(NodeContext& by, const Output& x, const Rotation& rotation, std::int64_t turned);

}  // namespace rondo::onnx
