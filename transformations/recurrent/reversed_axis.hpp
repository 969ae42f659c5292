// Nodes that turn an axis round.
#pragma once

#include <cstddef>
#include <optional>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// The axis of which a Slice, Gather or ReverseSequence takes all elements from the last one to the
/// first, in all rows, where it takes the other axes as they are; nothing for other nodes.
std::optional<std::size_t> reversed_axis(const Node& node);

}  // namespace rondo::passes
