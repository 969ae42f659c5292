// Describes how the weights of a product lie in memory, and what they are multiplied by.
#pragma once

#include <cstdint>

#include "core/support/integer_weights.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Weights of a floating type are multiplied by scalars: f64 where they are, else f32, to which f16
/// and bf16 are widened in registers. Weights of integers are multiplied by rows that are quantised
/// to integers, and sums are exact. With kBf16 rows are rounded to bf16 as well, and sums of f32
/// have the order of the processor's tiles (AMX): for each kBf16Chain numbers of k a chain of fused
/// multiply-adds over the even ones and one over the odd ones, both from 0, then the sum so far,
/// which starts from the bias, + (even + odd).
///
/// Integers of 16 bits, weights or rows, are taken apart into planes of bytes. A sum of products is
/// then the sum of 1 to 4 products of planes, and those of one power of 256 share a sum of 32 bits.
struct WeightFormat {
    ElementType type = ElementType::f32;  ///< f32, f16, bf16, f64, i8 or i16
    /// To how many bits rows are rounded: 8 or 16; 0 where they are scalars.
    int row_bits = 0;

    constexpr WeightFormat() = default;
    /// Rows have as many bits as weights of integers.
    constexpr WeightFormat(ElementType weights)  // NOLINT: a type is a format
        : type(weights),
          row_bits(weights == ElementType::i8    ? 8
                   : weights == ElementType::i16 ? 16
                                                 : 0) {}
    constexpr WeightFormat(ElementType weights, int bits) : type(weights), row_bits(bits) {}

    constexpr bool operator==(const WeightFormat&) const = default;

    constexpr bool rounds_rows() const { return row_bits > 0; }
    constexpr bool integers() const { return type == ElementType::i8 || type == ElementType::i16; }
    /// Whether rows are rounded to bf16.
    constexpr bool chains_pairs() const { return rounds_rows() && !integers(); }
    /// Planes of a row: the last has the sign or the zero point.
    constexpr int row_planes() const { return integers() && row_bits > 8 ? 2 : 1; }
    constexpr int weight_planes() const { return type == ElementType::i16 ? 2 : 1; }
    /// Sums of 32 bits, the least power of 256 first.
    constexpr int sums() const { return row_planes() + weight_planes() - 1; }
    /// Registers that a vector of results takes while it is summed: its sums, or the sum so far,
    /// the even chain and the odd one.
    constexpr int chains() const { return chains_pairs() ? 3 : sums(); }

    Precision precision() const { return precision_of(type); }
    /// Bytes of a number in memory.
    std::int64_t bytes() const { return static_cast<std::int64_t>(size_of(type)); }
};

/// 8-bit weights; `w8r8` is what DynamicQuantizeLSTM means.
inline constexpr WeightFormat kW8R8{ElementType::i8, 8};
/// 8-bit weights, and rows that lose next to nothing.
inline constexpr WeightFormat kW8R16{ElementType::i8, 16};
/// Less error than weights of f16.
inline constexpr WeightFormat kW16R16{ElementType::i16, 16};

/// Weights and rows of bf16, for models that allow it.
inline constexpr WeightFormat kBf16{ElementType::bf16, 16};

/// A format and its part of the names of kernels.
struct NamedFormat {
    WeightFormat format;
    const char* name;
};
inline constexpr NamedFormat kWeightFormats[] = {
    {ElementType::f32, "f32"},
    {ElementType::f16, "f16w"},
    {ElementType::bf16, "bf16w"},
    {ElementType::f64, "f64"},
    {kW8R8, "w8r8"},
    {kW8R16, "w8r16"},
    {kW16R16, "w16r16"},
    {kBf16, "bf16"},
};
inline constexpr WeightFormat kIntegerFormats[] = {kW8R8, kW8R16, kW16R16};
inline constexpr WeightFormat kRoundingFormats[] = {kW8R8, kW8R16, kW16R16, kBf16};

/// The name of this format, or "?".
constexpr const char* name_of(const WeightFormat& format) {
    for (const NamedFormat& named : kWeightFormats) {
        if (named.format == format) return named.name;
    }
    return "?";
}

/// How many numbers of k a step of a product takes. Integers come in fours for VNNI, else in pairs:
/// one instruction multiplies and adds them. bf16 comes in pairs of an even and an odd number.
inline int numbers_of_step(Isa isa, const WeightFormat& format,
                           const CpuFeatures& features = cpu_features()) {
    if (!format.rounds_rows()) return 1;
    if (format.chains_pairs()) return 2;
    const bool in_fours =
        isa == Isa::avx512 ? features.vnni : isa == Isa::avx2 && features.avx_vnni;
    return in_fours ? 4 : 2;
}

/// How many integers of k a tile of the processor takes (AMX): a step of its products.
inline constexpr int kTileNumbers = 64;
/// The same of bf16, whose chains are as long.
inline constexpr int kBf16Chain = 32;
constexpr int tile_numbers(const WeightFormat& format) {
    return format.integers() ? kTileNumbers : kBf16Chain;
}

/// Numbers of bf16 below this count as zeros: products and their sums are then no denormals, which
/// tiles would take for zeros.
inline constexpr float kLeastBf16 = 0x1p-56F;

/// k rounded up to whole steps.
constexpr std::int64_t whole_steps(std::int64_t k, int together) {
    return (k + together - 1) / together * together;
}

// The numbers that the integers of a quantised row mean.

/// A number is scale * (its integer - zero).
struct RowScale {
    float scale = 0;
    std::int32_t zero = 0;
};

}  // namespace rondo::cpu
