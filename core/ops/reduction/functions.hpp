// The functions of the reduce family and their ops: plain data that kernels may use too.
#pragma once

#include <cstdint>

#include "core/ops/common/families.hpp"

namespace rondo::ops {

// keep-sorted
enum class ReduceFunction : std::uint8_t {
    l1,           ///< the sum of magnitudes
    l2,           ///< the square root of the sum of squares
    logical_and,  ///< of booleans: whether all are true
    logical_or,   ///< of booleans: whether any is true
    max,
    mean,
    min,
    prod,
    sum,
};

struct ReduceInfo {
    OpType type;
    ReduceFunction function;
    TypeRule types;
};

/// In the order of ReduceFunction, which says what each one computes.
inline constexpr ReduceInfo kReduceOps[] = {
    {{"ReduceL1", 4}, ReduceFunction::l1, TypeRule::number},
    {{"ReduceL2", 4}, ReduceFunction::l2, TypeRule::number},
    {{"ReduceLogicalAnd", 1}, ReduceFunction::logical_and, TypeRule::boolean},
    {{"ReduceLogicalOr", 1}, ReduceFunction::logical_or, TypeRule::boolean},
    {{"ReduceMax", 1}, ReduceFunction::max, TypeRule::number},
    {{"ReduceMean", 1}, ReduceFunction::mean, TypeRule::number},
    {{"ReduceMin", 1}, ReduceFunction::min, TypeRule::number},
    {{"ReduceProd", 1}, ReduceFunction::prod, TypeRule::number},
    {{"ReduceSum", 1}, ReduceFunction::sum, TypeRule::number},
};
static_assert(in_order_of_functions(kReduceOps));

}  // namespace rondo::ops
