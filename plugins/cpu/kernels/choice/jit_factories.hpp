// Makers of the generated kernels, declared here and defined in cpu/jit, which alone knows xbyak.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"
#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"
#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/byte_gemm.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "plugins/cpu/kernels/product/sparse_panels.hpp"

namespace rondo::cpu::jit {

/// `isa`: avx2 or avx512; the CPU must have it.
std::unique_ptr<CellKernel> make_cell(Isa isa, const CellConfig& config);
std::unique_ptr<GemmKernel> make_gemm(Isa isa, const WeightFormat& format);
/// For AVX-512 with VNNI; `result`: i32 or f32.
std::unique_ptr<ByteKernel> make_bytes(ElementType result);
/// `format`: one that can_be_sparse().
std::unique_ptr<SparseKernel> make_sparse(Isa isa, const WeightFormat& format);
std::unique_ptr<ElementwiseKernel> make_elementwise(Isa isa, const ElementwiseProgram& program);
std::unique_ptr<TapKernel> make_taps(Isa isa, const TapConfig& config);

}  // namespace rondo::cpu::jit
