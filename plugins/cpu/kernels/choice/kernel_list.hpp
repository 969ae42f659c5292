// Every kernel variant there is. Dispatch, tests and benchmarks walk these tables.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"
#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"
#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"

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
    std::unique_ptr<ElementwiseKernel> (*make)(const ElementwiseProgram&);
};

struct TapKernelEntry {
    const char* name;
    Isa isa;
    std::unique_ptr<TapKernel> (*make)(const TapConfig&);
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
/// shared_kernels.hpp. Throws UnsupportedError where none reads such weights.
std::unique_ptr<GemmKernel> make_gemm_kernel(Isa isa, const WeightFormat& weights = {});

}  // namespace rondo::cpu
