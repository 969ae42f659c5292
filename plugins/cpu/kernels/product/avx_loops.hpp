// Loops of products in the instructions of AVX2 and AVX-512, defined where the option RONDO_JIT is
// on: no other instruction set asks for them.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/byte_block.hpp"
#include "plugins/cpu/kernels/product/compressed_panel.hpp"
#include "plugins/cpu/kernels/product/row_scale.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu::avx {

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

}  // namespace rondo::cpu::avx
