// Sums rows in double, each in the order of its numbers, 16 rows at a time.
#include <immintrin.h>

#include <algorithm>

#include "plugins/cpu/kernels/reduction/reduce.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// The compiler's own header reads a value that isn't there, and is not used (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace rondo::cpu::avx {
namespace {

constexpr int kLanes = 16;
constexpr int kEvenLanes = 0x88;  // 128-bit lanes 0 and 2 of both
constexpr int kOddLanes = 0xdd;

struct Block {
    __m512 v[kLanes];
};

// Loads up to 16 numbers of each of 16 rows; zeros follow the last.
[[gnu::target("avx512f"), gnu::always_inline]] inline void load(Block& rows, const float* x,
                                                                std::int64_t stride,
                                                                std::int64_t count) {
    const auto wanted = static_cast<__mmask16>((1U << count) - 1);
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) rows.v[i] = _mm512_maskz_loadu_ps(wanted, x + i * stride);
}

// Lane L of vector 4 i + c becomes column 4 L + c of rows 4 i to 4 i + 3.
[[gnu::target("avx512f"), gnu::always_inline]] inline void turn_lanes(Block& rows) {
#pragma GCC unroll 4
    for (int i = 0; i < kLanes; i += 4) {
        __m512* const r = rows.v + i;
        const __m512d low = _mm512_castps_pd(_mm512_unpacklo_ps(r[0], r[1]));
        const __m512d high = _mm512_castps_pd(_mm512_unpackhi_ps(r[0], r[1]));
        const __m512d next_low = _mm512_castps_pd(_mm512_unpacklo_ps(r[2], r[3]));
        const __m512d next_high = _mm512_castps_pd(_mm512_unpackhi_ps(r[2], r[3]));
        r[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, next_low));
        r[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, next_low));
        r[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high, next_high));
        r[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high, next_high));
    }
}

// Vector c becomes column c of all rows.
[[gnu::target("avx512f"), gnu::always_inline]] inline void transpose(Block& rows) {
    turn_lanes(rows);
    Block columns;
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
        const __m512* const r = rows.v + c;
        const __m512 even = _mm512_shuffle_f32x4(r[0], r[4], kEvenLanes);
        const __m512 odd = _mm512_shuffle_f32x4(r[0], r[4], kOddLanes);
        const __m512 next_even = _mm512_shuffle_f32x4(r[8], r[12], kEvenLanes);
        const __m512 next_odd = _mm512_shuffle_f32x4(r[8], r[12], kOddLanes);
        columns.v[c] = _mm512_shuffle_f32x4(even, next_even, kEvenLanes);
        columns.v[c + 4] = _mm512_shuffle_f32x4(odd, next_odd, kEvenLanes);
        columns.v[c + 8] = _mm512_shuffle_f32x4(even, next_even, kOddLanes);
        columns.v[c + 12] = _mm512_shuffle_f32x4(odd, next_odd, kOddLanes);
    }
    rows = columns;
}

}  // namespace

[[gnu::target("avx512f")]] void add_rows(const float* x, std::int64_t stride, std::int64_t count,
                                         double* sums) {
    __m512d low = _mm512_loadu_pd(sums);
    __m512d high = _mm512_loadu_pd(sums + kLanes / 2);
    for (std::int64_t done = 0; done < count; done += kLanes) {
        const std::int64_t some = std::min<std::int64_t>(kLanes, count - done);
        Block block;
        load(block, x + done, stride, some);
        transpose(block);
#pragma GCC unroll 16
        for (int c = 0; c < kLanes; ++c) {
            if (c == some) break;
            const __m512d halves = _mm512_castps_pd(block.v[c]);
            const __m256 first = _mm256_castpd_ps(_mm512_castpd512_pd256(halves));
            const __m256 second = _mm256_castpd_ps(_mm512_extractf64x4_pd(halves, 1));
            low = _mm512_add_pd(low, _mm512_cvtps_pd(first));
            high = _mm512_add_pd(high, _mm512_cvtps_pd(second));
        }
    }
    _mm512_storeu_pd(sums, low);
    _mm512_storeu_pd(sums + kLanes / 2, high);
}

}  // namespace rondo::cpu::avx
