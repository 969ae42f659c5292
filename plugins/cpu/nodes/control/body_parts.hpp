// Lists a body's nodes among the parts of the node that has it.
#pragma once

#include <cstddef>
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

// Hands out places in a call's scratch memory.

class ScratchLayout {
public:
    /// The offset of `bytes` bytes on a cache line.
    std::size_t take(std::size_t bytes) {
        constexpr std::size_t kLine = 64;
        const std::size_t offset = bytes_;
        bytes_ += (bytes + kLine - 1) / kLine * kLine;
        return offset;
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

}  // namespace rondo::cpu
