// The table of ops and their executable nodes.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

struct NodeEntry {
    std::string_view type;  ///< the op's name, whatever its opset
    std::unique_ptr<CpuNode> (*make)(const Node& node, const CompileContext& context);
};

/// Sorted by type.
std::span<const NodeEntry> node_list();

/// The node that the table names, or the reference evaluator for ops without a kernel. Throws
/// UnsupportedError naming the node if there is neither.
std::unique_ptr<CpuNode> make_cpu_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
