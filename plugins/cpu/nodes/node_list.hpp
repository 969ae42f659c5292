// The table of ops and their executable nodes.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

struct NodeEntry {
    std::string_view type;  ///< the op's name, whatever its opset
    MakeNode* make;
};

/// The ops that are no rows of a family, sorted by type.
std::span<const NodeEntry> node_list();

/// The node of the op or of its family; where an element type is open the kernel is chosen once it
/// is known. Throws UnsupportedError naming the node where there is none.
std::unique_ptr<CpuNode> make_cpu_node(const Node& node, const CompileContext& context);

/// True where the type of an input or output is open.
bool has_open_type(const Node& node);

}  // namespace rondo::cpu
