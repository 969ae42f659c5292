#include "plugins/cpu/kernels/product/byte_gemm.hpp"

#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace rondo::cpu {
namespace {

constexpr std::int64_t kPairBytes = 2 * kByteLanes;  // of a panel, for two numbers of k
constexpr std::int64_t kRowBlock = 6;                // rows that share what is loaded of B

std::int64_t pairs_of(std::int64_t k) { return (k + 1) / 2; }

std::int64_t panel_bytes(std::int64_t k) { return pairs_of(k) * kPairBytes; }

using Sums = std::int32_t[kByteLanes];

// sums[r] = row r of A times a panel. A pair of products fits in 32 bits, and their sums wrap.
template <typename Byte>
void plain_block(const ByteGemm& gemm, std::int64_t row, std::int64_t rows, const void* panel,
                 Sums* sums) {
    const std::int64_t pairs = pairs_of(gemm.k);
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int16_t* a = gemm.rows + (row + r) * 2 * pairs;
        const auto* b = static_cast<const Byte*>(panel);
        std::uint32_t result[kByteLanes] = {};
        for (std::int64_t pair = 0; pair < pairs; ++pair, b += kPairBytes) {
            for (std::int64_t lane = 0; lane < kByteLanes; ++lane) {
                result[lane] += static_cast<std::uint32_t>(a[2 * pair] * b[2 * lane] +
                                                           a[2 * pair + 1] * b[2 * lane + 1]);
            }
        }
        std::memcpy(sums[r], result, sizeof result);
    }
}

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
    [[gnu::target("avx2"), gnu::always_inline]] void store(Sums* sums) const {
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
    void store(Sums*) const {}
};

template <typename Byte, int kRows>
[[gnu::target("avx2")]] void avx2_rows(const ByteGemm& gemm, std::int64_t row, const void* panel,
                                       Sums* sums) {
    const std::int64_t pairs = pairs_of(gemm.k);
    const std::int16_t* a = gemm.rows + row * 2 * pairs;
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
    [[gnu::target("avx512f,avx512bw"), gnu::always_inline]] void store(Sums* sums) const {
        _mm512_storeu_si512(sums[0], sum);
        rest.store(sums + 1);
    }
};

template <>
struct Avx512Sums<0> {
    void clear() {}
    [[gnu::target("avx512f,avx512bw"), gnu::always_inline]] void add(const std::int16_t*,
                                                                     std::int64_t, __m512i) {}
    void store(Sums*) const {}
};

template <typename Byte, int kRows>
[[gnu::target("avx512f,avx512bw")]] void avx512_rows(const ByteGemm& gemm, std::int64_t row,
                                                     const void* panel, Sums* sums) {
    const std::int64_t pairs = pairs_of(gemm.k);
    const std::int16_t* a = gemm.rows + row * 2 * pairs;
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
void rows_of(const ByteGemm& gemm, std::int64_t row, const void* panel, Sums* sums) {
    if constexpr (vectors == Vectors::avx2) {
        avx2_rows<Byte, kRows>(gemm, row, panel, sums);
    } else {
        avx512_rows<Byte, kRows>(gemm, row, panel, sums);
    }
}

template <Vectors vectors, typename Byte>
void vector_block(const ByteGemm& gemm, std::int64_t row, std::int64_t rows, const void* panel,
                  Sums* sums) {
    switch (rows) {
        case 1: return rows_of<vectors, Byte, 1>(gemm, row, panel, sums);
        case 2: return rows_of<vectors, Byte, 2>(gemm, row, panel, sums);
        case 3: return rows_of<vectors, Byte, 3>(gemm, row, panel, sums);
        case 4: return rows_of<vectors, Byte, 4>(gemm, row, panel, sums);
        case 5: return rows_of<vectors, Byte, 5>(gemm, row, panel, sums);
        default: return rows_of<vectors, Byte, kRowBlock>(gemm, row, panel, sums);
    }
}

using Block = void (*)(const ByteGemm& gemm, std::int64_t row, std::int64_t rows, const void* panel,
                       Sums* sums);

template <typename Byte>
Block block_of(Isa isa) {
    switch (isa) {
        case Isa::plain: return plain_block<Byte>;
        case Isa::avx2: return vector_block<Vectors::avx2, Byte>;
        case Isa::avx512: return vector_block<Vectors::avx512, Byte>;
    }
    return plain_block<Byte>;
}

Block block_for(Isa isa, bool is_signed) {
    return is_signed ? block_of<std::int8_t>(isa) : block_of<std::uint8_t>(isa);
}

// sum over k of a (b - zero) = sum over k of a b - zero * sum over k of a.
void store(const ByteGemm& gemm, std::int64_t row, Range columns, const std::uint32_t* zeros,
           const Sums& sums) {
    const auto row_sum = static_cast<std::uint32_t>(gemm.sums[row]);
    std::int32_t* to = gemm.c + row * gemm.n + columns.begin;
    const auto corrected = [&](std::int64_t i) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[i]) - zeros[i] * row_sum);
    };
    if (columns.size() == kByteLanes) {
        for (std::int64_t i = 0; i < kByteLanes; ++i) to[i] = corrected(i);
        return;
    }
    for (std::int64_t i = 0; i < columns.size(); ++i) to[i] = corrected(i);
}

}  // namespace

