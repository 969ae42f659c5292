#include "plugins/cpu/kernels/product/panel_pack.hpp"

#include <emmintrin.h>

#include <algorithm>
#include <bit>

#include "core/support/check.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"

namespace rondo::cpu {
namespace {

// Elements of a vector. Every x86-64 has these, and wider ones gain nothing: memory is slower.
template <typename Bits>
constexpr int kSize = static_cast<int>(sizeof(__m128i) / sizeof(Bits));

// a0 b0 a1 b1 ... of the lower halves.
template <typename Bits>
__m128i interleave_low(__m128i a, __m128i b) {
    if constexpr (sizeof(Bits) == 2) return _mm_unpacklo_epi16(a, b);
    if constexpr (sizeof(Bits) == 4) return _mm_unpacklo_epi32(a, b);
    return _mm_unpacklo_epi64(a, b);
}

template <typename Bits>
__m128i interleave_high(__m128i a, __m128i b) {
    if constexpr (sizeof(Bits) == 2) return _mm_unpackhi_epi16(a, b);
    if constexpr (sizeof(Bits) == 4) return _mm_unpackhi_epi32(a, b);
    return _mm_unpackhi_epi64(a, b);
}

// Where the next element to be packed comes from and goes.
template <typename Bits>
struct Place {
    const Bits* in;
    std::int64_t k_stride;
    std::int64_t column_stride;
    Bits* out;
    std::int64_t out_stride;

    Place at(std::int64_t k, std::int64_t column) const {
        return {in + k * k_stride + column * column_stride, k_stride, column_stride,
                out + k * out_stride + column, out_stride};
    }
};

// Interleaving the first half of kSize vectors with the second moves the bits of an element's
// number (vector, then lane) up by one. After as many rounds as a lane's number has bits, vectors
// and lanes have changed places.
template <typename Bits, int kRounds>
void turn(__m128i* rows) {
    constexpr int kHalf = kSize<Bits> / 2;
    __m128i turned[2 * kHalf];
    for (int i = 0; i < kHalf; ++i) {
        turned[2 * i] = interleave_low<Bits>(rows[i], rows[i + kHalf]);
        turned[2 * i + 1] = interleave_high<Bits>(rows[i], rows[i + kHalf]);
    }
    std::copy_n(turned, 2 * kHalf, rows);
    if constexpr (kRounds > 1) turn<Bits, kRounds - 1>(rows);
}

// kSize columns of kSize elements, which lie side by side.
template <typename Bits>
void transpose_square(const Place<Bits>& place) {
    constexpr int kRounds = std::countr_zero(static_cast<unsigned>(kSize<Bits>));
    __m128i rows[kSize<Bits>];
    for (int i = 0; i < kSize<Bits>; ++i) {
        rows[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(place.at(0, i).in));
    }
    turn<Bits, kRounds>(rows);
    for (int i = 0; i < kSize<Bits>; ++i) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(place.at(i, 0).out), rows[i]);
    }
}

template <typename Bits>
void copy_each(const Place<Bits>& place, std::int64_t ks, std::int64_t columns) {
    for (std::int64_t k = 0; k < ks; ++k) {
        const Place<Bits> row = place.at(k, 0);
        if (row.column_stride == 1) {
            std::copy_n(row.in, columns, row.out);
            continue;
        }
        for (std::int64_t j = 0; j < columns; ++j) row.out[j] = row.in[j * row.column_stride];
    }
}

// A cache line of each column at a time: columns whose stride is a power of two share the few lines
// that a cache has for them, and would drive each other out before a line is used up.
template <typename Bits>
void transpose(const Place<Bits>& place, std::int64_t ks, std::int64_t columns) {
    constexpr auto kLine = static_cast<std::int64_t>(kCacheLine / sizeof(Bits));
    const std::int64_t whole_ks = ks - ks % kSize<Bits>;
    const std::int64_t whole_columns = columns - columns % kSize<Bits>;
    for (std::int64_t line = 0; line < whole_ks; line += kLine) {
        const std::int64_t end = std::min(line + kLine, whole_ks);
        for (std::int64_t column = 0; column < whole_columns; column += kSize<Bits>) {
            for (std::int64_t k = line; k < end; k += kSize<Bits>) {
                transpose_square(place.at(k, column));
            }
        }
    }
    copy_each(place.at(whole_ks, 0), ks - whole_ks, whole_columns);
    copy_each(place.at(0, whole_columns), ks, columns - whole_columns);
}

template <typename Bits>
void pack(const PanelSource& source, const PanelTarget& target) {
    auto* out = static_cast<Bits*>(target.data);
    const Place<Bits> place{static_cast<const Bits*>(source.data), source.k_stride,
                            source.column_stride, out, target.stride};
    if (source.k_stride == 1) {
        transpose(place, source.k, source.columns);
    } else {
        copy_each(place, source.k, source.columns);
    }
    if (source.columns == target.lanes) return;
    for (std::int64_t k = 0; k < source.k; ++k) {
        std::fill_n(out + k * target.stride + source.columns, target.lanes - source.columns, 0);
    }
}

}  // namespace

void pack_panel(const PanelSource& source, const PanelTarget& target, std::size_t element_bytes) {
    switch (element_bytes) {
        case 2: return pack<std::uint16_t>(source, target);
        case 4: return pack<std::uint32_t>(source, target);
        case 8: return pack<std::uint64_t>(source, target);
        default: internal_error("panels hold elements of 2, 4 or 8 bytes");
    }
}

}  // namespace rondo::cpu
