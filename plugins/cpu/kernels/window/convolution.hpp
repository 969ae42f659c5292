// Convolution as a product of windows and filters, tap by tap, and in plain loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"

namespace rondo::cpu {

/// data [N, G*C, spatial...], filters [G, O, C, spatial...], out [N, G*O, spatial...]; scratch:
/// Convolution::scratch_bytes() bytes on a cache line. `done` may be null: it is called with ranges
/// of elements that cover `out`, each right after the calling thread has written it.
struct ConvolutionArgs {
    const void* data = nullptr;
    const void* filters = nullptr;
    void* out = nullptr;
    void* scratch = nullptr;
    const FunctionRef<void(Range)>* done = nullptr;
};

/// A convolution of known sizes, none of which is 0. Immutable, usable from many threads.
class Convolution {
public:
    virtual ~Convolution() = default;
    virtual std::size_t scratch_bytes() const { return 0; }
    virtual void run(const ConvolutionArgs& args, Team& team) const = 0;
};

/// Filters [O, C*kernel] times the windows [C*kernel, positions], whose positions fill the lanes.
/// `gemm` of f32 or f64 says the type and must outlive the convolution. Scratch for `threads`.
std::unique_ptr<Convolution> make_position_lanes(const GemmKernel& gemm,
                                                 const ConvolutionSizes& sizes, int threads);

/// The same sums in the same order for few positions: the filters fill the lanes. `filters`: for
/// each group packed as [C*kernel, O]; ConvolutionArgs::filters is not read.
std::unique_ptr<Convolution> make_filter_lanes(const GemmKernel& gemm,
                                               std::span<const PackedView> filters,
                                               const ConvolutionSizes& sizes, int threads);

/// True where filters on the lanes take fewer vectors than positions.
bool suits_filter_lanes(std::int64_t filters, std::int64_t positions, std::int64_t lanes);

/// The same sums for groups of few channels and filters, line by line. `kernel`: weighted_sum of
/// that precision; it must outlive the convolution.
std::unique_ptr<Convolution> make_tap_convolution(const TapKernel& kernel, Precision precision,
                                                  const ConvolutionSizes& sizes, int threads);
/// Whether that is so for groups of at most so many filters.
bool suits_taps(const ConvolutionSizes& sizes, std::int64_t most_filters = 4);

/// The same sums for one channel and one filter a group, and few positions: the channels fill the
/// lanes. `kernel`: product_sum of that precision. `tap_lines`: what put_tap_lines() wrote, or null
/// where ConvolutionArgs::filters is to be read; both must outlive the convolution.
std::unique_ptr<Convolution> make_channel_lanes(const TapKernel& kernel, Precision precision,
                                                const void* tap_lines,
                                                const ConvolutionSizes& sizes, int threads);
bool suits_channel_lanes(const ConvolutionSizes& sizes);
/// Writes filters [G, taps] to [taps, G]. T: float or double.
template <typename T>
void put_tap_lines(const T* filters, const ConvolutionSizes& sizes, T* to);

/// Integers modulo their width, f32 or f64, in plain loops.
std::unique_ptr<Convolution> make_plain_convolution(ElementType type,
                                                    const ConvolutionSizes& sizes);

/// Whether a window reaches into the padding.
bool meets_padding(const ConvolutionSizes& sizes);

/// Whether none of `count` numbers is an infinity or NaN.
bool are_finite(const void* numbers, std::int64_t count, Precision precision);

/// The kernels above multiply the padding, a zero, by filters, which isn't zero where a filter is
/// an infinity or NaN. This runs `fast` where all of ConvolutionArgs::filters are finite, and plain
/// loops where not.
std::unique_ptr<Convolution> make_padded_convolution(std::unique_ptr<Convolution> fast,
                                                     Precision precision,
                                                     const ConvolutionSizes& sizes);

}  // namespace rondo::cpu
