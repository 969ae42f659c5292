// The loops that round to 8 bits, to be compiled for each instruction set.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "plugins/cpu/kernels/quantization/byte_scale.hpp"

namespace rondo::cpu {

inline constexpr std::int64_t kLanes = 32;

// The loops are compiled for each instruction set; they have no sums of products, so that all give
// the same bits. NaN compares as neither less nor greater, so that it never replaces a bound.
[[gnu::always_inline]] inline ByteRange range_of(const float* x, std::int64_t count) {
    std::array<float, kLanes> low{}, high{};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
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
