#include "plugins/cpu/nodes/window/convolution_kernels.hpp"

#include <utility>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"

namespace rondo::cpu {
namespace {

// Windows are gathered once for all filters of a group; with few filters that takes longer than to
// read the data as they lie.
constexpr std::int64_t kFewFilters = 4, kSomeFilters = 32;

std::size_t bytes_of_scalars(std::int64_t count, Precision precision) {
    return static_cast<std::size_t>(count) * bytes_of(precision);
}

}  // namespace

ConvolutionKernels::ConvolutionKernels(Isa isa, ElementType type, bool is_plain)
    : precision_(precision_of(type)),
      most_filters_(is_plain ? kFewFilters : kSomeFilters),
      gemm_(shared_gemm_kernel(isa, type)),
      weighted_sum_(shared_tap_kernel(isa, {TapFunction::weighted_sum, precision_})),
      product_sum_(shared_tap_kernel(isa, {TapFunction::product_sum, precision_})) {}

PackedFilters ConvolutionKernels::pack(const void* filters, const ConvolutionSizes& sizes,
                                       std::int64_t fewest) const {
    PackedFilters packed;
    const std::int64_t window = sizes.channels * axes_product(sizes.axes, &WindowAxis::kernel);
    packed.are_finite = are_finite(filters, sizes.groups * sizes.filters * window, precision_);
    if (sizes.channels == 1 && sizes.filters == 1) {
        if (sizes.groups == 1) return packed;
        packed.tap_lines = AlignedBytes(bytes_of_scalars(sizes.groups * window, precision_));
        if (precision_ == Precision::f64) {
            put_tap_lines(static_cast<const double*>(filters), sizes,
                          reinterpret_cast<double*>(packed.tap_lines.data()));
        } else {
            put_tap_lines(static_cast<const float*>(filters), sizes,
                          reinterpret_cast<float*>(packed.tap_lines.data()));
        }
        return packed;
    }
    if (!suits_filter_lanes(sizes.filters, fewest, gemm_->lanes())) return packed;
    const auto* from = static_cast<const std::byte*>(filters);
    for (std::int64_t group = 0; group < sizes.groups; ++group) {
        packed.matrices.push_back(gemm_->pack(transposed(from, window, sizes.filters)));
        packed.views.push_back(packed.matrices.back().view);
        from += bytes_of_scalars(sizes.filters * window, precision_);
    }
    return packed;
}

ChosenConvolution ConvolutionKernels::make(const ConvolutionSizes& sizes,
                                           const PackedFilters& packed, int threads) const {
    ChosenConvolution chosen = choose(sizes, packed, threads);
    if (!packed.are_finite.value_or(false) && meets_padding(sizes)) {
        chosen.convolution =
            make_padded_convolution(std::move(chosen.convolution), precision_, sizes);
    }
    return chosen;
}

ChosenConvolution ConvolutionKernels::choose(const ConvolutionSizes& sizes,
                                             const PackedFilters& packed, int threads) const {
    const std::int64_t lanes = gemm_->lanes();
    if (!packed.views.empty() && suits_filter_lanes(sizes.filters, positions_of(sizes), lanes)) {
        return {make_filter_lanes(*gemm_, packed.views, sizes, threads), "filters on the lanes"};
    }
    if (suits_channel_lanes(sizes)) {
        const void* lines = packed.tap_lines.size() == 0 ? nullptr : packed.tap_lines.data();
        return {make_channel_lanes(*product_sum_, precision_, lines, sizes, threads),
                "channels on the lanes"};
    }
    if (suits_taps(sizes, most_filters_)) {
        return {make_tap_convolution(*weighted_sum_, precision_, sizes, threads), "tap by tap"};
    }
    return {make_position_lanes(*gemm_, sizes, threads), ""};
}

}  // namespace rondo::cpu
