// Whether two tensors, or two graphs, are the same.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo {

/// True where both have one type, shape and the same bytes, or neither has a value.
bool same_tensor(const Tensor& a, const Tensor& b);

/// True where both have the same nodes with the same names, attributes, facts, shapes and elements
/// of constants, joined and ordered alike; what is known of the whole model isn't compared.
bool same_graph(const Graph& a, const Graph& b);

}  // namespace rondo
