// Makers of the plain C++ kernels: the fallback for any CPU and the yardstick of the generated
// ones.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/cell_kernel.hpp"
#include "plugins/cpu/kernels/elementwise.hpp"
#include "plugins/cpu/kernels/gemm.hpp"

namespace rondo::cpu {

/// Lanes of the panels: those of AVX2.
template <typename T>
constexpr int lanes_of_plain() {
    return 32 / static_cast<int>(sizeof(T));
}

std::unique_ptr<CellKernel> make_plain_cell(const CellConfig& config);
std::unique_ptr<GemmKernel> make_plain_gemm(ElementType weights);
std::unique_ptr<UnaryKernel> make_plain_unary(const UnaryConfig& config);

}  // namespace rondo::cpu
