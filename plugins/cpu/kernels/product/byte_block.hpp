// A block of rows times a panel: what a product of 8-bit integers consists of.
#pragma once

#include <cstdint>

namespace rondo::cpu {

/// Columns of a panel of B.
inline constexpr std::int64_t kByteLanes = 16;

/// What changes an unsigned byte into a signed one that is less by 128, and back.
inline constexpr std::uint8_t kSignBit = 0x80;

/// Integers of 8 bits in memory.
struct ByteData {
    const void* data = nullptr;
    bool is_signed = false;

    std::int32_t at(std::int64_t index) const {
        return is_signed ? static_cast<const std::int8_t*>(data)[index]
                         : static_cast<const std::uint8_t*>(data)[index];
    }
    ByteData from(std::int64_t index) const {
        return {static_cast<const std::uint8_t*>(data) + index, is_signed};
    }
};

/// C [m,n] = A [m,k] * (B [k,n] - the zero points of its columns), modulo 2^32. C is row-major, of
/// the kernel's result type.
struct ByteGemm {
    const void* rows = nullptr;               ///< A, as ByteKernel::load_row() has it
    const std::int32_t* sums = nullptr;       ///< ByteRow::sum of each row
    const std::int32_t* row_zeros = nullptr;  ///< ByteRow::zero of each row
    ByteData panels;                          ///< B: packed
    ByteData zero_points;
    std::int64_t zero_point_step = 0;  ///< 1: one each column; 0: one for all
    void* c = nullptr;
    std::int64_t k = 0;
    std::int64_t n = 0;
};

/// Bytes of a panel for two numbers of k.
inline constexpr std::int64_t kPairBytes = 2 * kByteLanes;
/// The most rows of a block: they share what is loaded of B.
inline constexpr std::int64_t kByteRows = 6;

inline std::int64_t pairs_of(std::int64_t k) { return (k + 1) / 2; }

/// Row `row` of A, in pairs.
inline const std::int16_t* pair_row(const ByteGemm& gemm, std::int64_t row) {
    return static_cast<const std::int16_t*>(gemm.rows) + row * 2 * pairs_of(gemm.k);
}

/// One row of A times a panel.
using ByteSums = std::int32_t[kByteLanes];

/// sums[r] = row `row` + r of A times a panel, for r < rows, modulo 2^32.
using ByteBlock = void (*)(const ByteGemm& gemm, std::int64_t row, std::int64_t rows,
                           const void* panel, ByteSums* sums);

}  // namespace rondo::cpu
