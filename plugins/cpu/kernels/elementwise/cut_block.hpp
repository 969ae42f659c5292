// Converts f32 to integers of 8 and 16 bits, a few numbers at a time.
#pragma once

#include <cstdint>
#include <limits>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace rondo::cpu {

inline constexpr std::int64_t kCutBlock = 8;

#if defined(__x86_64__)

// Four numbers towards zero, within the bounds; 0 of NaN.
template <typename To>
__m128i cut_four(const float* from) {
    const __m128 value = _mm_loadu_ps(from);
    const __m128 number = _mm_and_ps(value, _mm_cmpord_ps(value, value));
    const __m128 high = _mm_max_ps(number, _mm_set1_ps(std::numeric_limits<To>::min()));
    return _mm_cvttps_epi32(_mm_min_ps(high, _mm_set1_ps(std::numeric_limits<To>::max())));
}

inline void store(const __m128i& low, const __m128i& high, std::int16_t* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_packs_epi32(low, high));
}

// There is only a pack of signed numbers: they are moved into its range, and back.
inline void store(const __m128i& low, const __m128i& high, std::uint16_t* to) {
    const __m128i half = _mm_set1_epi32(1 << 15);
    const __m128i packed = _mm_packs_epi32(_mm_sub_epi32(low, half), _mm_sub_epi32(high, half));
    const __m128i sign = _mm_set1_epi16(std::numeric_limits<std::int16_t>::min());
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_xor_si128(packed, sign));
}

inline void store(const __m128i& low, const __m128i& high, std::int8_t* to) {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(words, words));
}

inline void store(const __m128i& low, const __m128i& high, std::uint8_t* to) {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
}

/// kCutBlock numbers towards zero, saturated; NaN gives 0.
template <typename To>
void cut_block(const float* from, To* to) {
    store(cut_four<To>(from), cut_four<To>(from + kCutBlock / 2), to);
}

#else

/// kCutBlock numbers towards zero, saturated; NaN gives 0.
template <typename To>
void cut_block(const float* from, To* to) {
    constexpr float kLeast = std::numeric_limits<To>::min(), kMost = std::numeric_limits<To>::max();
    for (std::int64_t i = 0; i < kCutBlock; ++i) {
        const float number = from[i] == from[i] ? from[i] : 0.0F;
        const float high = number > kLeast ? number : kLeast;
        to[i] = static_cast<To>(static_cast<std::int32_t>(high < kMost ? high : kMost));
    }
}

#endif

}  // namespace rondo::cpu
