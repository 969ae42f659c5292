// Compressed weights to f32.
#include <immintrin.h>

#include "plugins/cpu/kernels/product/avx_loops.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// The compiler's own header reads a value that isn't there, and is not used (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace rondo::cpu::avx {
namespace {

constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

template <bool kHalf>
[[gnu::target("avx2,f16c")]] void widen_8(const CompressedPanel& panel, float* to) {
    const __m256 zeros = _mm256_loadu_ps(panel.zeros), scales = _mm256_loadu_ps(panel.scales);
    const std::uint8_t* from = panel.bytes;
    for (std::int64_t k = 0; k < panel.k; ++k, from += panel.lanes, to += panel.lanes) {
        const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
        const __m256 value = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
        __m256 wide = _mm256_mul_ps(_mm256_sub_ps(value, zeros), scales);
        if constexpr (kHalf) wide = _mm256_cvtph_ps(_mm256_cvtps_ph(wide, kNearest));
        _mm256_storeu_ps(to, wide);
    }
}

template <bool kHalf>
[[gnu::target("avx512f")]] void widen_16(const CompressedPanel& panel, float* to) {
    const __m512 zeros = _mm512_loadu_ps(panel.zeros), scales = _mm512_loadu_ps(panel.scales);
    const std::uint8_t* from = panel.bytes;
    for (std::int64_t k = 0; k < panel.k; ++k, from += panel.lanes, to += panel.lanes) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        const __m512 value = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
        __m512 wide = _mm512_mul_ps(_mm512_sub_ps(value, zeros), scales);
        if constexpr (kHalf) wide = _mm512_cvtph_ps(_mm512_cvtps_ph(wide, kNearest));
        _mm512_storeu_ps(to, wide);
    }
}

// Several panels side by side: their sums don't wait for one another. Each is one chain of fused
// multiply-adds from the bias on, as in other products.
constexpr int kPanels = kCompressedPanels;

template <bool kHalf>
[[gnu::target("avx2,fma,f16c")]] void add_8(const CompressedPanel* panels, const float* row,
                                            float* const* sums) {
    __m256 zeros[kPanels], scales[kPanels], sum[kPanels];
    for (int i = 0; i < kPanels; ++i) {
        zeros[i] = _mm256_loadu_ps(panels[i].zeros);
        scales[i] = _mm256_loadu_ps(panels[i].scales);
        sum[i] = _mm256_loadu_ps(sums[i]);
    }
    for (std::int64_t k = 0; k < panels[0].k; ++k) {
        const __m256 number = _mm256_broadcast_ss(row + k);
        for (int i = 0; i < kPanels; ++i) {
            const std::uint8_t* from = panels[i].bytes + k * panels[i].lanes;
            const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
            const __m256 value = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
            __m256 wide = _mm256_mul_ps(_mm256_sub_ps(value, zeros[i]), scales[i]);
            if constexpr (kHalf) wide = _mm256_cvtph_ps(_mm256_cvtps_ph(wide, kNearest));
            sum[i] = _mm256_fmadd_ps(number, wide, sum[i]);
        }
    }
    for (int i = 0; i < kPanels; ++i) _mm256_storeu_ps(sums[i], sum[i]);
}

template <bool kHalf>
[[gnu::target("avx512f")]] void add_16(const CompressedPanel* panels, const float* row,
                                       float* const* sums) {
    __m512 zeros[kPanels], scales[kPanels], sum[kPanels];
    for (int i = 0; i < kPanels; ++i) {
        zeros[i] = _mm512_loadu_ps(panels[i].zeros);
        scales[i] = _mm512_loadu_ps(panels[i].scales);
        sum[i] = _mm512_loadu_ps(sums[i]);
    }
    for (std::int64_t k = 0; k < panels[0].k; ++k) {
        const __m512 number = _mm512_set1_ps(row[k]);
        for (int i = 0; i < kPanels; ++i) {
            const std::uint8_t* from = panels[i].bytes + k * panels[i].lanes;
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
            const __m512 value = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
            __m512 wide = _mm512_mul_ps(_mm512_sub_ps(value, zeros[i]), scales[i]);
            if constexpr (kHalf) wide = _mm512_cvtph_ps(_mm512_cvtps_ph(wide, kNearest));
            sum[i] = _mm512_fmadd_ps(number, wide, sum[i]);
        }
    }
    for (int i = 0; i < kPanels; ++i) _mm512_storeu_ps(sums[i], sum[i]);
}

}  // namespace

void add_products(Isa isa, const CompressedPanel* panels, const float* row, float* const* sums) {
    const bool halves = panels[0].rounds_to_f16;
    if (isa == Isa::avx512) {
        return halves ? add_16<true>(panels, row, sums) : add_16<false>(panels, row, sums);
    }
    halves ? add_8<true>(panels, row, sums) : add_8<false>(panels, row, sums);
}

void widen(Isa isa, const CompressedPanel& panel, float* to) {
    if (isa == Isa::avx512) {
        return panel.rounds_to_f16 ? widen_16<true>(panel, to) : widen_16<false>(panel, to);
    }
    panel.rounds_to_f16 ? widen_8<true>(panel, to) : widen_8<false>(panel, to);
}

}  // namespace rondo::cpu::avx
