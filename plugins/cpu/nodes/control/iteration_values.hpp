// What loops and choices share: conditions, counts, numbers of iterations, scratch, and the nodes
// of their bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/nodes/common/body.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {

/// Throws ModelError naming the node unless the shape is that of one element; `what` names it.
inline void check_one(const Node& node, const Shape& shape, const char* what) {
    if (element_count(shape) == 1) return;
    throw ModelError(describe(node) + ": " + what + " has shape " + to_string(shape) +
                     "; expected one element");
}

/// A boolean's byte in a caller's memory may hold more than 0 and 1.
inline bool read_flag(const void* data) { return *static_cast<const std::uint8_t*>(data) != 0; }

/// The largest number where there is no bound.
inline std::size_t read_trip_count(const void* data, ElementType type) {
    const std::int64_t count = type == ElementType::i32 ? *static_cast<const std::int32_t*>(data)
                                                        : *static_cast<const std::int64_t*>(data);
    return count < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(count);
}

/// Writes the number of an iteration for the body, as an i32 or i64.
inline void write_iteration(void* data, ElementType type, std::size_t iteration) {
    if (type == ElementType::i32) {
        *static_cast<std::int32_t*>(data) = static_cast<std::int32_t>(iteration);
    } else {
        *static_cast<std::int64_t*>(data) = static_cast<std::int64_t>(iteration);
    }
}

/// Throws ModelError naming the node unless the input has a part for the iteration.
inline void check_part(const Node& node, std::size_t input, std::size_t parts,
                       std::size_t iteration) {
    if (iteration < parts) return;
    throw ModelError(describe(node) + ": input " + std::to_string(input) + " has " +
                     std::to_string(parts) + " parts; iteration " + std::to_string(iteration) +
                     " needs another one");
}

/// True for elements that may decide shapes in a body, such as the pattern of a Reshape, and that
/// aren't known yet.
inline bool may_decide_shapes(const TensorInfo& info) {
    constexpr std::size_t kMaxElements = 64;
    return is_integral(info.type) && !info.value && element_count(info.shape) <= kMaxElements;
}

/// The body's nodes as parts of the node that has it, "loop/add".
inline std::vector<NodePart> parts_of_body(const ops::BodyOp& op, std::size_t number,
                                           const Body& body) {
    const std::string place = ops::place_of_body(op, number);
    std::vector<NodePart> parts = body.parts();
    for (NodePart& part : parts) part.name = place + part.name;
    return parts;
}

/// Hands out places in a call's scratch memory.

class ScratchLayout {
public:
    /// The offset of `bytes` bytes on a cache line.
    std::size_t take(std::size_t bytes) {
        const std::size_t offset = bytes_;
        bytes_ += whole_lines(bytes);
        return offset;
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

/// Slower than a call, since shapes are compared in each iteration. Shapes and numbers of
/// iterations that came before cost no allocation, except where there is no iteration.
std::unique_ptr<DynamicRun> make_late_loop(const ops::IteratedOp& op, const Body& body);

}  // namespace rondo::cpu
