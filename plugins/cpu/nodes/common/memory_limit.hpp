// Refuses sizes that the user's limits or this machine can't hold, before anything is allocated.
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "core/support/limits.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Bytes of main memory.
std::size_t machine_memory();

/// Throws ModelError where a tensor of so many bytes exceeds the limit for tensors or the machine's
/// memory.
void check_tensor(std::size_t bytes, const ModelLimits& limits);

/// Bytes of an output of `node`; throws ModelError naming the node if they exceed the limit for
/// tensors or the machine's memory.
std::size_t checked_bytes(const Node& node, const TensorInfo& output,
                          const ModelLimits& limits = {});

/// The same for an output that is there already.
void check_bytes(const Node& node, const Tensor& output, const ModelLimits& limits);

/// Throws ModelError unless `bytes` fit in the limit for plans and in the machine's memory;
/// `largest` says which node needs most.
void check_total(
    std::size_t bytes, const ModelLimits& limits = {},
    FunctionRef<std::string()> largest = [] { return std::string(); });

}  // namespace rondo::cpu
