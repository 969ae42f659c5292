// Rounds a row: the loops, to be compiled for each instruction set.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "plugins/cpu/kernels/product/weight_format.hpp"

namespace rondo::cpu {

inline constexpr std::int32_t kSteps = 255;
inline constexpr std::int32_t kMostOfI16 = 32767;
inline constexpr float kLeast = 0x1p-100F;
inline constexpr std::uint32_t kSign = 0x80000000;

// Bits of a row's least and greatest number, or of zeros. As integers, numbers of one sign have the
// order of their magnitudes, and NaN is above infinity.
struct Extremes {
    std::uint32_t least = kSign;
    std::int32_t greatest = 0;
};

[[gnu::always_inline]] inline Extremes extremes_of(const float* row, std::int64_t k) {
    Extremes found;
    for (std::int64_t i = 0; i < k; ++i) {
        found.greatest = std::max(found.greatest, std::bit_cast<std::int32_t>(row[i]));
        found.least = std::max(found.least, std::bit_cast<std::uint32_t>(row[i]));
    }
    return found;
}

// Adding and subtracting `magic` rounds to the nearest integer, halves to the even one.
[[gnu::always_inline]] inline std::int32_t rounded(float value) {
    constexpr float magic = 0x1.8p23F;
    return static_cast<std::int32_t>((value + magic) - magic);
}

inline bool is_finite(const Extremes& extremes) {
    return std::isfinite(std::bit_cast<float>(extremes.least)) &&
           std::isfinite(std::bit_cast<float>(extremes.greatest));
}

inline bool has_steps(const RowScale& scale) { return scale.scale > 0; }

inline RowScale scale_of_bytes(float least, float greatest) {
    const float scale = greatest / kSteps - least / kSteps;
    return {scale, rounded(-least * (1 / scale))};
}

inline RowScale scale_of_words(float least, float greatest) {
    return {std::max(-least, greatest) / kMostOfI16, 0};
}

inline RowScale scale_of(const Extremes& extremes, int bits) {
    if (!is_finite(extremes)) return {std::numeric_limits<float>::quiet_NaN(), 0};
    const auto least = std::bit_cast<float>(extremes.least);
    const auto greatest = std::bit_cast<float>(extremes.greatest);
    if (std::max(-least, greatest) < kLeast) return {};
    return bits == 8 ? scale_of_bytes(least, greatest) : scale_of_words(least, greatest);
}

// Q: std::uint8_t, or std::int16_t for integers less `zero`.
template <typename Q>
[[gnu::always_inline]] inline void round_bytes(const float* row, const RowScale& scale,
                                               std::int64_t k, Q* to) {
    const float factor = 1 / scale.scale;
    const std::int32_t taken = sizeof(Q) == 1 ? 0 : scale.zero;
    for (std::int64_t i = 0; i < k; ++i) {
        const std::int32_t integer = rounded(row[i] * factor) + scale.zero;
        to[i] = static_cast<Q>(std::clamp(integer, 0, kSteps) - taken);
    }
}

[[gnu::always_inline]] inline void round_words(const float* row, const RowScale& scale,
                                               std::int64_t k, std::int16_t* to) {
    const float factor = 1 / scale.scale;
    for (std::int64_t i = 0; i < k; ++i) {
        const std::int32_t integer = rounded(row[i] * factor);
        to[i] = static_cast<std::int16_t>(std::clamp(integer, -kMostOfI16, kMostOfI16));
    }
}

// Two steps of four numbers: their lower bytes, then the upper ones plus 128.
[[gnu::always_inline]] inline void split_fours(const std::int16_t* numbers, std::uint8_t* to) {
    typedef std::uint8_t Bytes __attribute__((vector_size(16)));
    constexpr std::uint8_t kHalf = 128;
    constexpr Bytes kUpper = {0, 0, 0, 0, kHalf, kHalf, kHalf, kHalf,
                              0, 0, 0, 0, kHalf, kHalf, kHalf, kHalf};
    Bytes bytes;
    std::memcpy(&bytes, numbers, sizeof bytes);
    bytes = __builtin_shufflevector(bytes, bytes, 0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13,
                                    15) ^
            kUpper;
    std::memcpy(to, &bytes, sizeof bytes);
}

// A step of two numbers: their lower bytes, then the upper ones, as 16 bits.
[[gnu::always_inline]] inline void split_pair(const std::int16_t* numbers, std::int16_t* to) {
    constexpr int kByte = 8, kLower = 255;
    for (int i = 0; i < 2; ++i) {
        to[i] = static_cast<std::int16_t>(numbers[i] & kLower);
        to[2 + i] = static_cast<std::int16_t>(numbers[i] >> kByte);
    }
}

// A step of a tile: the lower bytes, then the upper ones plus 128.
[[gnu::always_inline]] inline void split_tile(const std::int16_t* numbers, std::uint8_t* to) {
    constexpr int kByte = 8, kHalf = 128;
    for (int i = 0; i < kTileNumbers; ++i) {
        to[i] = static_cast<std::uint8_t>(numbers[i]);
        to[kTileNumbers + i] = static_cast<std::uint8_t>((numbers[i] >> kByte) + kHalf);
    }
}

// Some words at a time, which stay in the first-level cache.
[[gnu::always_inline]] inline void round_planes(const float* row, const RowScale& scale,
                                                std::int64_t k, int together, void* to) {
    constexpr std::int64_t kWords = 512;
    std::int16_t words[kWords];
    for (std::int64_t first = 0; first < k; first += kWords) {
        const std::int64_t count = std::min(kWords, k - first);
        const std::int64_t whole = whole_steps(count, kTileNumbers);
        round_words(row + first, scale, count, words);
        std::fill(words + count, words + whole, std::int16_t{0});
        if (together == kTileNumbers) {
            auto* bytes = static_cast<std::uint8_t*>(to) + 2 * first;
            for (std::int64_t i = 0; i < count; i += kTileNumbers) {
                split_tile(words + i, bytes + 2 * i);
            }
        } else if (together == 4) {
            auto* bytes = static_cast<std::uint8_t*>(to) + 2 * first;
            const std::int64_t eights = count / 8 * 8;
            for (std::int64_t i = 0; i < eights; i += 8) split_fours(words + i, bytes + 2 * i);
            if (eights == count) continue;
            std::uint8_t rest[16];
            split_fours(words + eights, rest);
            std::memcpy(bytes + 2 * eights, rest, count - eights > 4 ? 16 : 8);
        } else {
            auto* pairs = static_cast<std::int16_t*>(to) + 2 * first;
            for (std::int64_t i = 0; i < count; i += 2) split_pair(words + i, pairs + 2 * i);
        }
    }
}

// The integer 0 in all planes of all steps.
inline void fill_zeros(int bits, int together, const RowScale& scale, std::int64_t k, void* to) {
    const std::int64_t planes = bits / 8, whole = whole_steps(k, together);
    std::memset(to, 0, static_cast<std::size_t>(whole * planes * (together == 2 ? 2 : 1)));
    if (planes == 1 || together == 2) return;
    auto* bytes = static_cast<std::uint8_t*>(to);
    const auto step = static_cast<std::size_t>(together);
    for (std::int64_t i = 0; i < whole; i += together, bytes += 2 * step) {
        std::memset(bytes + step, scale.zero, step);
    }
}

[[gnu::always_inline]] inline RowScale quantized(int bits, int together, const float* row,
                                                 std::int64_t k, void* to) {
    RowScale scale = scale_of(extremes_of(row, k), bits);
    if (bits == 16 && together != 2) scale.zero = 128;
    if (!has_steps(scale)) {
        fill_zeros(bits, together, scale, k, to);
        return scale;
    }
    if (bits == 16) {
        round_planes(row, scale, k, together, to);
        return scale;
    }
    const std::int64_t number = together == 2 ? 2 : 1;
    const std::int64_t whole = whole_steps(k, together);
    std::memset(static_cast<char*>(to) + k * number, 0,
                static_cast<std::size_t>((whole - k) * number));
    if (together != 2) {
        round_bytes(row, scale, k, static_cast<std::uint8_t*>(to));
    } else {
        round_bytes(row, scale, k, static_cast<std::int16_t*>(to));
    }
    return scale;
}

// The bits of a number, rounded to its upper half.
[[gnu::always_inline]] inline std::uint32_t rounded_to_half(float value) {
    constexpr std::uint32_t kMagnitude = 0x7FFFFFFF, kInfinity = 0x7F800000, kNan = 0x7FC00000;
    constexpr std::uint32_t kUpper = 0xFFFF0000, kJustBelowHalf = 0x7FFF;
    constexpr auto least = std::bit_cast<std::uint32_t>(kLeastBf16);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & kMagnitude;
    const std::uint32_t nearest = (bits + kJustBelowHalf + ((bits >> 16) & 1)) & kUpper;
    const std::uint32_t number = magnitude > kInfinity ? kNan : nearest;
    return magnitude < least ? 0 : number;
}

[[gnu::always_inline]] inline void rounded_row(int together, const float* row, std::int64_t k,
                                               void* to) {
    const std::int64_t whole = whole_steps(k, together);
    if (together == 2) {
        auto* out = static_cast<std::uint32_t*>(to);
        for (std::int64_t i = 0; i < k; ++i) out[i] = rounded_to_half(row[i]);
        std::fill(out + k, out + whole, 0u);
    } else {
        auto* out = static_cast<std::uint16_t*>(to);
        for (std::int64_t i = 0; i < k; ++i) {
            out[i] = static_cast<std::uint16_t>(rounded_to_half(row[i]) >> 16);
        }
        std::fill(out + k, out + whole, std::uint16_t{0});
    }
}

}  // namespace rondo::cpu
