// Rounds rows of f32 for products with weights of integers or bf16.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"

namespace rondo::cpu {

/// Quantises a row to integers. With 8 bits as DynamicQuantizeLinear does: from 0 to 255, `zero`
/// means 0, and steps of `scale` reach from the least number to the greatest (0 counts too).
/// With 16 bits from -32767 to 32767, for the greatest magnitude.
/// Writes whole_steps(k, together) integers with zeros for what the row lacks: for each step the
/// planes, the lower first, of `together` numbers each. In fours and in steps of a tile these are
/// u8, of which the last plane holds the integer plus `zero`; in pairs i16 without it. A row of
/// numbers below 2^-100 counts as zeros, with a scale of 0; the scale of a row with an infinity or
/// a NaN is NaN. Every instruction set gives the same.
RowScale quantize_row(Isa isa, int bits, int together, const float* row, std::int64_t k, void* to);

/// Rounds a row to bf16: to the nearest, ties to even. Numbers below kLeastBf16 become 0, NaN one
/// of its kinds. Writes whole_steps(k, together) numbers with zeros for what the row lacks: bf16,
/// or, in pairs, f32 of the same values.
void round_to_bf16(Isa isa, int together, const float* row, std::int64_t k, void* to);

/// Bytes of a number in a rounded row, of each plane.
constexpr int bytes_in_row(const WeightFormat& format, int together) {
    return (together == 2 ? 2 : 1) * (format.integers() ? 1 : 2);
}

/// Some rounded rows, in memory of its own; small enough for the stack.
class QuantizedRows {
public:
    static constexpr std::int64_t kMaxRows = 64;

    /// `together`: numbers of a step, 2, 4 or tile_numbers().
    QuantizedRows(Isa isa, const WeightFormat& format, int together, std::int64_t k)
        : isa_(isa),
          format_(format),
          together_(together),
          k_(k),
          stride_(whole_steps(k, together_) * bytes_in_row(format, together) *
                  format.row_planes()) {}

    /// How many fit, at least 1.
    std::int64_t capacity() const {
        return std::clamp<std::int64_t>(kBytes / std::max<std::int64_t>(stride_, 1), 1, kMaxRows);
    }
    void load(std::int64_t index, const float* row) {
        if (format_.chains_pairs()) return round_to_bf16(isa_, together_, row, k_, at(index));
        const RowScale scale = quantize_row(isa_, format_.row_bits, together_, row, k_, at(index));
        scales_[index] = scale.scale;
        zeros_[index] = scale.zero;
    }
    const void* row(std::int64_t index) const { return bytes_ + index * stride_; }
    /// Bytes from row to row.
    std::int64_t stride() const { return stride_; }
    /// Scales of integers.
    const float* scales() const { return scales_; }
    const std::int32_t* zeros() const { return zeros_; }

    static constexpr std::int64_t kBytes = 4 * kMaxQuantized;  // of two planes in pairs, or f32

private:
    void* at(std::int64_t index) { return bytes_ + index * stride_; }

    const Isa isa_;
    const WeightFormat format_;
    const int together_;
    const std::int64_t k_;
    const std::int64_t stride_;  // of rows, in bytes
    alignas(kCacheLine) char bytes_[kBytes];
    float scales_[kMaxRows];
    std::int32_t zeros_[kMaxRows];
};

}  // namespace rondo::cpu
