// Finds the sizes of windows, and chooses the kernel of a convolution of f32 or f64 by them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/window/convolutions.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"
#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"

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

/// A window's axes; those that it lacks come first. `given`: a container of ops::ConvolutionAxis.
template <std::size_t Axes, typename Given>
std::array<WindowAxis, Axes> window_axes(const Given& given) {
    std::array<WindowAxis, Axes> axes{};
    std::size_t to = Axes - given.size();
    for (const auto& axis : given) {
        axes[to++] = {axis.input,  axis.kernel,   axis.output,
                      axis.stride, axis.dilation, axis.pad_begin};
    }
    return axes;
}

/// The sizes of a convolution or a transposed one.
template <typename Op>
ConvolutionSizes convolution_sizes(const Op& op, const Shape& data, const Shape& filters,
                                   const std::vector<ops::ConvolutionAxis>& axes) {
    const auto [batch, groups, channels, filter_count] = op.sizes(data, filters);
    ConvolutionSizes sizes;
    sizes.batch = static_cast<std::int64_t>(batch);
    sizes.groups = static_cast<std::int64_t>(groups);
    sizes.channels = static_cast<std::int64_t>(channels);
    sizes.filters = static_cast<std::int64_t>(filter_count);
    sizes.axes = window_axes<3>(axes);
    return sizes;
}

/// Output positions of a channel.
inline std::int64_t positions_of(const ConvolutionSizes& sizes) {
    return axes_product(sizes.axes, &WindowAxis::output);
}

}  // namespace rondo::cpu
