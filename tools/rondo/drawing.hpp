// A picture of a graph: Graphviz's language, or an SVG that needs no other program.
#pragma once

#include <string>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// The text with each character of `special` escaped: `&`, `<` and `>` as in XML, others by a `\`.
std::string escaped(const std::string& text, const std::string& special);

/// The graph without constants, with shapes on the edges.
std::string to_dot(const std::string& title, const std::vector<NodeInfo>& nodes);

/// Nodes in rows by their distance from the inputs.
std::string to_svg(const std::string& title, const std::vector<NodeInfo>& nodes);

/// Throws ModelError unless `path` ends in .dot or .svg.
void check_drawing_name(const std::string& path);

/// Writes `path` in the format of its ending: .dot or .svg. Throws ModelError for other endings.
void draw(const std::string& path, const std::string& title, const std::vector<NodeInfo>& nodes);

}  // namespace rondo::tool
