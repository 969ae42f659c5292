// Elements of tensors whose type is known only at run time.
#pragma once

#include <cstddef>

#include "rondo/tensor.hpp"

namespace rondo::test {

/// Rounds `value` to the tensor's type, f64, f32, f16 or bf16; tensors of other types stay.
inline void set_float(Tensor& tensor, std::size_t index, double value) {
    const auto single = static_cast<float>(value);
    switch (tensor.element_type()) {
        case ElementType::f64: tensor.data<double>()[index] = value; break;
        case ElementType::f32: tensor.data<float>()[index] = single; break;
        case ElementType::f16: tensor.data<float16>()[index] = float16(single); break;
        case ElementType::bf16: tensor.data<bfloat16>()[index] = bfloat16(single); break;
        default: break;
    }
}

}  // namespace rondo::test
