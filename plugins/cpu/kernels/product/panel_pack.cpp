#include "plugins/cpu/kernels/product/panel_pack.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"

namespace rondo::cpu {
namespace {

// 16 bytes, as every processor has; wider vectors gain nothing: memory is slower.
template <typename Bits>
struct VectorOf;
template <>
struct VectorOf<std::uint16_t> {
    typedef std::uint16_t Type __attribute__((vector_size(16)));
};
template <>
struct VectorOf<std::uint32_t> {
    typedef std::uint32_t Type __attribute__((vector_size(16)));
};
template <>
struct VectorOf<std::uint64_t> {
    typedef std::uint64_t Type __attribute__((vector_size(16)));
};
template <typename Bits>
using Vector = typename VectorOf<Bits>::Type;

template <typename Bits>
constexpr int kSize = static_cast<int>(sizeof(Vector<Bits>) / sizeof(Bits));

// a0 b0 a1 b1 ... of the lower halves.
template <typename V>
V interleave_low(V a, V b) {
    if constexpr (sizeof(a[0]) == 2) return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    if constexpr (sizeof(a[0]) == 4) return __builtin_shufflevector(a, b, 0, 4, 1, 5);
    if constexpr (sizeof(a[0]) == 8) return __builtin_shufflevector(a, b, 0, 2);
}

template <typename V>
V interleave_high(V a, V b) {
    if constexpr (sizeof(a[0]) == 2) {
        return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    if constexpr (sizeof(a[0]) == 4) return __builtin_shufflevector(a, b, 2, 6, 3, 7);
    if constexpr (sizeof(a[0]) == 8) return __builtin_shufflevector(a, b, 1, 3);
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
void turn(Vector<Bits>* rows) {
    constexpr int kHalf = kSize<Bits> / 2;
    Vector<Bits> turned[2 * kHalf];
    for (int i = 0; i < kHalf; ++i) {
        turned[2 * i] = interleave_low(rows[i], rows[i + kHalf]);
        turned[2 * i + 1] = interleave_high(rows[i], rows[i + kHalf]);
    }
    std::copy_n(turned, 2 * kHalf, rows);
    if constexpr (kRounds > 1) turn<Bits, kRounds - 1>(rows);
}

// kSize columns of kSize elements, which lie side by side.
template <typename Bits>
void transpose_square(const Place<Bits>& place) {
    constexpr int kRounds = std::countr_zero(static_cast<unsigned>(kSize<Bits>));
    Vector<Bits> rows[kSize<Bits>];
    for (int i = 0; i < kSize<Bits>; ++i) {
        std::memcpy(rows + i, place.at(0, i).in, sizeof rows[i]);
    }
    turn<Bits, kRounds>(rows);
    for (int i = 0; i < kSize<Bits>; ++i) {
        std::memcpy(place.at(i, 0).out, rows + i, sizeof rows[i]);
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
    if (source.k == 0) return;
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

namespace {

template <typename T>
void pack_each(const PanelSource& source, const PanelTarget& target, int together) {
    auto* out = static_cast<T*>(target.data);
    const auto* from = static_cast<const T*>(source.data);
    const std::int64_t steps = whole_steps(source.k, together) / together;
    for (std::int64_t step = 0; step < steps; ++step) {
        std::fill_n(out + step * target.stride * together, target.lanes * together, T{0});
    }
    for (std::int64_t k = 0; k < source.k; ++k) {
        T* to = out + k / together * target.stride * together + k % together;
        for (std::int64_t lane = 0; lane < source.columns; ++lane) {
            to[lane * together] = from[k * source.k_stride + lane * source.column_stride];
        }
    }
}

// One plane, of T. What a step takes of a column that lies in one piece is an element.
template <typename T>
void pack_plane(const PanelSource& source, const PanelTarget& target, int together) {
    const bool whole =
        source.k_stride == 1 && source.k % together == 0 && source.column_stride % together == 0;
    if (!whole) return pack_each<T>(source, target, together);
    pack_panel(
        {source.data, source.k / together, 1, source.columns, source.column_stride / together},
        target, static_cast<std::size_t>(together) * sizeof(T));
}

void pack_bytes(const PanelSource& source, const PanelTarget& target, int together,
                std::int32_t* sums) {
    pack_plane<std::int8_t>(source, target, together);
    for (std::int64_t lane = 0; lane < target.lanes; ++lane) {
        sums[lane] = 0;
        if (lane >= source.columns || source.k == 0) continue;
        const auto* from =
            static_cast<const std::int8_t*>(source.data) + lane * source.column_stride;
        sums[lane] = std::accumulate(from, from + source.k, 0);
    }
}

}  // namespace

void pack_steps(const PanelSource& source, const PanelTarget& target, const WeightFormat& format,
                int together, std::int32_t* sums) {
    if (!format.integers()) return pack_plane<std::uint16_t>(source, target, together);
    internal_check(source.k_stride == 1, "integers are packed from contiguous columns");
    if (format.weight_planes() == 1) return pack_bytes(source, target, together, sums);
    const auto size = static_cast<std::size_t>(source.k * source.columns);
    std::vector<std::int8_t> planes[2];
    for (auto& plane : planes) plane.reserve(size);
    for (std::int64_t column = 0; column < source.columns; ++column) {
        const auto* from =
            static_cast<const std::int16_t*>(source.data) + column * source.column_stride;
        for (std::int64_t k = 0; k < source.k; ++k) {
            const auto lower = static_cast<std::int8_t>(from[k]);
            planes[0].push_back(lower);
            planes[1].push_back(static_cast<std::int8_t>((from[k] - lower) / 256));
        }
    }
    for (int plane = 0; plane < 2; ++plane) {
        auto* out = static_cast<char*>(target.data) + plane * target.lanes * together;
        pack_bytes({planes[plane].data(), source.k, 1, source.columns, source.k},
                   {out, target.lanes, 2 * target.stride}, together, sums + plane * target.lanes);
    }
}

void pack_columns(const PanelSource& source, const PanelTarget& target, const WeightFormat& format,
                  int together, std::int32_t* sums) {
    if (format.rounds_rows()) return pack_steps(source, target, format, together, sums);
    pack_panel(source, target, static_cast<std::size_t>(format.bytes()));
}

}  // namespace rondo::cpu
