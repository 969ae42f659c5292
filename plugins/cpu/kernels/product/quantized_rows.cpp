#include "plugins/cpu/kernels/product/quantized_rows.hpp"

#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/product/quantize_row_loop.hpp"

namespace rondo::cpu {

RowScale quantize_row(Isa isa, int together, const float* row, std::int64_t k, void* to) {
    const bool bytes = together == 4;
    const std::int64_t number = bytes ? 1 : 2;
    std::fill_n(static_cast<char*>(to) + k * number, (whole_steps(k, together) - k) * number,
                char{0});
    if (isa != Isa::plain) return avx::quantize_row(isa, together, row, k, to);
    return bytes ? quantized<std::uint8_t>(row, k, to) : quantized<std::int16_t>(row, k, to);
}

}  // namespace rondo::cpu
