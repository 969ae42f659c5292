// Tensors for tests: from lists, random, and compared.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "rondo/error.hpp"
#include "rondo/tensor.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/source_location.hpp"

namespace rondo::test {

/// A tensor with these elements: `tensor_of<float>({2, 2}, {1, 2, 3, 4})`. Values are given as
/// `V` and converted, so that `tensor_of<float16, double>` works. Throws ModelError for too few or
/// too many.
template <typename T, typename V = T>
Tensor tensor_of(const Shape& shape, const std::vector<V>& values) {
    Tensor tensor(element_type_of<T>(), shape);
    if (values.size() != tensor.size()) {
        throw ModelError("tensor_of got " + std::to_string(values.size()) +
                         " values for the shape " + to_string(shape));
    }
    std::transform(values.begin(), values.end(), tensor.data<T>(), [](const V& value) {
        if constexpr (sizeof(T) == 2 && !std::is_arithmetic_v<T>) {
            return T(static_cast<float>(value));
        } else {
            return static_cast<T>(value);
        }
    });
    return tensor;
}

/// A scalar.
template <typename T>
Tensor scalar_of(T value) {
    return tensor_of<T>({}, {value});
}

/// Elements drawn from [lo, hi) (floating types), [lo, hi] (integers), or {false, true}; of a
/// narrow type, from all that it has.
Tensor random_tensor(ElementType type, const Shape& shape, Rng& rng, double lo = -1, double hi = 1);

/// Element `index` in row-major order, widened so that no value of any type changes.
long double element_at(const Tensor& tensor, std::size_t index);

/// The same values in another type (rounded to nearest; from float to integer towards zero).
Tensor converted(const Tensor& tensor, ElementType type);

/// Fails at the caller's line unless type and shape are equal and each element differs by at most
/// `absolute + relative * |expected|`; with both 0, values must be equal. NaN matches NaN only,
/// and an infinity the same infinity. Says where the first and the largest difference are.
void expect_near(const Tensor& actual, const Tensor& expected, double absolute, double relative = 0,
                 SourceLocation where = SourceLocation::current());

/// expect_near() without tolerance, for which -0 and 0 differ.
void expect_same(const Tensor& actual, const Tensor& expected,
                 SourceLocation where = SourceLocation::current());

}  // namespace rondo::test
