#include "frontend/onnx/context/filled_tensor.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "core/support/visit_type.hpp"
#include "rondo/error.hpp"

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
    if (is_narrow(type)) {
        throw UnsupportedError("numbers of type " + std::string(to_string(type)) +
                               " are only stored and converted; nothing is computed with them");
    }
    Tensor tensor(type, shape);
    visit_type(type, [&](auto tag) { fill<tag_type<decltype(tag)>>(tensor, value); });
    return tensor;
}

}  // namespace rondo::onnx
