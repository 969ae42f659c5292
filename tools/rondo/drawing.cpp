#include "drawing.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "files.hpp"
#include "node_kinds.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {

std::string escaped(const std::string& text, const std::string& special) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string::npos) {
            if (c == '&') {
                result += "&amp;";
                continue;
            }
            if (c == '<') {
                result += "&lt;";
                continue;
            }
            if (c == '>') {
                result += "&gt;";
                continue;
            }
            result += '\\';
        }
        result += c;
    }
    return result;
}

namespace {

bool is_constant(const NodeInfo& node) { return node.type == "Const"; }

bool is_port(const NodeInfo& node) { return node.type == "Parameter" || node.type == "Result"; }

const char* colour(const NodeInfo& node) {
    if (is_port(node)) return "#d9e8f6";
    return is_recurrent(node) ? "#f6dfc4" : "#f2f2f2";
}

std::string edge_text(const std::vector<NodeInfo>& nodes, const NodeInfo::Source& source) {
    const PortInfo& port = nodes[source.node].outputs[source.output];
    return std::string(to_string(port.element_type)) + to_string(port.shape);
}

std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : "..." + text.substr(text.size() - most + 3);
}

// The length of the longest path from an input; constants don't count.
std::vector<std::size_t> rows_of(const std::vector<NodeInfo>& nodes) {
    std::vector<std::size_t> rows(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const auto& source : nodes[i].inputs) {
            if (!is_constant(nodes[source.node])) {
                rows[i] = std::max(rows[i], rows[source.node] + 1);
            }
        }
    }
    return rows;
}

constexpr int kBoxWidth = 190;
constexpr int kBoxHeight = 40;
constexpr int kStepX = 220;
constexpr int kStepY = 90;

struct BoxPlace {
    int x = 0;
    int y = 0;
};

std::vector<BoxPlace> places_of(const std::vector<NodeInfo>& nodes, BoxPlace& extent) {
    const auto rows = rows_of(nodes);
    std::map<std::size_t, int> used;  // boxes in a row
    std::vector<BoxPlace> places(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (is_constant(nodes[i])) continue;
        places[i] = {20 + kStepX * used[rows[i]]++, 50 + kStepY * static_cast<int>(rows[i])};
        extent.x = std::max(extent.x, places[i].x + kStepX);
        extent.y = std::max(extent.y, places[i].y + kStepY);
    }
    return places;
}

void draw_edges(std::ostream& out, const std::vector<NodeInfo>& nodes,
                const std::vector<BoxPlace>& places) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const auto& source : nodes[i].inputs) {
            if (is_constant(nodes[source.node])) continue;
            const BoxPlace from = places[source.node];
            const int x1 = from.x + kBoxWidth / 2;
            const int y1 = from.y + kBoxHeight;
            const int x2 = places[i].x + kBoxWidth / 2;
            const int y2 = places[i].y;
            out << "<line x1='" << x1 << "' y1='" << y1 << "' x2='" << x2 << "' y2='" << y2
                << "' stroke='#888' marker-end='url(#a)'/><text x='" << (x1 + 2 * x2) / 3 + 4
                << "' y='" << (y1 + 2 * y2) / 3 << "' fill='#666'>"
                << escaped(edge_text(nodes, source), "&<>") << "</text>\n";
        }
    }
}

}  // namespace

std::string to_dot(const std::string& title, const std::vector<NodeInfo>& nodes) {
    std::ostringstream out;
    out << "digraph \"" << escaped(title, "\"\\") << "\" {\n"
        << "  node [shape=box, style=filled, fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (is_constant(nodes[i])) continue;
        out << "  n" << i << " [label=\"" << escaped(nodes[i].type, "\"\\") << "\\n"
            << escaped(nodes[i].name, "\"\\") << "\", fillcolor=\"" << colour(nodes[i]) << "\"];\n";
        for (const auto& source : nodes[i].inputs) {
            if (is_constant(nodes[source.node])) continue;
            out << "  n" << source.node << " -> n" << i << " [label=\"" << edge_text(nodes, source)
                << "\"];\n";
        }
    }
    out << "}\n";
    return out.str();
}

std::string to_svg(const std::string& title, const std::vector<NodeInfo>& nodes) {
    BoxPlace extent{400, 100};
    const auto places = places_of(nodes, extent);
    std::ostringstream out;
    out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << extent.x << "' height='" << extent.y
        << "' font-family='sans-serif' font-size='11'>\n"
        << "<defs><marker id='a' markerWidth='8' markerHeight='8' refX='7' refY='3' "
           "orient='auto'><path d='M0,0 L7,3 L0,6 z' fill='#888'/></marker></defs>\n"
        << "<rect width='100%' height='100%' fill='white'/>\n"
        << "<text x='20' y='25' font-size='15'>" << escaped(title, "&<>") << "</text>\n";
    draw_edges(out, nodes, places);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (is_constant(nodes[i])) continue;
        const BoxPlace at = places[i];
        out << "<rect x='" << at.x << "' y='" << at.y << "' width='" << kBoxWidth << "' height='"
            << kBoxHeight << "' rx='5' fill='" << colour(nodes[i]) << "' stroke='#666'/>"
            << "<text x='" << at.x + 8 << "' y='" << at.y + 16 << "' font-weight='bold'>"
            << escaped(nodes[i].type, "&<>") << "</text><text x='" << at.x + 8 << "' y='"
            << at.y + 32 << "'>" << escaped(shortened(nodes[i].name, 28), "&<>") << "</text>\n";
    }
    out << "</svg>\n";
    return out.str();
}

namespace {

std::string ending_of(const std::string& path) {
    const auto dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(dot);
}

}  // namespace

void check_drawing_name(const std::string& path) {
    const std::string ending = ending_of(path);
    if (ending == ".dot" || ending == ".svg") return;
    throw ModelError("--graph " + path + ": the file must end in .dot or .svg");
}

void draw(const std::string& path, const std::string& title, const std::vector<NodeInfo>& nodes) {
    check_drawing_name(path);
    write_file(path, {ending_of(path) == ".dot" ? to_dot(title, nodes) : to_svg(title, nodes)});
}

}  // namespace rondo::tool
