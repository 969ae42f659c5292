// Rows of f32, quantised to 8 bits for products with 8-bit weights.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/row_scale.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Whether products with weights of this type are those of integers: 8-bit weights times rows that
/// are quantised to 8 bits.
constexpr bool quantizes_rows(ElementType weights) { return weights == ElementType::i8; }

/// How many numbers of k a step of a product takes. Integers come in fours for VNNI, else in pairs:
/// one instruction multiplies and adds them.
inline int numbers_of_step(Isa isa, ElementType weights) {
    if (!quantizes_rows(weights)) return 1;
    return isa == Isa::avx512 && cpu_features().vnni ? 4 : 2;
}

/// k rounded up to whole steps.
constexpr std::int64_t whole_steps(std::int64_t k, int together) {
    return (k + together - 1) / together * together;
}

/// The longest row that such a product takes: any sum then fits in 32 bits.
inline constexpr std::int64_t kMaxQuantized = 1 << 14;

/// Quantises a row to integers of 0 to 255, as DynamicQuantizeLinear does: `zero` stands for 0, and
/// steps of `scale` reach from the least number to the greatest (0 counts too). Writes
/// whole_steps(k, together) integers with zeros for what the row lacks: in fours u8, in pairs i16
/// less `zero`. A row of numbers below 2^-100 counts as zeros, with a scale of 0; the scale of a
/// row with an infinity or a NaN is NaN. Every instruction set gives the same.
RowScale quantize_row(Isa isa, int together, const float* row, std::int64_t k, void* to);

/// Some quantised rows, in memory of its own; small enough for the stack.
class QuantizedRows {
public:
    static constexpr std::int64_t kMaxRows = 48;

    QuantizedRows(Isa isa, int together, std::int64_t k)
        : isa_(isa), together_(together), k_(k), stride_(whole_steps(k, together) * 4 / together) {}

    /// How many fit, at least 1.
    std::int64_t capacity() const {
        return std::clamp<std::int64_t>(kBytes / std::max<std::int64_t>(stride_, 1), 1, kMaxRows);
    }
    void load(std::int64_t index, const float* row) {
        const RowScale scale = quantize_row(isa_, together_, row, k_, bytes_ + index * stride_);
        scales_[index] = scale.scale;
        zeros_[index] = scale.zero;
    }
    const void* row(std::int64_t index) const { return bytes_ + index * stride_; }
    const float* scales() const { return scales_; }
    const std::int32_t* zeros() const { return zeros_; }

private:
    static constexpr std::int64_t kBytes = 2 * kMaxQuantized;

    const Isa isa_;
    const int together_;
    const std::int64_t k_;
    const std::int64_t stride_;  // of rows, in bytes: four a step
    alignas(kCacheLine) char bytes_[kBytes];
    float scales_[kMaxRows];
    std::int32_t zeros_[kMaxRows];
};

}  // namespace rondo::cpu
