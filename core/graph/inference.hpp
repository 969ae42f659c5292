// Type and shape inference of a whole graph, the integers that it knows ahead, and the check
// between passes, whose failure is the last pass's bug.
#pragma once

#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"

namespace rondo {

/// What the graph's results are if its parameters are `parameters`, in the graph's order. The
/// types and shapes that the nodes hold play no part and stay. Constants and shapes that are known
/// have values, what is computed from them has none. Throws ModelError naming the first node that
/// doesn't fit.
std::vector<InferInput> infer_graph(const Graph& graph, std::span<const InferInput> parameters);

/// Walks that are longer end without a result.
constexpr int kMostExtentSteps = 16;

/// The numbers of an integer value of rank 0 or 1: exactly, or as a range if a tensor's open
/// extent decides; open if nothing says more. Empty if nothing at all is known, if a
/// constant is below 0, and if there are many. `steps`: how many ops the walk has come through.
std::vector<Dimension> known_extents(const Output& value, int steps = 0);

/// Throws InternalError naming the node if: ports and consumers disagree, a name is empty or
/// used twice in one graph, a Parameter isn't listed, or inferring again gives another type or
/// shape. Bodies of nodes are checked too.
void check_graph(const Graph& graph);

}  // namespace rondo
