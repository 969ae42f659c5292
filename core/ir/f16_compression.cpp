#include "core/ir/f16_compression.hpp"

#include <algorithm>
#include <cmath>

#include "core/ir/bf16_compression.hpp"
#include "core/ops/source/range.hpp"

namespace rondo::ir {
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

template <typename T>
Tensor compress_to_f16(const Tensor& tensor) {
    Tensor result(ElementType::f16, tensor.shape());
    const T* from = tensor.data<T>();
    auto* to = result.data<float16>();
    const double largest_error = tensor.size() == 1 ? kLargestErrorAlone : kLargestError;
    std::size_t lost = 0;
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        to[i] = to_f16(from[i]);
        if (is_lost(from[i], to[i], largest_error)) ++lost;
    }
    const bool keep = static_cast<double>(lost) < kMaxLost * static_cast<double>(tensor.size());
    return keep ? result : Tensor();
}

// Whether an op's output has other elements or another shape where this input is rounded.
bool decides_places(const Consumer& consumer) {
    if (as_op<ops::Range>(*consumer.node)) return true;
    return consumer.input >= consumer.node->traits().data_inputs;
}

}  // namespace

Tensor compress_to_f16(const Tensor& tensor) {
    if (tensor.size() == 0) return {};
    if (tensor.element_type() == ElementType::f32)
        return compress_to_f16<float>(tensor.contiguous());
    if (tensor.element_type() == ElementType::f64)
        return compress_to_f16<double>(tensor.contiguous());
    return {};
}

Tensor compressed(const ops::Constant& constant, ElementType type) {
    if (type != ElementType::f16 && type != ElementType::bf16) return {};
    const Consumers& readers = constant.consumers(0);
    if (std::any_of(readers.begin(), readers.end(), decides_places)) return {};
    return type == ElementType::f16 ? compress_to_f16(constant.value())
                                    : compress_to_bf16(constant.value());
}

}  // namespace rondo::ir
