// Refuses sizes that this machine can't hold, before anything is allocated.
#pragma once

#include <cstddef>

#include "core/graph/node.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Bytes of main memory.
std::size_t machine_memory();

/// Bytes of an output of `node`; throws ModelError naming the node if they exceed the machine's
/// memory.
std::size_t checked_bytes(const Node& node, const TensorInfo& output);

/// Throws ModelError unless `bytes` fit in the machine's memory.
void check_total(std::size_t bytes);

}  // namespace rondo::cpu
