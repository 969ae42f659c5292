// The graph as text, for people, diffs and tests; whether two graphs are the same.
#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace rondo {

/// A line a node: `%3 lstm : f32[?,1,10,64], f32[?,1,64] = LSTMSequence-5(%0, %1)
/// {hidden_size=64}`. The graphs that an op runs follow its line, indented, with the ports that
/// join them. Equal text means an equal graph, except the constants' elements.
std::string to_text(const Graph& graph);

/// The attributes as "name=value" in the IR's form, in order.
std::vector<std::pair<std::string, std::string>> attributes_of(const Node& node);

/// As to_text(), which printer.cpp makes too, with the elements after the line of each constant
/// that has eight at most: `%1 'axes' : i64[2] = Const-opset1() {...} = 0, -1`.
std::string full_text(const Graph& graph);

/// True if both have one type, shape and the same bytes, or neither has a value.
bool same_tensor(const Tensor& a, const Tensor& b);

/// True if both have the same nodes with the same names, attributes, facts, shapes and elements
/// of constants, joined and ordered alike; what is known of the whole model isn't compared.
bool same_graph(const Graph& a, const Graph& b);

}  // namespace rondo
