// Windows in vectors of AVX-512: masks leave out what isn't there.
#include <immintrin.h>

#include <algorithm>

#include "plugins/cpu/kernels/window/windows.hpp"

namespace rondo::cpu::avx {
namespace {

constexpr std::int64_t kLanes = 16;

__mmask16 first_lanes(std::int64_t count) {
    return static_cast<__mmask16>((1u << std::clamp<std::int64_t>(count, 0, kLanes)) - 1);
}

}  // namespace

[[gnu::target("avx512f")]] void gather_taps(const float* data, std::int64_t channels,
                                            std::int64_t channel, std::span<const GatheredTap> taps,
                                            int pieces, float* panel) {
    for (std::int64_t c = 0; c < channels; ++c, data += channel) {
        for (const GatheredTap& tap : taps) {
            __m512 numbers = _mm512_maskz_loadu_ps(tap.lanes[0], data + tap.place[0]);
            for (int piece = 1; piece < pieces; ++piece) {
                numbers = _mm512_mask_loadu_ps(numbers, tap.lanes[piece], data + tap.place[piece]);
            }
            _mm512_storeu_ps(panel, numbers);
            panel += kLanes;
        }
    }
}

[[gnu::target("avx512f")]] void copy_every_second(const float* from, std::int64_t count,
                                                  float* to) {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    for (std::int64_t i = 0; i < count; i += kLanes, from += 2 * kLanes, to += kLanes) {
        const std::int64_t left = 2 * (count - i) - 1;
        const __m512 low = _mm512_maskz_loadu_ps(first_lanes(left), from);
        const __m512 high = _mm512_maskz_loadu_ps(first_lanes(left - kLanes), from + kLanes);
        _mm512_mask_storeu_ps(to, first_lanes(count - i), _mm512_permutex2var_ps(low, even, high));
    }
}

}  // namespace rondo::cpu::avx
