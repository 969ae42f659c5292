// Type and shape inference of a whole graph that changes nothing in it.
#pragma once

#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/infer_context.hpp"

namespace rondo {

/// What the graph's results are where its parameters are `parameters`, in the graph's order. The
/// types and shapes that the nodes hold play no part and stay. Constants and shapes that are known
/// have values, what is computed from them has none. Throws ModelError naming the first node that
/// doesn't fit.
std::vector<InferInput> infer_graph(const Graph& graph, std::span<const InferInput> parameters);

}  // namespace rondo
