// Plain elementwise loops for every function and element type: numbers as the reference has them.
#pragma once

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/kernels/elementwise/element_loop.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

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
