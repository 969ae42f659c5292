// Calls whose outputs don't depend on elements.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Fills the first output with zeros; does nothing where it is empty.
std::unique_ptr<Call> make_zero_call(const TensorInfo& output);

/// Copies `value` to the first output, which has its type and shape.
std::unique_ptr<Call> make_value_call(const Tensor& value);

}  // namespace rondo::cpu
