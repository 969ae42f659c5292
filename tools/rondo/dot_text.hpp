// A graph as text in Graphviz's language.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// The text with each character of `special` escaped: `&`, `<` and `>` as in XML, others by a `\`.
std::string escaped(const std::string& text, const std::string& special);

/// What was measured of a node.
struct NodeTime {
    double microseconds = 0;
    std::string measured_as;  ///< the name of the row, which may be that of several nodes
};

/// By name; a body's nodes with their place, such as "if/then_body/add". Where there are any, they
/// give the nodes their colours.
using NodeTimes = std::map<std::string, NodeTime>;

/// The graph without constants and what is computed from constants alone; shapes on the edges (of
/// large graphs in their tooltips alone), attributes and weights in tooltips. A body is a frame
/// that its node points to.
std::string to_dot(const std::string& title, const std::vector<NodeInfo>& nodes,
                   const NodeTimes& times = {});

}  // namespace rondo::tool
