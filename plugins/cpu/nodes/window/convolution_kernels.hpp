// Chooses the kernel of a convolution of f32 or f64 by its sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Constant filters in the orders that some kernels need; empty where none of them may be chosen.
struct PackedFilters {
    /// Whether an infinity or NaN is among them; open where they come with the run.
    std::optional<bool> are_finite;
    std::vector<PackedMatrix> matrices;  ///< a group each, as [C*kernel, O]
    std::vector<PackedView> views;       ///< of them
    AlignedBytes tap_lines;              ///< as put_tap_lines() writes them
};

/// A kernel and what it is called in profiles; may be empty.
struct ChosenConvolution {
    std::unique_ptr<Convolution> convolution;
    std::string detail;
};

/// Immutable.
class ConvolutionKernels {
public:
    /// `type`: f32 or f64. `is_plain`: of a convolution without groups, which is not part of a
    /// transposed one.
    ConvolutionKernels(Isa isa, ElementType type, bool is_plain);

    /// Filters [G, O, C, kernel]; `fewest`: positions of an output channel, as far as is known.
    /// The inputs and outputs in `sizes` are not read.
    PackedFilters pack(const void* filters, const ConvolutionSizes& sizes,
                       std::int64_t fewest) const;

    /// The convolution of these sizes, none of which is 0. `packed` must outlive it.
    ChosenConvolution make(const ConvolutionSizes& sizes, const PackedFilters& packed,
                           int threads) const;

    int lanes() const { return gemm_->lanes(); }

private:
    ChosenConvolution choose(const ConvolutionSizes& sizes, const PackedFilters& packed,
                             int threads) const;

    Precision precision_;
    std::int64_t most_filters_;  // of a group that goes tap by tap
    std::shared_ptr<const GemmKernel> gemm_;
    std::shared_ptr<const TapKernel> weighted_sum_;
    std::shared_ptr<const TapKernel> product_sum_;
};

/// Output positions of a channel.
std::int64_t positions_of(const ConvolutionSizes& sizes);

}  // namespace rondo::cpu
