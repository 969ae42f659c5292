// Orders of axes, as Transpose takes them: axis i of the result is axis order[i] of the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ops/movement/transpose.hpp"
#include "rondo/shape.hpp"

namespace rondo::passes {

using AxisOrder = std::vector<std::size_t>;

/// The order written out, or nothing while order or rank isn't known.
std::optional<AxisOrder> order_of(const ops::Transpose& transpose);

bool is_identity(const AxisOrder& order);

/// True where only axes of extent 1 move, so that the elements stay where they are in memory.
bool moves_only_unit_axes(const AxisOrder& order, const PartialShape& data);

/// One order for a transpose by `first`, then one by `second`.
AxisOrder combine(const AxisOrder& first, const AxisOrder& second);

/// The order that undoes `order`.
AxisOrder inverse(const AxisOrder& order);

/// As a Transpose's second input has it.
std::vector<std::int64_t> to_ints(const std::vector<std::size_t>& axes);

}  // namespace rondo::passes
