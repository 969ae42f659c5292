// Evaluates DynamicQuantizeLinear.
#include "core/ops/quantization/dynamic_quantize_linear.hpp"

#include <algorithm>
#include <cmath>

#include "core/ops/reference/common/evaluators.hpp"

namespace rondo::reference {
namespace {

// The nearest integer from 0 to 255; 0 of NaN.
float in_byte(float value) {
    const float whole = std::nearbyint(value);
    return whole > 0 ? std::min(whole, 255.0F) : 0.0F;
}

}  // namespace

// All in f32, since each step's rounding shows in the results.
void dynamic_quantize_linear(const Node&, std::span<const Tensor> inputs,
                             std::span<Tensor> outputs) {
    const auto* x = inputs[0].data<float>();
    const std::size_t count = inputs[0].size();
    float low = 0, high = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (x[i] < low) low = x[i];
        if (x[i] > high) high = x[i];
    }
    const float scale = low == high ? 1.0F : (high - low) / 255.0F;
    const float zero_point = in_byte(0.0F - low / scale);
    for (std::size_t i = 0; i < count; ++i) {
        const float whole = std::nearbyint(x[i] / scale) + zero_point;
        outputs[0].data<std::uint8_t>()[i] = static_cast<std::uint8_t>(in_byte(whole));
    }
    *outputs[1].data<float>() = scale;
    *outputs[2].data<std::uint8_t>() = static_cast<std::uint8_t>(zero_point);
}

}  // namespace rondo::reference
