// Rows of f16 and bf16 to f32 and back. Vectors of 8 do for AVX-512 too: a row is converted once,
// and multiplied many times.
#include <immintrin.h>

#include "plugins/cpu/kernels/product/avx_loops.hpp"

namespace rondo::cpu::avx {
namespace {

constexpr std::int64_t kLanes = 8;

}  // namespace

[[gnu::target("avx2,f16c")]] void widen(const float16* from, float* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(half));
    }
    widen_rest(from, to, i, count);
}

[[gnu::target("avx2")]] void widen(const bfloat16* from, float* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
        const __m256i wide = _mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), wide);
    }
    widen_rest(from, to, i, count);
}

[[gnu::target("avx2,f16c")]] void narrow(const float* from, float16* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), half);
    }
    narrow_rest(from, to, i, count);
}

// Adds what carries into the upper half where the lower one is above its middle, or on it and the
// upper one odd. NaN gets its quiet bit instead, so that no carry makes it infinite.
[[gnu::target("avx2")]] void narrow(const float* from, bfloat16* to, std::int64_t count) {
    const __m256i one = _mm256_set1_epi32(1), below_middle = _mm256_set1_epi32(0x7fff);
    const __m256i quiet = _mm256_set1_epi32(0x40);
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const __m256 value = _mm256_loadu_ps(from + i);
        const __m256i bits = _mm256_castps_si256(value);
        const __m256i upper = _mm256_srli_epi32(bits, 16);
        const __m256i carry = _mm256_add_epi32(below_middle, _mm256_and_si256(upper, one));
        const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, carry), 16);
        const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q));
        const __m256i words = _mm256_blendv_epi8(rounded, _mm256_or_si256(upper, quiet), nan);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(words, words), 0x08);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm256_castsi256_si128(packed));
    }
    narrow_rest(from, to, i, count);
}

}  // namespace rondo::cpu::avx
