// Inputs for the tests of ops that only move elements.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/ops/source/source_ops.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

using Ints = std::vector<std::int64_t>;

inline constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

inline constexpr ElementType kAllTypes[] = {
    ElementType::boolean, ElementType::f64, ElementType::f32, ElementType::f16, ElementType::bf16,
    ElementType::i64,     ElementType::i32, ElementType::i16, ElementType::i8,  ElementType::u64,
    ElementType::u32,     ElementType::u16, ElementType::u8};

/// A known vector.
inline Output ints(const Ints& values) { return ops::make_i64(values, "ints"); }
/// A known scalar.
inline Output scalar_int(std::int64_t value) { return ops::make_i64_scalar(value, "int"); }
/// A vector whose elements aren't known.
inline Output unknown_ints(std::string_view shape) { return parameter(shape, ElementType::i64); }

/// The same as tensors, for evaluators.
inline Tensor int_vector(const Ints& values) {
    return tensor_of<std::int64_t>({values.size()}, values);
}
inline Tensor int_scalar(std::int64_t value) { return scalar_of(value); }

/// An f32 tensor.
inline Tensor floats(const Shape& shape, const std::vector<float>& values) {
    return tensor_of<float>(shape, values);
}

/// f32 elements 0, 1, 2, ...
inline Tensor counting(const Shape& shape) {
    std::vector<float> values(element_count(shape));
    std::iota(values.begin(), values.end(), 0.0f);
    return floats(shape, values);
}

/// A node named "n", validated on these inputs.
template <typename T, typename... Args>
std::shared_ptr<T> named(Args&&... args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    node->set_name("n");
    node->validate();
    return node;
}

/// Evaluates `node` on `data` and further inputs in every element type: since elements only move,
/// each type must give what f32 gives.
inline void expect_moves_every_type(const Node& node, const Tensor& data,
                                    const std::vector<Tensor>& others) {
    for (const ElementType type : kAllTypes) {
        SCOPED_TRACE(std::string(to_string(type)));
        const Tensor typed = converted(data, type);
        std::vector<Tensor> inputs{typed};
        inputs.insert(inputs.end(), others.begin(), others.end());
        std::vector<Tensor> plain = inputs;
        plain[0] = converted(typed, ElementType::f64);
        const auto actual = reference::evaluate(node, inputs);
        const auto expected = reference::evaluate(node, plain);
        ASSERT_EQ(actual.size(), expected.size());
        for (std::size_t i = 0; i < actual.size(); ++i) {
            expect_same(actual[i], converted(expected[i], type));
        }
    }
}

}  // namespace rondo::test
