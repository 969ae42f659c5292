// Writes numbers at equal distances.
#pragma once

#include <cstdint>

#include "core/ops/source/range_numbers.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Writes elements [begin, end) of start, start + step, ... to `to`, whose first element is number
/// 0. Floating types are computed in double and rounded once; integers wrap.
void write_range(ElementType type, const ops::RangeNumber& start, const ops::RangeNumber& step,
                 void* to, std::int64_t begin, std::int64_t end);

}  // namespace rondo::cpu
