// Pictures of graphs, which Graphviz makes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// Whether Graphviz's `dot` can be called.
bool has_graphviz();

/// The SVG that `dot` makes of the text, from its first tag on. Throws ModelError if `dot` is
/// missing, which names its package, or fails.
std::string svg_of(const std::string& dot);

/// Throws ModelError unless `path` ends in .dot, .svg or .html, and if the format needs
/// Graphviz and there is none.
void check_drawing_name(const std::string& path);

/// Writes `path` in the format of its ending; .html is a page to search and zoom in.
void draw(const std::string& path, const std::string& title, const std::vector<NodeInfo>& nodes);

/// The text with each character of `special` escaped: `&`, `<` and `>` as in XML, others by a `\`.
std::string escaped(const std::string& text, const std::string& special);

/// What was measured of a node.
struct NodeTime {
    double microseconds = 0;
    std::string measured_as;  ///< the name of the row, which may be that of several nodes
};

/// By name; a body's nodes with their place, such as "if/then_body/add". If there are any, they
/// give the nodes their colours.
using NodeTimes = std::map<std::string, NodeTime>;

/// The graph without constants and what is computed from constants alone; shapes on the edges (of
/// large graphs in their tooltips alone), attributes and weights in tooltips. A body is a frame
/// that its node points to.
std::string to_dot(const std::string& title, const std::vector<NodeInfo>& nodes,
                   const NodeTimes& times = {});

/// An <h1> and the style that all pages share, up to and with <body>.
std::string page_head(const std::string& title);

/// What the colours of a graph's nodes mean.
enum class GraphColours : std::uint8_t { kinds, times };

/// The graph in a frame: wheel and drag zoom and move it, a field searches its nodes.
std::string graph_section(const std::string& svg, GraphColours colours);

/// A page that holds a graph alone.
std::string graph_page(const std::string& title, const std::string& svg, GraphColours colours);

}  // namespace rondo::tool
