#include "plugins/cpu/kernels/product/quantized_rows.hpp"

#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/product/quantize_row_loop.hpp"

namespace rondo::cpu {

RowScale quantize_row(Isa isa, int bits, int together, const float* row, std::int64_t k, void* to) {
    return isa == Isa::plain ? quantized(bits, together, row, k, to)
                             : avx::quantize_row(isa, bits, together, row, k, to);
}

void round_to_bf16(Isa isa, int together, const float* row, std::int64_t k, void* to) {
    isa == Isa::plain ? rounded_row(together, row, k, to)
                      : avx::round_to_bf16(isa, together, row, k, to);
}

}  // namespace rondo::cpu
