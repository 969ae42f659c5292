// What nodes of fused ops say about their parts.
#pragma once

#include <string>
#include <vector>

#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// The first part, as profiles show the whole op.
inline ShownOp shown_first(const FusedOp& op) {
    const Node& first = *op.parts().front().op;
    return {first.name(), first.type_name()};
}

/// The others, which the same kernel runs.
inline std::vector<NodePart> parts_behind_first(const FusedOp& op, const std::string& kernel_name) {
    std::vector<NodePart> parts;
    for (std::size_t i = 1; i < op.parts().size(); ++i) {
        parts.push_back({*op.parts()[i].op, kernel_name});
    }
    return parts;
}

/// What the first `parts` parts together give at that site.
inline TensorInfo result_of(const FusedOp& op, std::size_t parts, const CallSite& site) {
    const auto values = op.infer_parts(context_of(op, site));
    const InferOutput& last = values[parts - 1];
    return {last.type, last.shape.to_shape(), {}, true};
}

}  // namespace rondo::cpu
