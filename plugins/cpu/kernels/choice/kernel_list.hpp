// Every kernel variant there is, and the kernels that layers and models share. Dispatch, tests and
// benchmarks walk these tables.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"
#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"
#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/byte_gemm.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "plugins/cpu/kernels/product/sparse_panels.hpp"

namespace rondo::cpu {

/// Whether a variant can do a job, and if not, why.
struct Support {
    bool ok = true;
    std::string reason;
};

struct CellKernelEntry {
    const char* name = "";
    Isa isa = Isa::plain;
    CellKind kind = CellKind::lstm;
    WeightFormat weights;  ///< of R

    Support supports(const CellConfig& config) const;
    std::unique_ptr<CellKernel> make(const CellConfig& config) const;
};

struct GemmKernelEntry {
    const char* name = "";
    Isa isa = Isa::plain;
    WeightFormat weights;  ///< of B

    std::unique_ptr<GemmKernel> make() const;
};

struct ElementwiseKernelEntry {
    const char* name;
    Isa isa;
    std::unique_ptr<ElementwiseKernel> make(const ElementwiseProgram& program) const;
};

struct TapKernelEntry {
    const char* name;
    Isa isa;
    std::unique_ptr<TapKernel> make(const TapConfig& config) const;
};

/// Best first within each table. Cells are the product of the formats of floating types,
/// instruction sets and ops::kCells, matrix products of the first two.
std::span<const CellKernelEntry> cell_kernels();
std::span<const GemmKernelEntry> gemm_kernels();
/// Those of kRoundingFormats.
std::span<const CellKernelEntry> rounding_cell_kernels();
std::span<const GemmKernelEntry> rounding_gemm_kernels();
std::span<const ElementwiseKernelEntry> elementwise_kernels();
std::span<const TapKernelEntry> tap_kernels();

/// The first entry that needs no more than `isa` and supports `config`.
/// Throws UnsupportedError with every refusal where there is none.
const CellKernelEntry& choose_cell_kernel(const CellConfig& config, Isa isa);

/// The first entry that needs no more than `isa` and reads such weights. Throws UnsupportedError
/// where there is none.
const GemmKernelEntry& choose_gemm_kernel(Isa isa, const WeightFormat& weights);

/// The first entry that needs no more than `isa`.
const ElementwiseKernelEntry& choose_elementwise_kernel(Isa isa);
const TapKernelEntry& choose_tap_kernel(Isa isa);

/// The kernel of the best instruction set up to `isa`, for the caller alone; see
/// shared_gemm_kernel(). Throws UnsupportedError where none reads such weights.
std::unique_ptr<GemmKernel> make_gemm_kernel(Isa isa, const WeightFormat& weights = {});

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

// The generated kernels, defined in cpu/jit, which alone knows xbyak.
namespace jit {

/// `isa`: avx2 or avx512; the CPU must have it.
std::unique_ptr<CellKernel> make_cell(Isa isa, const CellConfig& config);
std::unique_ptr<GemmKernel> make_gemm(Isa isa, const WeightFormat& format);
/// For AVX-512 with VNNI; `result`: i32 or f32.
std::unique_ptr<ByteKernel> make_bytes(ElementType result);
/// `format`: one that can_be_sparse().
std::unique_ptr<SparseKernel> make_sparse(Isa isa, const WeightFormat& format);
std::unique_ptr<ElementwiseKernel> make_elementwise(Isa isa, const ElementwiseProgram& program);
std::unique_ptr<TapKernel> make_taps(Isa isa, const TapConfig& config);

}  // namespace jit

}  // namespace rondo::cpu
