// The axes that ops name, by an input or by an attribute, and the same ops with other axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// The axes of input 0 that an op names (OpTraits::axes_input, Node::axis_attribute()), as they are
/// written. A Slice without a list names the first ones. Nothing for ops that name none, and where
/// they aren't known.
std::optional<std::vector<std::int64_t>> written_axes(const Node& node);

/// The same, counted from the first one, in their order; the rank of input 0 must be known.
std::optional<std::vector<std::size_t>> named_axes(const Node& node);

/// The only one of them.
std::optional<std::size_t> named_axis(const Node& node);

/// True where they are the last ones, and at least one.
bool names_last_axes(const Node& node);

/// The same op on other inputs, of which it names `axes`.
NodePtr make_with_axes(Rewriter& rewriter, const Node& node, std::vector<Output> inputs,
                       const std::vector<std::int64_t>& axes);

}  // namespace rondo::passes
