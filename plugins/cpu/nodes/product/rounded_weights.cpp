#include "plugins/cpu/nodes/product/rounded_weights.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"

namespace rondo::cpu {

Tensor rounded_to_bf16(const Tensor& weights) {
    constexpr std::int64_t kAtOnce = 256;
    Tensor result(ElementType::bf16, weights.shape());
    const RowConverter rows(Isa::plain, weights.element_type());
    const auto count = static_cast<std::int64_t>(weights.size());
    float widened[kAtOnce];
    for (std::int64_t first = 0; first < count; first += kAtOnce) {
        const std::int64_t some = std::min(kAtOnce, count - first);
        rows.load(rows.at(weights.data(), first), widened, some);
        round_to_bf16(Isa::plain, 1, widened, some, result.data<bfloat16>() + first);
    }
    return result;
}

}  // namespace rondo::cpu
