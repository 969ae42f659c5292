// Values that are known before a run, and a node's inputs as its inference sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"

namespace rondo {

/// The elements of an integer constant of rank 0 or 1, or nothing.
std::optional<std::vector<std::int64_t>> constant_ints(const Output& output);

/// The single element of a constant, as a double, or nothing.
std::optional<double> constant_scalar(const Output& output);

/// Whether all bits of a tensor's elements are 0: each is 0, and none is -0. False for an empty
/// handle.
bool has_zero_bits(const Tensor& tensor);

/// `axes` with negative ones counted from the end; empty if one is out of range.
std::optional<std::vector<std::size_t>> normalized_axes(const std::vector<std::int64_t>& axes,
                                                        std::size_t rank);

/// The inputs as the node's own shape inference sees them.
InferContext context_of(const Node& node);

/// True where exactly one input port reads this output.
bool has_sole_consumer(const Output& output);

}  // namespace rondo
