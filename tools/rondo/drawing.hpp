// A picture of a graph: Graphviz's language, or an SVG that needs no other program.
#pragma once

#include <string>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// Constants are left out; shapes stand on the edges.
std::string to_dot(const std::string& title, const std::vector<NodeInfo>& nodes);

/// A row a step away from the inputs.
std::string to_svg(const std::string& title, const std::vector<NodeInfo>& nodes);

/// Throws ModelError unless `path` ends in .dot or .svg.
void check_drawing_name(const std::string& path);

/// Writes `path` in the format that its ending asks for: .dot or .svg. Throws ModelError for others.
void draw(const std::string& path, const std::string& title, const std::vector<NodeInfo>& nodes);

}  // namespace rondo::tool
