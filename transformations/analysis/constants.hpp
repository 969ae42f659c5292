// Reads the constant inputs of nodes as numbers and axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::passes {

/// The elements of an integer constant of rank 0 or 1, or nothing.
std::optional<std::vector<std::int64_t>> constant_ints(const Output& output);

/// The single element of a constant, as a double, or nothing.
std::optional<double> constant_scalar(const Output& output);

/// `axes` with negative ones counted from the end, or nothing if one is out of range.
std::optional<std::vector<std::size_t>> normalized_axes(const std::vector<std::int64_t>& axes,
                                                        std::size_t rank);

using ops::context_of;

/// True where exactly one input port reads this output.
bool has_sole_consumer(const Output& output);

}  // namespace rondo::passes
