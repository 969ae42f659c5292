// Transposed convolution as convolutions of stride 1: outputs whose places leave the same remainder
// by the stride meet the same taps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {

/// Along one axis the outputs `first`, first + stride and so on; the first tap that they meet.
struct TransposedPhase {
    std::int64_t first = 0;
    std::int64_t tap = 0;
};

/// Phases along one axis that read the same data: each is the same convolution with other taps.
struct TransposedAxis {
    WindowAxis window;  ///< of the convolution: stride 1
    std::vector<TransposedPhase> phases;
    std::int64_t stride = 1;    ///< between the outputs of a phase
    std::int64_t tap_step = 1;  ///< between the taps of a phase
    std::int64_t kernel = 1;    ///< taps of all phases
    std::int64_t output = 1;    ///< outputs of all phases
};

/// One convolution: its filters are those of all phases, one phase after the other.
struct TransposedPart {
    std::array<TransposedAxis, 3> axes;

    std::int64_t phases() const;
    /// The sizes of the convolution, for those of the transposed one.
    ConvolutionSizes sizes(const ConvolutionSizes& sizes) const;
};

/// The parts that write all outputs which meet a tap. Data [N, G*C, spatial...], filters
/// [G, C, O, spatial...], out [N, G*O, spatial...]: in `sizes`, channels are C and filters O, and
/// element i of the data times tap k adds to output i * stride + k * dilation - pad_begin.
std::vector<TransposedPart> transposed_parts(const ConvolutionSizes& sizes);

/// Writes a part's filters [G, phases * O, C, taps...] of `element_bytes` each.
void put_transposed_filters(const TransposedPart& part, const ConvolutionSizes& sizes,
                            std::int64_t element_bytes, const void* filters, void* to);

/// A part with its convolution, and its filters, or null where they are made of those of the run.
struct TransposedStep {
    TransposedPart part;
    std::unique_ptr<Convolution> convolution;
    const void* filters = nullptr;
};

/// ConvolutionArgs::done is not called.
std::unique_ptr<Convolution> make_transposed_convolution(std::int64_t element_bytes,
                                                         const ConvolutionSizes& sizes,
                                                         std::vector<TransposedStep> steps);

}  // namespace rondo::cpu
