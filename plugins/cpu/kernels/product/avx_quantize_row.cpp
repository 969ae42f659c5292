// Rows of f32 to 8 bits for products of integers.
#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/product/quantize_row_loop.hpp"

namespace rondo::cpu::avx {
namespace {

template <typename Q>
[[gnu::target("avx2")]] RowScale with_avx2(const float* row, std::int64_t k, void* to) {
    return quantized<Q>(row, k, to);
}

// clang chooses the width of vectors itself.
#ifdef __clang__
#define RONDO_TARGET_AVX512 "avx512f,avx512bw,avx512vl"
#else
#define RONDO_TARGET_AVX512 "avx512f,avx512bw,avx512vl,prefer-vector-width=512"
#endif

template <typename Q>
[[gnu::target(RONDO_TARGET_AVX512)]] RowScale with_avx512(const float* row, std::int64_t k,
                                                          void* to) {
    return quantized<Q>(row, k, to);
}

template <typename Q>
RowScale quantize_as(Isa isa, const float* row, std::int64_t k, void* to) {
    return isa == Isa::avx2 ? with_avx2<Q>(row, k, to) : with_avx512<Q>(row, k, to);
}

}  // namespace

RowScale quantize_row(Isa isa, int together, const float* row, std::int64_t k, void* to) {
    return together == 4 ? quantize_as<std::uint8_t>(isa, row, k, to)
                         : quantize_as<std::int16_t>(isa, row, k, to);
}

}  // namespace rondo::cpu::avx
