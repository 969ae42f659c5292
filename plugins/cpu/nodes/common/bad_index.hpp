// The error of an index that names no place.
#pragma once

#include <cstdint>
#include <string>

#include "core/graph/node.hpp"
#include "core/support/visit_type.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {

/// Throws ModelError naming the node and the index that stands at `place` among `indices`, of an
/// integer type: u64 may be above the range of i64.
[[noreturn]] inline void throw_bad_index(const Node& node, ElementType type, const void* indices,
                                         std::int64_t place, std::int64_t extent) {
    const std::string text = visit_integer(type, [&](auto tag) {
        return std::to_string(static_cast<const tag_type<decltype(tag)>*>(indices)[place]);
    });
    throw ModelError(describe(node) + ": index " + text +
                     " is out of range for an axis of extent " + std::to_string(extent));
}

}  // namespace rondo::cpu
