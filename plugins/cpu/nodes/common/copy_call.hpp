// Makes calls that only move elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// A block that is copied between an input and an output, both at some byte offset.
struct CopyPart {
    std::size_t input = 0;
    std::size_t output = 0;
    std::int64_t from_offset = 0;
    std::int64_t to_offset = 0;
    CopyLayout layout;
};

/// Copies the parts in order. The caller leaves out parts of outputs that are not wanted.
std::unique_ptr<Call> make_copy_call(const std::vector<CopyPart>& parts);

/// One input, one output: a view if the input's elements are in the output's order, else a
/// copy.
std::unique_ptr<Call> make_view_or_copy(const CopyPart& part);

// Calls whose outputs don't depend on elements.

/// Fills the first output with zeros; does nothing if it is empty.
std::unique_ptr<Call> make_zero_call(const TensorInfo& output);

/// Copies `value` to the first output, which has its type and shape.
std::unique_ptr<Call> make_value_call(const Tensor& value);

}  // namespace rondo::cpu
