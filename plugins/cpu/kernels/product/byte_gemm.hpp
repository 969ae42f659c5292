// Matrix product of 8-bit integers with zero points, exact in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/threads/range.hpp"

namespace rondo::cpu {

/// Columns of a panel of B.
inline constexpr std::int64_t kByteLanes = 16;

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

inline std::int64_t byte_panels(std::int64_t n) { return (n + kByteLanes - 1) / kByteLanes; }

/// Bytes that pack_bytes() writes for a [k,n] matrix.
std::size_t packed_byte_size(std::int64_t k, std::int64_t n);

/// Panels of B, [k,n] and row-major, into `to`: [ceil(n / 16)][ceil(k / 2)][16][2], with zeros for
/// what B lacks.
void pack_bytes(const void* b, std::int64_t k, std::int64_t n, void* to, Range panels);

/// Numbers of a centred row: k rounded up to an even number.
inline std::int64_t centred_size(std::int64_t k) { return (k + 1) / 2 * 2; }

/// to[i] = a[i] - zero_point for i < k, then 0 up to centred_size(k). Returns the sum, modulo 2^32.
std::int32_t centre_row(const ByteData& a, std::int64_t k, std::int32_t zero_point,
                        std::int16_t* to);

/// C [m,n] = A [m,k] * (B [k,n] - the zero points of its columns), modulo 2^32. C is row-major.
struct ByteGemm {
    const std::int16_t* rows = nullptr;  ///< A: centred rows
    const std::int32_t* sums = nullptr;  ///< of each row
    ByteData panels;                     ///< B: packed
    ByteData zero_points;
    std::int64_t zero_point_step = 0;  ///< 1: one each column; 0: one for all
    std::int32_t* c = nullptr;
    std::int64_t k = 0;
    std::int64_t n = 0;
};

/// Some rows and panels of C. Every instruction set gives the same.
void byte_gemm(Isa isa, const ByteGemm& gemm, Range rows, Range panels);

}  // namespace rondo::cpu
