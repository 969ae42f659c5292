#include "frontend/onnx/ops/attention/dot_product.hpp"

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

ops::AttentionResults attend(NodeContext& by, ops::Attention attention) {
    const Dimension q = attention.q.shape()[1], k = attention.k.shape()[1];
    const bool are_known = q.is_static() && k.is_static();
    attention.shares_keys = !are_known || q.length() != k.length();
    if (are_known && attention.shares_keys && (k.length() == 0 || q.length() % k.length() != 0)) {
        throw ModelError("the query has " + to_string(q) + " heads and the key " + to_string(k) +
                         "; expected a multiple");
    }
    return ops::attention(by, attention);
}

Output split_heads(NodeContext& by, const Output& x, std::int64_t heads) {
    return by.transpose(by.reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}

Output merge_heads(NodeContext& by, const Output& x) {
    return by.reshape(by.transpose(x, {0, 2, 1, 3}), {0, 0, -1});
}

Output after_past(NodeContext& by, const Output& past, const Output& x) {
    return past ? by.concat({past, x}, 2) : x;
}

void check_past(const NodeContext& by, std::size_t past_key, std::size_t past_value) {
    if (by.has_input(past_key) == by.has_input(past_value)) return;
    throw ModelError("one of past_key and past_value is given; expected both or none");
}

Output joined_extents(NodeContext& by, std::vector<Output> extents) {
    for (Output& extent : extents) extent = by.unsqueeze(extent, {0});
    return by.concat(extents, 0);
}

std::int64_t known_angles(const Output& cosines) {
    const PartialShape& shape = cosines.shape();
    if (shape.has_rank() && shape.rank() == 2 && shape[1].is_static()) return shape[1].length();
    throw UnsupportedError("cos_cache has shape " + to_string(shape) +
                           "; expected rank 2 and a known number of angles");
}

namespace {

// One for each pair; a single one must not serve all.
void check_angles(const Output& angle, const Output& x) {
    NodeContext::check_shape(angle, PartialShape::of_rank(3), "the angles");
    if (!angle.shape().has_rank() || !x.shape().has_rank()) return;
    const Dimension angles = angle.shape()[2], features = x.shape()[3];
    if (!angles.is_static() || !features.is_static()) return;
    if (2 * angles.length() == features.length()) return;
    throw ModelError("there are " + to_string(angles) + " angles for " + to_string(features) +
                     " features; expected one for each pair");
}

}  // namespace

// real = x1 cos - x2 sin, imaginary = x1 sin + x2 cos.
Output rotated(NodeContext& by, const Output& x, const Rotation& rotation, std::int64_t turned) {
    if (turned > 0) {
        return by.concat({rotated(by, by.slice(x, -1, 0, turned), rotation, 0),
                          by.slice(x, -1, turned, kSliceEnd)},
                         -1);
    }
    const auto along_heads = [&](const Output& angle) {
        check_angles(angle, x);
        return by.unsqueeze(angle, {rotation.heads_axis});
    };
    const Output cosines = along_heads(rotation.cosines), sines = along_heads(rotation.sines);
    const auto halves = rotation.is_interleaved
                            ? std::vector<Output>{by.slice(x, -1, 0, kSliceEnd, 2),
                                                  by.slice(x, -1, 1, kSliceEnd, 2)}
                            : by.split(x, -1, 2);
    const Output real = by.subtract(by.multiply(halves[0], cosines), by.multiply(halves[1], sines));
    const Output imaginary = by.add(by.multiply(halves[0], sines), by.multiply(halves[1], cosines));
    if (!rotation.is_interleaved) return by.concat({real, imaginary}, -1);
    const Output pairs = by.concat({by.unsqueeze(real, {4}), by.unsqueeze(imaginary, {4})}, 4);
    return by.reshape(pairs, {0, 0, 0, -1});
}

}  // namespace rondo::onnx
