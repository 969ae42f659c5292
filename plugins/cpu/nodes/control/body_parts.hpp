// Lists a body's nodes among the parts of the node that has it.
#pragma once

#include <vector>

#include "core/ops/control/body_op.hpp"
#include "plugins/cpu/nodes/common/body.hpp"

namespace rondo::cpu {

inline void add_body_parts(const ops::BodyOp& op, std::size_t number, const Body& body,
                           std::vector<NodePart>& parts) {
    const std::string place = ops::place_of_body(op, number);
    for (const NodePart& part : body.parts()) {
        parts.push_back({part.node, part.kernel_name, place + part.name});
    }
}

}  // namespace rondo::cpu
