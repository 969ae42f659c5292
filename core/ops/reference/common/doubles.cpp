#include "core/ops/reference/common/doubles.hpp"

#include <algorithm>

#include "core/graph/sticky_float.hpp"
#include "core/support/check.hpp"

namespace rondo::reference {
namespace {

template <typename T>
void widen(const Tensor& tensor, std::vector<double>& values) {
    const T* data = tensor.data<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if constexpr (sizeof(T) == 2) {
            values[i] = static_cast<float>(data[i]);
        } else {
            values[i] = data[i];
        }
    }
}

template <typename T>
void narrow(std::span<const double> values, Tensor& tensor) {
    std::transform(values.begin(), values.end(), tensor.data<T>(), [](double value) {
        if constexpr (sizeof(T) == 2) {
            return T(sticky_float(value));
        } else {
            return static_cast<T>(value);
        }
    });
}

}  // namespace

std::vector<double> to_doubles(const Tensor& tensor) {
    std::vector<double> values(tensor.size());
    switch (tensor.element_type()) {
        case ElementType::f64: widen<double>(tensor, values); break;
        case ElementType::f32: widen<float>(tensor, values); break;
        case ElementType::f16: widen<float16>(tensor, values); break;
        case ElementType::bf16: widen<bfloat16>(tensor, values); break;
        default: internal_error("a tensor is read as doubles, but isn't floating");
    }
    return values;
}

void from_doubles(std::span<const double> values, Tensor& tensor) {
    internal_check(values.size() == tensor.size(), "values and tensor differ in size");
    switch (tensor.element_type()) {
        case ElementType::f64: narrow<double>(values, tensor); break;
        case ElementType::f32: narrow<float>(values, tensor); break;
        case ElementType::f16: narrow<float16>(values, tensor); break;
        case ElementType::bf16: narrow<bfloat16>(values, tensor); break;
        default: internal_error("doubles are written to a tensor that isn't floating");
    }
}

}  // namespace rondo::reference
