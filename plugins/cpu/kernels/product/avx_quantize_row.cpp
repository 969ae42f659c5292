// Rows of f32 to integers and bf16.
#include <immintrin.h>

#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/product/quantize_row_loop.hpp"

namespace rondo::cpu::avx {
namespace {

[[gnu::target("avx2")]] RowScale with_avx2(int bits, int together, const float* row, std::int64_t k,
                                           void* to) {
    return quantized(bits, together, row, k, to);
}

// clang chooses the width of vectors itself.
#ifdef __clang__
#define RONDO_TARGET_AVX512 "avx512f,avx512bw,avx512vl"
#else
#define RONDO_TARGET_AVX512 "avx512f,avx512bw,avx512vl,prefer-vector-width=512"
#endif

[[gnu::target(RONDO_TARGET_AVX512)]] RowScale with_avx512(int bits, int together, const float* row,
                                                          std::int64_t k, void* to) {
    return quantized(bits, together, row, k, to);
}

[[gnu::target("avx2")]] void halves_with_avx2(int together, const float* row, std::int64_t k,
                                              void* to) {
    rounded_row(together, row, k, to);
}

[[gnu::target(RONDO_TARGET_AVX512)]] void halves_with_avx512(int together, const float* row,
                                                             std::int64_t k, void* to) {
    rounded_row(together, row, k, to);
}

// The conversion of the processors that have tiles: two vectors at a time, the tail with zeros.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512bf16")]] void halves_for_tiles(const float* row,
                                                                              std::int64_t k,
                                                                              void* to) {
    constexpr std::int64_t kLanes = 16;
    const __m512i least = _mm512_set1_epi32(std::bit_cast<std::int32_t>(kLeastBf16));
    const __m512i magnitude = _mm512_set1_epi32(0x7FFFFFFF);
    const auto load = [&](std::int64_t i)
        __attribute__((always_inline, target("avx512f,avx512bw,avx512vl,avx512bf16"))) {
        const std::int64_t left = std::clamp<std::int64_t>(k - i, 0, kLanes);
        const auto there = static_cast<__mmask16>((1u << left) - 1);
        const __m512 numbers = _mm512_maskz_loadu_ps(there, row + i);
        const __m512i size = _mm512_and_si512(_mm512_castps_si512(numbers), magnitude);
        return _mm512_maskz_mov_ps(_mm512_cmpge_epu32_mask(size, least), numbers);
    };
    auto* out = static_cast<std::uint16_t*>(to);
    for (std::int64_t i = 0; i < k; i += 2 * kLanes) {
        const __m512bh halves = _mm512_cvtne2ps_pbh(load(i + kLanes), load(i));
        std::memcpy(out + i, &halves, sizeof halves);
    }
}

}  // namespace

RowScale quantize_row(Isa isa, int bits, int together, const float* row, std::int64_t k, void* to) {
    return isa == Isa::avx2 ? with_avx2(bits, together, row, k, to)
                            : with_avx512(bits, together, row, k, to);
}

void round_to_bf16(Isa isa, int together, const float* row, std::int64_t k, void* to) {
    if (isa == Isa::avx2) return halves_with_avx2(together, row, k, to);
    if (together == kBf16Chain && cpu_features().avx512_bf16) return halves_for_tiles(row, k, to);
    halves_with_avx512(together, row, k, to);
}

}  // namespace rondo::cpu::avx
