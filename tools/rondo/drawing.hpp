// Pictures of graphs, which Graphviz makes.
#pragma once

#include <string>
#include <vector>

#include "dot_text.hpp"
#include "rondo/model.hpp"

namespace rondo::tool {

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
