// The sizes of a MatMul's products, and the walk over them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/ops/product/matmul.hpp"
#include "core/support/nd_loop.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {

/// One product of the batch, [M,K] x [K,N].
struct MatMulSizes {
    std::int64_t m = 1;
    std::int64_t k = 1;
    std::int64_t n = 1;
    bool a_transposed = false;
    bool b_transposed = false;
};

/// The axes in front of a matrix.
inline Shape batch_of(const Shape& shape) {
    return shape.size() < 3 ? Shape{} : Shape(shape.begin(), shape.end() - 2);
}

inline MatMulSizes matmul_sizes_of(const ops::MatMul& op, const Shape& a, const Shape& b) {
    MatMulSizes sizes;
    const auto extent = [](const Shape& shape, std::size_t from_end) {
        return static_cast<std::int64_t>(shape[shape.size() - from_end]);
    };
    sizes.a_transposed = a.size() > 1 && op.transpose_a();
    sizes.b_transposed = b.size() > 1 && op.transpose_b();
    sizes.k = extent(a, sizes.a_transposed ? 2 : 1);
    if (a.size() > 1) sizes.m = extent(a, sizes.a_transposed ? 1 : 2);
    if (b.size() > 1) sizes.n = extent(b, sizes.b_transposed ? 2 : 1);
    return sizes;
}

/// The axes in front of the matrices of the result; offsets count matrices of a, b and the result.
inline NdLoop<3> batch_loop(const CallSite& site) {
    const Shape& first = site.inputs[0].shape;
    const Shape& second = site.inputs[1].shape;
    const Shape& result = site.outputs[0].shape;
    const std::size_t rank = std::max({first.size(), second.size(), std::size_t{2}}) - 2;
    const Shape batch(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(rank));
    const Shape a = batch_of(first), b = batch_of(second);
    return broadcast_loop<2>({&a, &b}, batch);
}

/// Calls product(a, b, c) with the numbers of the matrices.
template <typename Product>
void for_each_matrix(const NdLoop<3>& batch, Product product) {
    const auto& run = batch.run();
    batch.for_each_run([&](const NdLoop<3>::Offsets& at) {
        for (std::int64_t i = 0; i < run.count; ++i) {
            product(at[0] + i * run.steps[0], at[1] + i * run.steps[1], at[2] + i * run.steps[2]);
        }
    });
}

}  // namespace rondo::cpu
