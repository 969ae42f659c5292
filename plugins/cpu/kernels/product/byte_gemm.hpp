// Matrix product of 8-bit integers with zero points, exact in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/byte_block.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {

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

/// Some rows and panels of the product. Every instruction set gives the same.
void byte_gemm(Isa isa, const ByteGemm& gemm, Range rows, Range panels);

}  // namespace rondo::cpu
