// Conditions and trip counts as a run reads them: single elements, in place.
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

/// True for elements that may decide shapes in a body, such as the pattern of a Reshape, and that
/// aren't known yet.
inline bool may_decide_shapes(const TensorInfo& info) {
    constexpr std::size_t kMaxElements = 64;
    return is_integral(info.type) && !info.value && element_count(info.shape) <= kMaxElements;
}

}  // namespace rondo::cpu
