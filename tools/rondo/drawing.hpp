// A picture of a graph in Graphviz's language, and what Graphviz makes of it.
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

/// By name. Where there are any, they give the nodes their colours.
using NodeTimes = std::map<std::string, NodeTime>;

/// The graph without constants and what is computed from constants alone; shapes on the edges (of
/// large graphs in their tooltips), attributes and weights in tooltips.
std::string to_dot(const std::string& title, const std::vector<NodeInfo>& nodes,
                   const NodeTimes& times = {});

/// Whether Graphviz's `dot` can be called.
bool has_graphviz();

/// The SVG that `dot` makes of the text, from its first tag on. Throws ModelError where `dot` is
/// missing, which names its package, or fails.
std::string svg_of(const std::string& dot);

/// Throws ModelError unless `path` ends in .dot, .svg or .html, and where the format needs
/// Graphviz and there is none.
void check_drawing_name(const std::string& path);

/// Writes `path` in the format of its ending; .html is a page to search and zoom in.
void draw(const std::string& path, const std::string& title, const std::vector<NodeInfo>& nodes);

}  // namespace rondo::tool
