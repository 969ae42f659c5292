// Checks that a pass keeps the numbers and changes nothing in a second run.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/tensor.hpp"
#include "tests/support/source_location.hpp"

namespace rondo::test {

using PassFunction = std::function<bool(Graph&)>;

/// Random inputs for parameters; those with open extents get `open_extent` there.
std::vector<Tensor> random_inputs(const Graph& graph, std::size_t open_extent = 3);

/// Fails unless the pass changes the graph, leaves it valid, keeps every bit of the results and the
/// names and types of inputs and outputs, and changes nothing in a second run.
/// `inputs` default to random_inputs().
void expect_rewritten(Graph& graph, const PassFunction& pass, std::vector<Tensor> inputs = {},
                      SourceLocation where = SourceLocation::current());

/// Fails if the pass changes the graph or returns true.
void expect_unchanged(Graph& graph, const PassFunction& pass,
                      SourceLocation where = SourceLocation::current());

/// The number of nodes of that type that results need.
std::size_t count_nodes(const Graph& graph, std::string_view type);

}  // namespace rondo::test
