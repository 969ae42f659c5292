// Rows of f32, rounded to 16 bits for products with 8-bit weights.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Whether products with weights of this type are those of integers: 8-bit weights times rows that
/// are rounded to 16 bits.
constexpr bool rounds_rows(ElementType weights) { return weights == ElementType::i8; }

/// How many numbers of k a step of a product takes: integers come in pairs, which one instruction
/// multiplies and adds.
constexpr std::int64_t numbers_of_step(ElementType weights) { return rounds_rows(weights) ? 2 : 1; }

/// The longest row that such a product takes; its k must be even too.
inline constexpr std::int64_t kMaxWords = 1 << 14;

/// to[i] = row[i] / scale, rounded to the nearest integer. Returns the scale: a 32767th of the
/// greatest magnitude. A row of numbers below 2^-100 counts as zeros, with a scale of 0; the scale
/// of a row with an infinity or a NaN is NaN. The same bits with and without `vectors` (AVX2).
float round_to_words(bool vectors, const float* row, std::int64_t k, std::int16_t* to);

/// Some rounded rows, in memory of its own; small enough for the stack.
class WordRows {
public:
    static constexpr std::int64_t kMaxRows = 48;

    WordRows(bool vectors, std::int64_t k) : vectors_(vectors), k_(k) {}

    /// How many fit, at least 1.
    std::int64_t capacity() const {
        return std::clamp<std::int64_t>(kMaxWords / std::max<std::int64_t>(k_, 1), 1, kMaxRows);
    }
    void load(std::int64_t index, const float* row) {
        scales_[index] = round_to_words(vectors_, row, k_, words_ + index * k_);
    }
    const std::int16_t* row(std::int64_t index) const { return words_ + index * k_; }
    const float* scales() const { return scales_; }

private:
    const bool vectors_;
    const std::int64_t k_;
    alignas(kCacheLine) std::int16_t words_[kMaxWords];
    float scales_[kMaxRows];
};

}  // namespace rondo::cpu
