// Blocks of products of 8-bit integers.
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <type_traits>

#include "plugins/cpu/kernels/product/avx_loops.hpp"

namespace rondo::cpu::avx {
namespace {

template <typename Byte>
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i widened_bytes(const void* bytes) {
    const __m128i narrow = _mm_loadu_si128(static_cast<const __m128i*>(bytes));
    if constexpr (std::is_signed_v<Byte>) return _mm256_cvtepi8_epi16(narrow);
    return _mm256_cvtepu8_epi16(narrow);
}

inline std::int32_t pair_of(const std::int16_t* a) {
    std::int32_t pair = 0;
    std::memcpy(&pair, a, sizeof pair);
    return pair;
}

// Sums of the last kRows rows of a block, one member a row: compilers keep an array in memory.
template <int kRows>
struct Avx2Sums {
    __m256i low, high;
    Avx2Sums<kRows - 1> rest;

    [[gnu::target("avx2"), gnu::always_inline]] void clear() {
        low = high = _mm256_setzero_si256();
        rest.clear();
    }

    // `a`: two numbers of the first row; those of the next are `stride` further.
    [[gnu::target("avx2"), gnu::always_inline]] void add(const std::int16_t* a, std::int64_t stride,
                                                         __m256i first, __m256i second) {
        const __m256i factor = _mm256_set1_epi32(pair_of(a));
        low = _mm256_add_epi32(low, _mm256_madd_epi16(first, factor));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(second, factor));
        rest.add(a + stride, stride, first, second);
    }
    [[gnu::target("avx2"), gnu::always_inline]] void store(ByteSums* sums) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums[0]), low);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums[0] + kByteLanes / 2), high);
        rest.store(sums + 1);
    }
};

template <>
struct Avx2Sums<0> {
    void clear() {}
    [[gnu::target("avx2"), gnu::always_inline]] void add(const std::int16_t*, std::int64_t, __m256i,
                                                         __m256i) {}
    void store(ByteSums*) const {}
};

template <typename Byte, int kRows>
[[gnu::target("avx2")]] void avx2_rows(const ByteGemm& gemm, std::int64_t row, const void* panel,
                                       ByteSums* sums) {
    const std::int64_t pairs = pairs_of(gemm.k);
    const std::int16_t* a = pair_row(gemm, row);
    const auto* b = static_cast<const Byte*>(panel);
    Avx2Sums<kRows> results;
    results.clear();
    for (std::int64_t pair = 0; pair < pairs; ++pair, a += 2, b += kPairBytes) {
        results.add(a, 2 * pairs, widened_bytes<Byte>(b), widened_bytes<Byte>(b + kByteLanes));
    }
    results.store(sums);
}

// The same in vectors twice as wide.
template <int kRows>
struct Avx512Sums {
    __m512i sum;
    Avx512Sums<kRows - 1> rest;

    [[gnu::target("avx512f,avx512bw"), gnu::always_inline]] void clear() {
        sum = _mm512_setzero_si512();
        rest.clear();
    }

    [[gnu::target("avx512f,avx512bw"), gnu::always_inline]] void add(const std::int16_t* a,
                                                                     std::int64_t stride,
                                                                     __m512i wide) {
        const __m512i factor = _mm512_set1_epi32(pair_of(a));
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(wide, factor));
        rest.add(a + stride, stride, wide);
    }
    [[gnu::target("avx512f,avx512bw"), gnu::always_inline]] void store(ByteSums* sums) const {
        _mm512_storeu_si512(sums[0], sum);
        rest.store(sums + 1);
    }
};

template <>
struct Avx512Sums<0> {
    void clear() {}
    [[gnu::target("avx512f,avx512bw"), gnu::always_inline]] void add(const std::int16_t*,
                                                                     std::int64_t, __m512i) {}
    void store(ByteSums*) const {}
};

template <typename Byte, int kRows>
[[gnu::target("avx512f,avx512bw")]] void avx512_rows(const ByteGemm& gemm, std::int64_t row,
                                                     const void* panel, ByteSums* sums) {
    const std::int64_t pairs = pairs_of(gemm.k);
    const std::int16_t* a = pair_row(gemm, row);
    const auto* b = static_cast<const Byte*>(panel);
    Avx512Sums<kRows> results;
    results.clear();
    for (std::int64_t pair = 0; pair < pairs; ++pair, a += 2, b += kPairBytes) {
        const __m256i narrow = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
        results.add(
            a, 2 * pairs,
            std::is_signed_v<Byte> ? _mm512_cvtepi8_epi16(narrow) : _mm512_cvtepu8_epi16(narrow));
    }
    results.store(sums);
}

enum class Vectors { avx2, avx512 };

template <Vectors vectors, typename Byte, int kRows>
void rows_of(const ByteGemm& gemm, std::int64_t row, const void* panel, ByteSums* sums) {
    if constexpr (vectors == Vectors::avx2) {
        avx2_rows<Byte, kRows>(gemm, row, panel, sums);
    } else {
        avx512_rows<Byte, kRows>(gemm, row, panel, sums);
    }
}

template <Vectors vectors, typename Byte>
void vector_block(const ByteGemm& gemm, std::int64_t row, std::int64_t rows, const void* panel,
                  ByteSums* sums) {
    switch (rows) {
        case 1: return rows_of<vectors, Byte, 1>(gemm, row, panel, sums);
        case 2: return rows_of<vectors, Byte, 2>(gemm, row, panel, sums);
        case 3: return rows_of<vectors, Byte, 3>(gemm, row, panel, sums);
        case 4: return rows_of<vectors, Byte, 4>(gemm, row, panel, sums);
        case 5: return rows_of<vectors, Byte, 5>(gemm, row, panel, sums);
        default: return rows_of<vectors, Byte, kByteRows>(gemm, row, panel, sums);
    }
}

}  // namespace

ByteBlock byte_block(Isa isa, bool is_signed) {
    if (isa == Isa::avx2) {
        return is_signed ? vector_block<Vectors::avx2, std::int8_t>
                         : vector_block<Vectors::avx2, std::uint8_t>;
    }
    return is_signed ? vector_block<Vectors::avx512, std::int8_t>
                     : vector_block<Vectors::avx512, std::uint8_t>;
}

[[gnu::target("avx512f,avx512bw")]] std::uint32_t load_bytes(const ByteData& row, std::int64_t k,
                                                             std::uint8_t* to) {
    constexpr std::int64_t kBytes = 64;
    const auto* from = static_cast<const std::uint8_t*>(row.data);
    const __m512i flip = _mm512_set1_epi8(row.is_signed ? static_cast<char>(kSignBit) : char{0});
    __m512i sums = _mm512_setzero_si512();
    for (std::int64_t i = 0; i < k; i += kBytes) {
        const std::int64_t left = std::min(kBytes, k - i);
        const __mmask64 mask = ~std::uint64_t{0} >> (kBytes - left);
        const __m512i bytes = _mm512_maskz_mov_epi8(
            mask, _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, from + i), flip));
        _mm512_mask_storeu_epi8(to + i, mask, bytes);
        sums = _mm512_add_epi64(sums, _mm512_sad_epu8(bytes, _mm512_setzero_si512()));
    }
    std::uint64_t parts[kBytes / 8];
    _mm512_storeu_si512(parts, sums);
    return static_cast<std::uint32_t>(std::accumulate(parts, std::end(parts), std::uint64_t{0}));
}

}  // namespace rondo::cpu::avx
