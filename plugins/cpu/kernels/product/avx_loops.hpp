// Loops of products in the instructions of AVX2 and AVX-512, defined where the option RONDO_JIT is
// on: no other instruction set asks for them. And what they share with plain loops.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

// Products of 8-bit integers.

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

// Products of weights that stay compressed.

/// Some numbers of K of a panel: [k][lanes].
struct CompressedPanel {
    const std::uint8_t* bytes;
    const float* zeros;   ///< [lanes]
    const float* scales;  ///< the same
    std::int64_t k;
    int lanes;  ///< 16 with AVX-512, else 8
    bool rounds_to_f16;
};

/// Panels that a row is multiplied with at once.
inline constexpr int kCompressedPanels = 4;

// The rest of a row of f16 or bf16, in plain C++: elements `begin` to `end`.

template <typename T>
void widen_rest(const T* from, float* to, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = static_cast<float>(from[i]);
}

template <typename T>
void narrow_rest(const float* from, T* to, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) to[i] = T(from[i]);
}

namespace avx {

/// As a RowConverter has it: the CPU must have AVX2 and F16C.
void widen(const float16* from, float* to, std::int64_t count);
void widen(const bfloat16* from, float* to, std::int64_t count);
void narrow(const float* from, float16* to, std::int64_t count);
void narrow(const float* from, bfloat16* to, std::int64_t count);

/// The numbers that a compressed panel means. `isa`: avx2 or avx512; needs F16C, too.
void widen(Isa isa, const CompressedPanel& panel, float* to);

/// Adds the products of a row and kCompressedPanels panels of the same k to [lanes] sums each.
void add_products(Isa isa, const CompressedPanel* panels, const float* row, float* const* sums);

/// `isa`: avx2 or avx512.
ByteBlock byte_block(Isa isa, bool is_signed);

/// Bytes of a row, those that are signed plus 128; returns their sum. Needs AVX-512 BW.
std::uint32_t load_bytes(const ByteData& row, std::int64_t k, std::uint8_t* to);

/// As quantize_row() has it. `isa`: avx2 or avx512.
RowScale quantize_row(Isa isa, int bits, int together, const float* row, std::int64_t k, void* to);
/// The same.
void round_to_bf16(Isa isa, int together, const float* row, std::int64_t k, void* to);

}  // namespace avx
}  // namespace rondo::cpu
