// Rows of f32 to integers and bf16.
#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/product/quantize_row_loop.hpp"

namespace rondo::cpu::avx {
namespace {

[[gnu::target("avx2")]] RowScale with_avx2(int bits, int together, const float* row, std::int64_t k,
                                           void* to) {
    return quantized(bits, together, row, k, to);
}

// clang chooses the width of vectors itself.
#ifdef __clang__
#define RONDO_TARGET_AVX512 "avx512f,avx512bw,avx512vl"
#else
#define RONDO_TARGET_AVX512 "avx512f,avx512bw,avx512vl,prefer-vector-width=512"
#endif

[[gnu::target(RONDO_TARGET_AVX512)]] RowScale with_avx512(int bits, int together, const float* row,
                                                          std::int64_t k, void* to) {
    return quantized(bits, together, row, k, to);
}

[[gnu::target("avx2")]] void halves_with_avx2(int together, const float* row, std::int64_t k,
                                              void* to) {
    rounded_row(together, row, k, to);
}

[[gnu::target(RONDO_TARGET_AVX512)]] void halves_with_avx512(int together, const float* row,
                                                             std::int64_t k, void* to) {
    rounded_row(together, row, k, to);
}

}  // namespace

RowScale quantize_row(Isa isa, int bits, int together, const float* row, std::int64_t k, void* to) {
    return isa == Isa::avx2 ? with_avx2(bits, together, row, k, to)
                            : with_avx512(bits, together, row, k, to);
}

void round_to_bf16(Isa isa, int together, const float* row, std::int64_t k, void* to) {
    isa == Isa::avx2 ? halves_with_avx2(together, row, k, to)
                     : halves_with_avx512(together, row, k, to);
}

}  // namespace rondo::cpu::avx
