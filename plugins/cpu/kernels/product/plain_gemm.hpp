// Makes the plain C++ product: the fallback for any CPU and the yardstick of the generated ones.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/product/gemm.hpp"

namespace rondo::cpu {

/// Lanes of the panels: those of AVX2.
template <typename T>
constexpr int lanes_of_plain() {
    return 32 / static_cast<int>(sizeof(T));
}

/// sums[j] += row times column j of `width` columns, [pair][column][2].
void add_plain_pairs(const std::int16_t* row, const std::int8_t* weights, std::int64_t pairs,
                     int width, std::int32_t* sums);

std::unique_ptr<GemmKernel> make_plain_gemm(ElementType weights);

}  // namespace rondo::cpu
