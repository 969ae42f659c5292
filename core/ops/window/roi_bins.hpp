// Where the samples of a region's bins lie along one axis, and which elements a sample is made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace rondo::ops {

/// The mean of a bin's samples; the greatest one, or 0 if none is above it; or the greatest of
/// the four weighted elements that the samples are sums of (rondo1's: ONNX's "max").
enum class RoiMode : std::uint8_t { avg, max, max_part };
inline constexpr std::pair<std::string_view, RoiMode> kRoiModes[] = {
    {"avg", RoiMode::avg},
    {"max", RoiMode::max},
    {"max_part", RoiMode::max_part},
};

/// x * scale of at least 1; x * scale - 0.5; (x + 0.5) * scale - 0.5.
enum class RoiAlignment : std::uint8_t { asymmetric, half_pixel_for_nn, half_pixel };
inline constexpr std::pair<std::string_view, RoiAlignment> kRoiAlignments[] = {
    {"asymmetric", RoiAlignment::asymmetric},
    {"half_pixel", RoiAlignment::half_pixel},
    {"half_pixel_for_nn", RoiAlignment::half_pixel_for_nn},
};

/// T is the type of the arithmetic.
template <typename T>
struct RoiAxis {
    T start = 0;
    T bin = 0;                 ///< the length of a bin
    std::int64_t samples = 0;  ///< of a bin; 0 for one without length
};

/// More samples a bin are not taken: such a region is far larger than any data.
inline constexpr std::int64_t kMaxRoiSamples = 1 << 12;

/// `ratio`: samples a bin, or 0 for one each element. Samples above kMaxRoiSamples, or of what is
/// no number, are -1.
template <typename T>
RoiAxis<T> roi_axis(RoiAlignment alignment, T begin, T end, T scale, std::int64_t bins,
                    std::int64_t ratio) {
    const T before = alignment == RoiAlignment::half_pixel ? T{0.5} : T{0};
    const T behind = alignment == RoiAlignment::asymmetric ? T{0} : T{0.5};
    RoiAxis<T> axis;
    axis.start = (begin + before) * scale - behind;
    T length = (end + before) * scale - behind - axis.start;
    if (alignment == RoiAlignment::asymmetric) length = std::max(length, T{1});
    axis.bin = length / static_cast<T>(bins);
    const T wanted = ratio > 0 ? static_cast<T>(ratio) : std::ceil(axis.bin);
    if (!(wanted <= static_cast<T>(kMaxRoiSamples)) || !std::isfinite(axis.start)) {
        axis.samples = -1;
    } else {
        axis.samples = static_cast<std::int64_t>(std::max(wanted, T{0}));
    }
    return axis;
}

/// A sample between two elements, which are the same at the end; weight 0 for both outside.
template <typename T>
struct RoiTap {
    std::int64_t low = 0, high = 0;
    T low_weight = 0, high_weight = 0;
};

template <typename T>
RoiTap<T> roi_tap(const RoiAxis<T>& axis, std::int64_t bin, std::int64_t sample,
                  std::int64_t extent) {
    const T offset = (static_cast<T>(sample) + T{0.5}) * axis.bin / static_cast<T>(axis.samples);
    T place = axis.start + static_cast<T>(bin) * axis.bin + offset;
    if (!(place >= -1 && place <= static_cast<T>(extent)) || extent == 0) return {};
    place = std::max(place, T{0});
    const auto low = static_cast<std::int64_t>(place);
    if (low >= extent - 1) return {extent - 1, extent - 1, 1, 0};
    const T rest = place - static_cast<T>(low);
    return {low, low + 1, 1 - rest, rest};
}

}  // namespace rondo::ops
