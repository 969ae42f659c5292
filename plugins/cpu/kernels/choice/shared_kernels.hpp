// Kernels that layers and models share, so that equal code is generated once.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/byte_gemm.hpp"
#include "plugins/cpu/kernels/product/sparse_panels.hpp"

namespace rondo::cpu {

// Kernels are immutable and have neither weights nor sizes that may change. A kernel lives as long
// as it has an owner. These functions may be called from many threads.

/// The matrix product of choose_gemm_kernel().
std::shared_ptr<const GemmKernel> shared_gemm_kernel(Isa isa, const WeightFormat& weights = {});

/// The product of 8-bit integers for the best instruction set up to `isa`. `result`: i32 or f32.
std::shared_ptr<const ByteKernel> shared_byte_kernel(Isa isa, ElementType result);

/// The product with block-sparse weights; `isa`: avx2 or avx512.
std::shared_ptr<const SparseKernel> shared_sparse_kernel(Isa isa, const WeightFormat& format);

/// The kernel of choose_elementwise_kernel() for that program.
std::shared_ptr<const ElementwiseKernel> shared_elementwise_kernel(
    Isa isa, const ElementwiseProgram& program);

/// The kernel of choose_tap_kernel() for that config.
std::shared_ptr<const TapKernel> shared_tap_kernel(Isa isa, const TapConfig& config);

/// The cell that `entry` makes.
std::shared_ptr<const CellKernel> shared_cell_kernel(const CellKernelEntry& entry,
                                                     const CellConfig& config);

}  // namespace rondo::cpu
