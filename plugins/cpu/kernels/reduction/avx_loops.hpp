// Loops of reductions in the instructions of AVX-512, defined where the option RONDO_JIT is on: no
// other instruction set asks for them.
#pragma once

#include <cstdint>

namespace rondo::cpu::avx {

/// Rows that are added up together.
inline constexpr std::int64_t kSumRows = 16;

/// Adds the numbers x[j * stride], x[j * stride + 1], ... to sums[j], `count` of them, one after
/// another, for each of kSumRows rows. The CPU must have AVX-512.
void add_rows(const float* x, std::int64_t stride, std::int64_t count, double* sums);

}  // namespace rondo::cpu::avx
