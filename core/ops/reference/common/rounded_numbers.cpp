#include "core/ops/reference/common/rounded_numbers.hpp"

#include <algorithm>

#include "core/ops/reference/common/doubles.hpp"
#include "core/support/check.hpp"
#include "core/support/saturate.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::reference {

std::vector<double> to_numbers(const Tensor& tensor) {
    if (is_floating(tensor.element_type())) return to_doubles(tensor);
    std::vector<double> values(tensor.size());
    visit_integer(tensor.element_type(), [&](auto tag) {
        const auto* from = tensor.data<tag_type<decltype(tag)>>();
        std::transform(from, from + values.size(), values.begin(),
                       [](auto element) { return static_cast<double>(element); });
    });
    return values;
}

void from_numbers(std::span<const double> values, Tensor& tensor) {
    if (is_floating(tensor.element_type())) return from_doubles(values, tensor);
    internal_check(values.size() == tensor.size(), "values and tensor differ in size");
    visit_integer(tensor.element_type(), [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        std::transform(values.begin(), values.end(), tensor.data<T>(), saturated<T>);
    });
}

}  // namespace rondo::reference
