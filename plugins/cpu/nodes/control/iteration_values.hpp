// What loops and choices read and write in each run: conditions, counts, numbers of iterations.
#pragma once

#include <cstdint>
#include <limits>

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

}  // namespace rondo::cpu
