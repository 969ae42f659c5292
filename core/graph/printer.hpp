// The graph as text, for people, diffs and tests.
#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace rondo {

/// A line a node: `%3 lstm : f32[?,1,10,64], f32[?,1,64] = LSTMSequence-5(%0, %1)
/// {hidden_size=64}`. The graphs that an op runs follow its line, indented, with the ports that
/// join them. Equal text means an equal graph, except the constants' elements.
std::string to_text(const Graph& graph);

/// The attributes as "name=value" in the IR's spelling, in order.
std::vector<std::pair<std::string, std::string>> attributes_of(const Node& node);

}  // namespace rondo
