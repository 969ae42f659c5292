// The graph as text with the values of small constants, for people.
#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace rondo {

/// As to_text(), which printer.cpp makes too, with the elements behind the line of each constant
/// that has eight at most: `%1 'axes' : i64[2] = Const-opset1() {...} = 0, -1`.
std::string full_text(const Graph& graph);

}  // namespace rondo
