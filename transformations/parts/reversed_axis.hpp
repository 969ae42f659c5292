// Nodes that turn an axis round: recognised, and made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/graph/node.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// The axis of which a Slice, Gather or ReverseSequence takes all elements from the last one to the
/// first, in all rows, where it takes the other axes as they are; nothing for other nodes.
std::optional<std::size_t> reversed_axis(const Node& node);

/// A Slice of all elements of an axis of any extent, from the last one to the first.
NodePtr make_reversal(Rewriter& rewriter, const Output& data, std::size_t axis,
                      const std::string& name);

}  // namespace rondo::passes
