// Rows of f32, quantised for products with weights of integers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/row_scale.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"

namespace rondo::cpu {

/// Quantises a row to integers. With 8 bits as DynamicQuantizeLinear does: from 0 to 255, `zero`
/// stands for 0, and steps of `scale` reach from the least number to the greatest (0 counts too).
/// With 16 bits from -32767 to 32767, for the greatest magnitude.
/// Writes whole_steps(k, together) integers with zeros for what the row lacks: for each step the
/// planes, the lower first, of `together` numbers each. In fours and in steps of a tile these are
/// u8, of which the last plane holds the integer plus `zero`; in pairs i16 without it. A row of
/// numbers below 2^-100 counts as zeros, with a scale of 0; the scale of a row with an infinity or
/// a NaN is NaN. Every instruction set gives the same.
RowScale quantize_row(Isa isa, int bits, int together, const float* row, std::int64_t k, void* to);

/// Some quantised rows, in memory of its own; small enough for the stack.
class QuantizedRows {
public:
    static constexpr std::int64_t kMaxRows = 48;

    /// `together`: numbers of a step, 2, 4 or kTileNumbers.
    QuantizedRows(Isa isa, const WeightFormat& format, int together, std::int64_t k)
        : isa_(isa),
          bits_(format.row_bits),
          together_(together),
          k_(k),
          stride_(whole_steps(k, together_) * (together_ == 2 ? 2 : 1) * format.row_planes()) {}

    /// How many fit, at least 1.
    std::int64_t capacity() const {
        return std::clamp<std::int64_t>(kBytes / std::max<std::int64_t>(stride_, 1), 1, kMaxRows);
    }
    void load(std::int64_t index, const float* row) {
        const RowScale scale = quantize_row(isa_, bits_, together_, row, k_, at(index));
        scales_[index] = scale.scale;
        zeros_[index] = scale.zero;
    }
    const void* row(std::int64_t index) const { return bytes_ + index * stride_; }
    /// Bytes from row to row.
    std::int64_t stride() const { return stride_; }
    const float* scales() const { return scales_; }
    const std::int32_t* zeros() const { return zeros_; }

    static constexpr std::int64_t kBytes = 4 * kMaxQuantized;  // of two planes in pairs

private:
    void* at(std::int64_t index) { return bytes_ + index * stride_; }

    const Isa isa_;
    const int bits_;
    const int together_;
    const std::int64_t k_;
    const std::int64_t stride_;  // of rows, in bytes
    alignas(kCacheLine) char bytes_[kBytes];
    float scales_[kMaxRows];
    std::int32_t zeros_[kMaxRows];
};

}  // namespace rondo::cpu
