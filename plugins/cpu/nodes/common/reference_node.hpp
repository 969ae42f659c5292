// The fallback: an op without a kernel of its own runs its reference evaluator.
#pragma once

#include <memory>
#include <string>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// `reason` says why there is no better kernel. Throws UnsupportedError naming the node where the
/// op has no evaluator either.
std::unique_ptr<CpuNode> make_reference_node(const Node& node, std::string reason);

/// For nodes that serve only some sizes themselves. Unlike other calls it allocates when run.
std::unique_ptr<Call> make_reference_call(const Node& node, const CallSite& site);

}  // namespace rondo::cpu
