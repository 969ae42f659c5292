// Reads constant weights as files compress them: integers with zero points and scales.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ops/product/matmul.hpp"
#include "rondo/tensor.hpp"

namespace rondo::passes {

/// (Convert(integers) - zero point) * scale; a Reshape and a Convert to f32 may follow.
struct CompressedWeights {
    Tensor integers;
    Output zero_point;  ///< empty where there is none
    Output scale;
    ElementType computed = ElementType::f32;  ///< of the arithmetic: f32 or f16
    std::vector<NodePtr> chain;  ///< from the first Convert to the node that gives the weights
};

/// The chain that ends in this output, or nothing.
std::optional<CompressedWeights> compressed_weights(const Output& output);

/// What a product makes of such a matrix: [N][K], and for each column of the product and each group
/// of K a zero point and a scale, [N][groups].
struct CompressedLayout {
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t group = 0;
    std::vector<float> zeros;
    std::vector<float> scales;
};

/// Returns nothing if zero points or scales differ in another way, or if zero points are no small
/// integers. `matrix`: the shape of the result; `transposed`: [N,K], else [K,N].
std::optional<CompressedLayout> layout_of(const CompressedWeights& weights, const Shape& matrix,
                                          bool transposed);

/// The right side of a product of f32, where it is a large matrix of up to 8 bits that has a
/// layout.
std::optional<CompressedWeights> worth_keeping(const ops::MatMul& product);

/// The value of a constant, or of the constant that a Convert reads, as contiguous f32; else empty.
Tensor f32_constant(const Output& output);

/// `tensor` of f32 broadcast to `shape`. Returns nothing if it doesn't fit.
std::optional<std::vector<float>> broadcast_numbers(const Tensor& tensor, const Shape& shape);

}  // namespace rondo::passes
