// Loops of quantisation in the instructions of AVX2, defined where the option RONDO_JIT is on: no
// other instruction set asks for them.
#pragma once

#include "plugins/cpu/kernels/quantization/byte_scale.hpp"

namespace rondo::cpu::avx {

/// As quantize_bytes.hpp has them, with AVX2.
ByteRange byte_range(const float* x, std::int64_t count);
void quantize_bytes(const float* x, std::int64_t count, const ByteScale& by, std::uint8_t* to);

}  // namespace rondo::cpu::avx
