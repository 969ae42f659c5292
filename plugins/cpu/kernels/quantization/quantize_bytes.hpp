// Rounds f32 to 8 bits by a scale and a zero point.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

struct ByteRange {
    float low = 0;
    float high = 0;
};

struct ByteScale {
    float scale = 1;
    std::uint8_t zero_point = 0;
};

/// The least and the greatest of the elements and 0, without NaN; the same for every instruction
/// set.
ByteRange byte_range(Isa isa, const float* x, std::int64_t count);

/// Those that spread the range, which holds 0, over 0 to 255.
ByteScale byte_scale(const ByteRange& range);

/// to[i] = round(x[i] / scale) + zero_point, within 0 to 255; halves go to the even number, NaN
/// gives 0.
void quantize_bytes(Isa isa, const float* x, std::int64_t count, const ByteScale& by,
                    std::uint8_t* to);

// With AVX2, defined where the option RONDO_JIT is on: no other instruction set asks for them.
namespace avx {

ByteRange byte_range(const float* x, std::int64_t count);
void quantize_bytes(const float* x, std::int64_t count, const ByteScale& by, std::uint8_t* to);

}  // namespace avx

inline constexpr std::int64_t kRangeLanes = 32;

// The loops are compiled for each instruction set; they have no sums of products, so that all give
// the same bits. NaN compares as neither less nor greater, so that it never replaces a bound.
[[gnu::always_inline]] inline ByteRange range_of(const float* x, std::int64_t count) {
    std::array<float, kRangeLanes> low{}, high{};
    std::int64_t i = 0;
    for (; i + kRangeLanes <= count; i += kRangeLanes) {
        for (std::int64_t lane = 0; lane < kRangeLanes; ++lane) {
            const auto at = static_cast<std::size_t>(lane);
            low[at] = x[i + lane] < low[at] ? x[i + lane] : low[at];
            high[at] = x[i + lane] > high[at] ? x[i + lane] : high[at];
        }
    }
    for (; i < count; ++i) {
        low[0] = x[i] < low[0] ? x[i] : low[0];
        high[0] = x[i] > high[0] ? x[i] : high[0];
    }
    return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
}

// The quotient is bounded before it is rounded, which gives the same since the bounds are whole.
// Adding 1.5 * 2^23 then leaves no bits for a fraction: the sum is rounded, halves to even.
[[gnu::always_inline]] inline void quantize(const float* x, std::int64_t count, const ByteScale& by,
                                            std::uint8_t* to) {
    constexpr float kWhole = 0x1.8p23F;
    const float zero_point = by.zero_point;
    const float least = 0.0F - zero_point, greatest = 255.0F - zero_point, scale = by.scale;
    for (std::int64_t i = 0; i < count; ++i) {
        float value = x[i] / scale;
        value = value > least ? value : least;
        value = value < greatest ? value : greatest;
        const float whole = (value + kWhole) - kWhole;
        to[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(whole + zero_point));
    }
}

}  // namespace rondo::cpu
