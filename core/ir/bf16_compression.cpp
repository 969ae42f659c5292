#include "core/ir/bf16_compression.hpp"

#include <cmath>

namespace rondo::ir {
namespace {

template <typename T>
Tensor compress_to_bf16(const Tensor& tensor) {
    Tensor result(ElementType::bf16, tensor.shape());
    const T* from = tensor.data<T>();
    auto* to = result.data<bfloat16>();
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        to[i] = bfloat16(static_cast<float>(from[i]));
        if (std::isinf(static_cast<float>(to[i])) && !std::isinf(from[i])) return {};
    }
    return result;
}

}  // namespace

Tensor compress_to_bf16(const Tensor& tensor) {
    if (tensor.size() < 2) return {};
    if (tensor.element_type() == ElementType::f32)
        return compress_to_bf16<float>(tensor.contiguous());
    if (tensor.element_type() == ElementType::f64)
        return compress_to_bf16<double>(tensor.contiguous());
    return {};
}

}  // namespace rondo::ir
