// The sizes of a MatMul's products, and the walk over them.
#pragma once

#include <cstdint>

#include "core/ops/product/matmul.hpp"
#include "core/support/nd_loop.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

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
Shape batch_of(const Shape& shape);

MatMulSizes sizes_of(const ops::MatMul& op, const Shape& a, const Shape& b);

/// The axes in front of the matrices of the result; offsets count matrices of a, b and the result.
NdLoop<3> batch_loop(const CallSite& site);

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

inline const char* at(const void* base, std::int64_t byte) {
    return static_cast<const char*>(base) + byte;
}

inline char* at(void* base, std::int64_t byte) { return static_cast<char*>(base) + byte; }

}  // namespace rondo::cpu
