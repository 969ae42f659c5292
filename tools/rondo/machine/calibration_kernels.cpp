#include "machine/calibration_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rondo::tool {
namespace {

// Chains of dependent multiply-adds: two units of latency 4 need 8, more cover stalls. All must
// have a register of their own, so at most 16: longer loops are not unrolled by g++. The sums stay
// finite: x -> 0.5 x + 1.
constexpr int kPlainChains = 32;  // the compiler makes vectors of them

#if defined(__x86_64__)
constexpr int kWideChains = 16;
constexpr int kAvx2Chains = 12;
constexpr int kReadChains = 8;

// Not _mm512_reduce_add_ps, which g++ 12 warns about.
__attribute__((target("avx512f"))) float sum_of_wide(__m512 values) {
    alignas(64) float lanes[16];
    _mm512_store_ps(lanes, values);
    float total = 0.0f;
    for (const float lane : lanes) total += lane;
    return total;
}

__attribute__((target("avx512f"))) float multiply_add_avx512(std::int64_t loops) {
    const __m512 half = _mm512_set1_ps(0.5f), one = _mm512_set1_ps(1.0f);
    __m512 sums[kWideChains];
    for (__m512& sum : sums) sum = one;
    for (std::int64_t loop = 0; loop < loops; ++loop) {
        for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, half, one);
    }
    __m512 total = one;
    for (const __m512& sum : sums) total = _mm512_add_ps(total, sum);
    return sum_of_wide(total);
}

__attribute__((target("avx512f"))) float read_avx512(const float* data, std::int64_t count,
                                                     std::int64_t passes) {
    __m512 sums[kReadChains];
    for (__m512& sum : sums) sum = _mm512_setzero_ps();
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        for (std::int64_t i = 0; i < count; i += 16 * kReadChains) {
            for (int chain = 0; chain < kReadChains; ++chain) {
                const __m512 value = _mm512_loadu_ps(data + i + 16 * chain);
                sums[chain] = _mm512_add_ps(sums[chain], value);
            }
        }
    }
    __m512 total = sums[0];
    for (int chain = 1; chain < kReadChains; ++chain) total = _mm512_add_ps(total, sums[chain]);
    return sum_of_wide(total);
}

__attribute__((target("avx2,fma"))) float sum_of(__m256 values) {
    alignas(32) float lanes[8];
    _mm256_store_ps(lanes, values);
    float total = 0.0f;
    for (const float lane : lanes) total += lane;
    return total;
}

__attribute__((target("avx2,fma"))) float multiply_add_avx2(std::int64_t loops) {
    const __m256 half = _mm256_set1_ps(0.5f), one = _mm256_set1_ps(1.0f);
    __m256 sums[kAvx2Chains];
    for (__m256& sum : sums) sum = one;
    for (std::int64_t loop = 0; loop < loops; ++loop) {
        for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, half, one);
    }
    __m256 total = one;
    for (const __m256& sum : sums) total = _mm256_add_ps(total, sum);
    return sum_of(total);
}

__attribute__((target("avx2,fma"))) float read_avx2(const float* data, std::int64_t count,
                                                    std::int64_t passes) {
    __m256 sums[kReadChains];
    for (__m256& sum : sums) sum = _mm256_setzero_ps();
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        for (std::int64_t i = 0; i < count; i += 8 * kReadChains) {
            for (int chain = 0; chain < kReadChains; ++chain) {
                const __m256 value = _mm256_loadu_ps(data + i + 8 * chain);
                sums[chain] = _mm256_add_ps(sums[chain], value);
            }
        }
    }
    __m256 total = sums[0];
    for (int chain = 1; chain < kReadChains; ++chain) total = _mm256_add_ps(total, sums[chain]);
    return sum_of(total);
}

#endif  // __x86_64__

float multiply_add_plain(std::int64_t loops) {
    float sums[kPlainChains] = {};
    for (std::int64_t loop = 0; loop < loops; ++loop) {
        for (float& sum : sums) sum = sum * 0.5f + 1.0f;
    }
    float total = 0.0f;
    for (const float sum : sums) total += sum;
    return total;
}

float read_plain(const float* data, std::int64_t count, std::int64_t passes) {
    float sums[kPlainChains] = {};
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        for (std::int64_t i = 0; i < count; i += kPlainChains) {
            for (int chain = 0; chain < kPlainChains; ++chain) sums[chain] += data[i + chain];
        }
    }
    float total = 0.0f;
    for (const float sum : sums) total += sum;
    return total;
}

}  // namespace

CalibrationKernels calibration_kernels([[maybe_unused]] VectorSet set) {
#if defined(__x86_64__)
    if (set == VectorSet::avx512) return {multiply_add_avx512, 2.0 * 16 * kWideChains, read_avx512};
    if (set == VectorSet::avx2) return {multiply_add_avx2, 2.0 * 8 * kAvx2Chains, read_avx2};
#endif
    return {multiply_add_plain, 2.0 * kPlainChains, read_plain};
}

}  // namespace rondo::tool
