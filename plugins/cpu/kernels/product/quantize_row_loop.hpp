// The loops that quantise a row, to be compiled for each instruction set.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "plugins/cpu/kernels/product/row_scale.hpp"

namespace rondo::cpu {

inline constexpr std::int32_t kSteps = 255;
inline constexpr float kLeast = 0x1p-100F;
inline constexpr std::uint32_t kSign = 0x80000000;

// Bits of a row's least and greatest number, or of zeros. As integers, numbers of one sign have the
// order of their magnitudes, and NaN stands above infinity.
struct Extremes {
    std::uint32_t least = kSign;
    std::int32_t greatest = 0;
};

[[gnu::always_inline]] inline Extremes extremes_of(const float* row, std::int64_t k) {
    Extremes found;
    for (std::int64_t i = 0; i < k; ++i) {
        found.greatest = std::max(found.greatest, std::bit_cast<std::int32_t>(row[i]));
        found.least = std::max(found.least, std::bit_cast<std::uint32_t>(row[i]));
    }
    return found;
}

// Adding and subtracting `magic` rounds to the nearest integer, halves to the even one.
[[gnu::always_inline]] inline std::int32_t rounded(float value) {
    constexpr float magic = 0x1.8p23F;
    return static_cast<std::int32_t>((value + magic) - magic);
}

inline RowScale scale_of(const Extremes& extremes) {
    const auto least = std::bit_cast<float>(extremes.least);
    const auto greatest = std::bit_cast<float>(extremes.greatest);
    if (!std::isfinite(least) || !std::isfinite(greatest)) {
        return {std::numeric_limits<float>::quiet_NaN(), 0};
    }
    if (std::max(-least, greatest) < kLeast) return {};
    const float scale = greatest / kSteps - least / kSteps;
    return {scale, rounded(-least * (1 / scale))};
}

inline bool has_steps(const RowScale& scale) { return scale.scale > 0; }

// Q: std::uint8_t, or std::int16_t for integers less `zero`.
template <typename Q>
[[gnu::always_inline]] inline void round_all(const float* row, const RowScale& scale,
                                             std::int64_t k, Q* to) {
    const float factor = 1 / scale.scale;
    const std::int32_t taken = sizeof(Q) == 1 ? 0 : scale.zero;
    for (std::int64_t i = 0; i < k; ++i) {
        const std::int32_t integer = rounded(row[i] * factor) + scale.zero;
        to[i] = static_cast<Q>(std::clamp(integer, 0, kSteps) - taken);
    }
}

template <typename Q>
[[gnu::always_inline]] inline RowScale quantized(const float* row, std::int64_t k, void* to) {
    const RowScale scale = scale_of(extremes_of(row, k));
    auto* integers = static_cast<Q*>(to);
    if (has_steps(scale)) {
        round_all(row, scale, k, integers);
    } else {
        std::fill_n(integers, k, Q{0});
    }
    return scale;
}

}  // namespace rondo::cpu
