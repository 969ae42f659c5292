#include "core/ir/compressed_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/ops/source/source_ops.hpp"

namespace rondo::ir {
namespace {

// compress(tensor, elements) of f32 or f64 elements row by row; an empty handle for other types.
template <typename Compress>
Tensor of_floats(const Tensor& tensor, const Compress& compress) {
    const ElementType type = tensor.element_type();
    if (type != ElementType::f32 && type != ElementType::f64) return {};
    const Tensor dense = tensor.contiguous();
    return type == ElementType::f32 ? compress(dense, dense.data<float>())
                                    : compress(dense, dense.data<double>());
}

}  // namespace

Tensor compress_to_bf16(const Tensor& tensor) {
    if (tensor.size() < 2) return {};
    return of_floats(tensor, [](const Tensor& dense, const auto* from) -> Tensor {
        Tensor result(ElementType::bf16, dense.shape());
        auto* to = result.data<bfloat16>();
        for (std::size_t i = 0; i < dense.size(); ++i) {
            to[i] = bfloat16(static_cast<float>(from[i]));
            if (std::isinf(static_cast<float>(to[i])) && !std::isinf(from[i])) return {};
        }
        return result;
    });
}

namespace {

constexpr double kLargest = 65504;           // the largest finite f16
constexpr double kLargestError = 1e-3;       // f16's own rounding stays below 5e-4
constexpr double kLargestErrorAlone = 1e-4;  // a scalar costs nothing to keep
constexpr double kMaxLost = 0.75;

float16 to_f16(double value) {
    if (std::isnan(value)) return float16(static_cast<float>(value));
    return float16(static_cast<float>(std::clamp(value, -kLargest, kLargest)));
}

bool is_lost(double value, float16 half, double largest_error) {
    if (!(std::fabs(value) <= kLargest)) return true;
    return std::fabs(static_cast<float>(half) - value) > largest_error * std::fabs(value);
}

// Whether an op's output has other elements or another shape if this input is rounded.
bool decides_places(const Consumer& consumer) {
    if (as_op<ops::Range>(*consumer.node)) return true;
    return consumer.input >= consumer.node->traits().data_inputs;
}

}  // namespace

Tensor compress_to_f16(const Tensor& tensor) {
    if (tensor.size() == 0) return {};
    return of_floats(tensor, [](const Tensor& dense, const auto* from) {
        Tensor result(ElementType::f16, dense.shape());
        auto* to = result.data<float16>();
        const double largest_error = dense.size() == 1 ? kLargestErrorAlone : kLargestError;
        std::size_t lost = 0;
        for (std::size_t i = 0; i < dense.size(); ++i) {
            to[i] = to_f16(from[i]);
            if (is_lost(from[i], to[i], largest_error)) ++lost;
        }
        const bool keep = static_cast<double>(lost) < kMaxLost * static_cast<double>(dense.size());
        return keep ? result : Tensor();
    });
}

Tensor compressed(const ops::Constant& constant, ElementType type) {
    if (type != ElementType::f16 && type != ElementType::bf16) return {};
    const Consumers& readers = constant.consumers(0);
    if (std::any_of(readers.begin(), readers.end(), decides_places)) return {};
    return type == ElementType::f16 ? compress_to_f16(constant.value())
                                    : compress_to_bf16(constant.value());
}

namespace {

constexpr float kValues[] = {
    -1.0F,
    -0.6961928009986877F,
    -0.5250730514526367F,
    -0.39491748809814453F,
    -0.28444138169288635F,
    -0.18477343022823334F,
    -0.09105003625154495F,
    0.0F,
    0.07958029955625534F,
    0.16093020141124725F,
    0.24611230194568634F,
    0.33791524171829224F,
    0.44070982933044434F,
    0.5626170039176941F,
    0.7229568362236023F,
    1.0F,
};

}  // namespace

Tensor nf4_values(const Tensor& codes) {
    Tensor values(ElementType::f32, codes.shape());
    const auto* first = static_cast<const std::uint8_t*>(codes.data());
    std::transform(first, first + codes.size(), values.data<float>(),
                   [](std::uint8_t code) { return kValues[code & 15]; });
    return values;
}

}  // namespace rondo::ir