std::size_t packed_byte_size(std::int64_t k, std::int64_t n) {
    return static_cast<std::size_t>(byte_panels(n) * panel_bytes(k));
}

void pack_bytes(const void* b, std::int64_t k, std::int64_t n, void* to, Range panels) {
    const auto* from = static_cast<const std::uint8_t*>(b);
    for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
        auto* bytes = static_cast<std::uint8_t*>(to) + panel * panel_bytes(k);
        const std::int64_t first = panel * kByteLanes;
        const std::int64_t count = std::min(kByteLanes, n - first);
        std::memset(bytes, 0, static_cast<std::size_t>(panel_bytes(k)));
        for (std::int64_t row = 0; row < k; ++row) {
            std::uint8_t* pair = bytes + row / 2 * kPairBytes + row % 2;
            for (std::int64_t i = 0; i < count; ++i) pair[2 * i] = from[row * n + first + i];
        }
    }
}

std::int32_t centre_row(const ByteData& a, std::int64_t k, std::int32_t zero_point,
                        std::int16_t* to) {
    std::uint32_t sum = 0;
    const auto centre = [&](const auto* from) {
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int32_t value = from[i] - zero_point;
            to[i] = static_cast<std::int16_t>(value);
            sum += static_cast<std::uint32_t>(value);
        }
    };
    if (a.is_signed) {
        centre(static_cast<const std::int8_t*>(a.data));
    } else {
        centre(static_cast<const std::uint8_t*>(a.data));
    }
    if (k % 2 != 0) to[k] = 0;
    return static_cast<std::int32_t>(sum);
}

void byte_gemm(Isa isa, const ByteGemm& gemm, Range rows, Range panels) {
    if (rows.empty()) return;
    const Block block = block_for(isa, gemm.panels.is_signed);
    const std::int64_t blocks = divide_up(rows.size(), kRowBlock);
    Sums sums[kRowBlock];
    for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
        const void* b = gemm.panels.from(panel * panel_bytes(gemm.k)).data;
        const std::int64_t first = panel * kByteLanes;
        const Range columns{first, std::min(first + kByteLanes, gemm.n)};
        std::uint32_t zeros[kByteLanes] = {};
        for (std::int64_t i = columns.begin; i < columns.end; ++i) {
            const std::int32_t zero = gemm.zero_points.at(i * gemm.zero_point_step);
            zeros[i - first] = static_cast<std::uint32_t>(zero);
        }
        for (std::int64_t i = 0; i < blocks; ++i) {  // of nearly equal size
            const Range part = slice_of(rows.size(), i, blocks);
            const std::int64_t row = rows.begin + part.begin;
            block(gemm, row, part.size(), b, sums);
            for (std::int64_t r = 0; r < part.size(); ++r) {
                store(gemm, row + r, columns, zeros, sums[r]);
            }
        }
    }
}

}  // namespace rondo::cpu
