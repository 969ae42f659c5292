// Makes the plain C++ product: the fallback for any CPU and the yardstick of the generated ones.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/product/gemm.hpp"

namespace rondo::cpu {

/// Lanes of the panels: those of AVX2.
template <typename T>
constexpr int lanes_of_plain() {
    return 32 / static_cast<int>(sizeof(T));
}

std::unique_ptr<GemmKernel> make_plain_gemm(ElementType weights);

}  // namespace rondo::cpu
