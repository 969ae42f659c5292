// How long an open axis of a state is when the state starts.
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "core/graph/graph.hpp"
#include "transformations/pass/shape_elements.hpp"

namespace rondo::passes {

/// The nodes, also those in bodies, whose outputs may depend on the elements or shapes of
/// `sources`.
std::set<const Node*> nodes_behind(const Graph& graph, const std::set<const Node*>& sources);

/// The extent that `axis` of `state` must have, because an op joins its rows with those of a tensor
/// that isn't in `behind`: an operand beside it, a layer's X, another part of a Concat. Rows are
/// followed through ops along whose axis they are independent, and into bodies. The tensor belongs
/// to the graph of `state`. 0 where the only op in the way appends rows along that axis; nothing
/// where no op says it.
std::optional<ShapeElement> starting_extent(const Output& state, std::size_t axis,
                                            const std::set<const Node*>& behind);

}  // namespace rondo::passes
