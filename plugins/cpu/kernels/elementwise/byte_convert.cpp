#include "plugins/cpu/kernels/elementwise/byte_convert.hpp"

#include <emmintrin.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rondo::cpu {
namespace {

template <typename From, typename To>
bool widen(const ElementRun<1>& run) {
    const auto* from = static_cast<const From*>(run.from[0]);
    auto* to = static_cast<To*>(run.to);
    for (std::int64_t i = 0; i < run.n; ++i) to[i] = static_cast<To>(from[i]);
    return true;
}

constexpr std::int64_t kBlock = 8;

// Four numbers towards zero, within the bounds; 0 of NaN.
template <typename To>
__m128i cut_four(const float* from) {
    const __m128 value = _mm_loadu_ps(from);
    const __m128 number = _mm_and_ps(value, _mm_cmpord_ps(value, value));
    const __m128 high = _mm_max_ps(number, _mm_set1_ps(std::numeric_limits<To>::min()));
    return _mm_cvttps_epi32(_mm_min_ps(high, _mm_set1_ps(std::numeric_limits<To>::max())));
}

void store(const __m128i& low, const __m128i& high, std::int16_t* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_packs_epi32(low, high));
}

// There is only a pack of signed numbers: they are moved into its range, and back.
void store(const __m128i& low, const __m128i& high, std::uint16_t* to) {
    const __m128i half = _mm_set1_epi32(1 << 15);
    const __m128i packed = _mm_packs_epi32(_mm_sub_epi32(low, half), _mm_sub_epi32(high, half));
    const __m128i sign = _mm_set1_epi16(std::numeric_limits<std::int16_t>::min());
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_xor_si128(packed, sign));
}

void store(const __m128i& low, const __m128i& high, std::int8_t* to) {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(words, words));
}

void store(const __m128i& low, const __m128i& high, std::uint8_t* to) {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
}

template <typename To>
void cut_block(const float* from, To* to) {
    store(cut_four<To>(from), cut_four<To>(from + kBlock / 2), to);
}

// Towards zero, saturated; NaN gives 0.
template <typename To>
bool cut(const ElementRun<1>& run) {
    const auto* from = static_cast<const float*>(run.from[0]);
    auto* to = static_cast<To*>(run.to);
    std::int64_t i = 0;
    for (; i + kBlock <= run.n; i += kBlock) cut_block(from + i, to + i);
    float rest[kBlock] = {};
    To results[kBlock];
    std::copy(from + i, from + run.n, rest);
    cut_block(rest, results);
    std::copy_n(results, run.n - i, to + i);
    return true;
}

ElementLoop<1> cut_loop(ElementType to) {
    switch (to) {
        case ElementType::i16: return cut<std::int16_t>;
        case ElementType::i8: return cut<std::int8_t>;
        case ElementType::u16: return cut<std::uint16_t>;
        case ElementType::u8: return cut<std::uint8_t>;
        default: return nullptr;
    }
}

ElementLoop<1> float_loop(ElementType from) {
    switch (from) {
        case ElementType::i32: return widen<std::int32_t, float>;
        case ElementType::i16: return widen<std::int16_t, float>;
        case ElementType::i8: return widen<std::int8_t, float>;
        case ElementType::u16: return widen<std::uint16_t, float>;
        case ElementType::u8: return widen<std::uint8_t, float>;
        default: return nullptr;
    }
}

}  // namespace

ElementLoop<1> byte_convert_loop(ElementType from, ElementType to) {
    if (from == ElementType::f32) return cut_loop(to);
    if (to == ElementType::f32) return float_loop(from);
    if (to != ElementType::i32) return nullptr;
    if (from == ElementType::i8) return widen<std::int8_t, std::int32_t>;
    return from == ElementType::u8 ? widen<std::uint8_t, std::int32_t> : nullptr;
}

}  // namespace rondo::cpu
