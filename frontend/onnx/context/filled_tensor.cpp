#include "frontend/onnx/context/filled_tensor.hpp"

#include <algorithm>
#include <type_traits>

#include "core/support/check.hpp"

namespace rondo::onnx {
namespace {

template <typename T>
void fill(Tensor& tensor, double value) {
    if constexpr (std::is_arithmetic_v<T>) {
        std::fill_n(tensor.data<T>(), tensor.size(), static_cast<T>(value));
    } else {
        std::fill_n(tensor.data<T>(), tensor.size(), T(static_cast<float>(value)));
    }
}

}  // namespace

Tensor filled_tensor(ElementType type, const Shape& shape, double value) {
    Tensor tensor(type, shape);
    switch (type) {
        case ElementType::boolean:
            fill<bool>(tensor, value);
            break;
        case ElementType::f64:
            fill<double>(tensor, value);
            break;
        case ElementType::f32:
            fill<float>(tensor, value);
            break;
        case ElementType::f16:
            fill<float16>(tensor, value);
            break;
        case ElementType::bf16:
            fill<bfloat16>(tensor, value);
            break;
        case ElementType::i64:
            fill<std::int64_t>(tensor, value);
            break;
        case ElementType::i32:
            fill<std::int32_t>(tensor, value);
            break;
        case ElementType::i16:
            fill<std::int16_t>(tensor, value);
            break;
        case ElementType::i8:
            fill<std::int8_t>(tensor, value);
            break;
        case ElementType::u64:
            fill<std::uint64_t>(tensor, value);
            break;
        case ElementType::u32:
            fill<std::uint32_t>(tensor, value);
            break;
        case ElementType::u16:
            fill<std::uint16_t>(tensor, value);
            break;
        case ElementType::u8:
            fill<std::uint8_t>(tensor, value);
            break;
        case ElementType::dynamic:
            internal_error("a tensor of no type can't be filled");
    }
    return tensor;
}

}  // namespace rondo::onnx
