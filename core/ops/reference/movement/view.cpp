#include "core/ops/reference/movement/view.hpp"

namespace rondo::reference {

Tensor view(const Tensor& tensor, std::ptrdiff_t offset, const Shape& shape,
            const Strides& strides) {
    auto* data = static_cast<char*>(const_cast<void*>(tensor.data()));
    return {tensor.element_type(), shape, data + offset, strides};
}

}  // namespace rondo::reference
