// Self-contained pages of HTML around a graph.
#pragma once

#include <cstdint>
#include <string>

namespace rondo::tool {

/// An <h1> and the style that all pages share, up to and with <body>.
std::string page_head(const std::string& title);

/// What the colours of a graph's nodes mean.
enum class GraphColours : std::uint8_t { kinds, times };

/// The graph in a frame: wheel and drag zoom and move it, a field searches its nodes.
std::string graph_section(const std::string& svg, GraphColours colours);

/// A page that holds a graph alone.
std::string graph_page(const std::string& title, const std::string& svg, GraphColours colours);

}  // namespace rondo::tool
