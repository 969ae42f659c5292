// The form of all plain elementwise loops: K operands of any type, each walked or repeated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/ops/elementwise/functions.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// `n` elements; a step of 0 repeats one element, 1 walks on, others skip. `to` is walked.
template <std::size_t K>
struct ElementRun {
    std::array<const void*, K> from{};
    std::array<std::int64_t, K> steps{};  ///< in elements
    void* to = nullptr;
    std::int64_t n = 0;
};

/// Returns false where the function has no value, as of a division by zero; `to` is then undefined.
template <std::size_t K>
using ElementLoop = bool (*)(const ElementRun<K>& run);

// Plain elementwise loops for every function and element type: numbers as the reference has them.

// Floating types are computed in double and rounded once. Integers wrap. A boolean is true where
// its byte isn't 0, and is written as 0 or 1. Null where the function doesn't take the type.

ElementLoop<1> typed_unary_loop(ops::UnaryFunction function, ElementType type);

/// Integers: division and remainder by 0 and negative powers of 0 return false. `rounds_down`:
/// Divide of integers rounds down instead of towards zero.
ElementLoop<2> typed_binary_loop(ops::BinaryFunction function, ElementType type, bool rounds_down);

/// `type`: of both operands; the result is boolean.
ElementLoop<2> typed_compare_loop(ops::CompareFunction function, ElementType type);

/// The operands are booleans.
ElementLoop<2> logical_loop(ops::LogicalFunction function);

/// Operands: condition, boolean; yes and no, whose elements are moved: `bytes` is 1, 2, 4 or 8.
ElementLoop<3> select_loop(std::size_t bytes);

/// Integers to integers are cut to the lower bits; floating to integers goes towards zero and
/// saturates, NaN gives 0; what isn't 0 is true.
ElementLoop<1> convert_loop(ElementType from, ElementType to);

}  // namespace rondo::cpu
