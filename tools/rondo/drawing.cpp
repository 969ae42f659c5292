#include "drawing.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "files.hpp"
#include "graph_page.hpp"
#include "node_kinds.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {

namespace fs = std::filesystem;

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

constexpr std::size_t kLongestName = 32;
constexpr std::size_t kLongestAttribute = 60;
constexpr std::size_t kMostLabels = 150;  // dot takes minutes to place a thousand
constexpr const char* kQuotes = "\"\\";
const std::string kNoGraphviz =
    "Graphviz's program 'dot' isn't here (Debian: apt-get install graphviz); a .dot file works "
    "without it";

bool is_port(const NodeInfo& node) { return node.type == "Parameter" || node.type == "Result"; }

// From white to orange by the share of the slowest node.
std::string heat(double share) {
    char text[8];
    const int green = static_cast<int>(250 - 130 * share);
    const int blue = static_cast<int>(245 - 205 * share);
    std::snprintf(text, sizeof text, "#ff%02x%02x", green, blue);
    return text;
}

std::string colour(const NodeInfo& node, const NodeTimes& times, double slowest) {
    if (is_port(node)) return "#d9e8f6";
    if (slowest <= 0) return is_recurrent(node) ? "#f6dfc4" : "#f2f2f2";
    const auto time = times.find(node.name);
    return heat(time == times.end() ? 0 : time->second.microseconds / slowest);
}

std::string port_text(const PortInfo& port) {
    return std::string(to_string(port.element_type)) + to_string(port.shape);
}

std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : "..." + text.substr(text.size() - most + 3);
}

// A result is known by its tensor: the name of its node has no meaning for users.
std::string shown_name(const NodeInfo& node) {
    const bool is_result = node.type == "Result" && !node.outputs.empty();
    return is_result && !node.outputs[0].names.empty() ? node.outputs[0].any_name() : node.name;
}

// Type, name and what a reader looks for first.
std::string label_of(const NodeInfo& node, const NodeTimes& times) {
    std::string label = escaped(node.type, kQuotes) + "\\n" +
                        escaped(shortened(shown_name(node), kLongestName), kQuotes);
    for (const char* shown : {"hidden_size", "direction", "axis", "axes", "strides"}) {
        for (const auto& [name, value] : node.attributes) {
            if (name != shown || value.size() > kLongestName) continue;
            label += "\\n" + name + " " + escaped(value, kQuotes);
        }
    }
    const auto time = times.find(node.name);
    if (time != times.end() && time->second.microseconds > 0) {
        char text[32];
        std::snprintf(text, sizeof text, "\\n%.2f us", time->second.microseconds);
        label += text;
        const std::string& measured_as = time->second.measured_as;
        if (measured_as != node.name) {
            label += "\\nfor " + escaped(shortened(measured_as, kLongestName), kQuotes);
        }
    }
    return label;
}

std::string tooltip_of(const NodeInfo& node, const std::vector<NodeInfo>& nodes,
                       const std::vector<bool>& hidden) {
    std::string text = node.type + " " + node.name;
    for (const auto& [name, value] : node.attributes) {
        const bool fits = value.size() <= kLongestAttribute;
        text += "\n" + name + ": " + (fits ? value : value.substr(0, kLongestAttribute) + "...");
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const auto& source = node.inputs[i];
        if (!hidden[source.node]) continue;
        text += "\ninput " + std::to_string(i) + ": constant " +
                port_text(nodes[source.node].outputs[source.output]);
    }
    for (const auto& [name, value] : node.facts) text += "\n" + name + ": " + value;
    std::string result = escaped(text, kQuotes);
    for (std::size_t at = 0; (at = result.find('\n', at)) != std::string::npos; at += 5) {
        result.replace(at, 1, "&#10;");
    }
    return result;
}

std::size_t count_edges(const std::vector<NodeInfo>& nodes, const std::vector<bool>& hidden) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        count += hidden[i] ? 0 : nodes[i].inputs.size();
    }
    return count;
}

// Equal edges between two nodes become one, which says how many they are.
void add_edges(std::ostream& out, std::size_t to, const std::vector<NodeInfo>& nodes,
               const std::vector<bool>& hidden, const char* kind) {
    std::map<std::pair<std::size_t, std::string>, std::size_t> counts;
    for (const auto& source : nodes[to].inputs) {
        if (hidden[source.node]) continue;
        ++counts[{source.node, port_text(nodes[source.node].outputs[source.output])}];
    }
    for (const auto& [edge, count] : counts) {
        const std::string times = count > 1 ? std::to_string(count) + " x " : "";
        out << "  n" << edge.first << " -> n" << to << " [" << kind << "=\"" << times << edge.second
            << "\"];\n";
    }
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A file of the system's temporary folder that goes with its owner.
class TemporaryFile {
public:
    TemporaryFile() : path_((fs::temp_directory_path() / "rondo-graph-XXXXXX").string()) {
        const int file = ::mkstemp(path_.data());
        if (file < 0) throw ModelError("can't write to " + fs::temp_directory_path().string());
        ::close(file);
    }
    ~TemporaryFile() { ::unlink(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string ending_of(const std::string& path) {
    const auto dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(dot);
}

}  // namespace

std::string to_dot(const std::string& title, const std::vector<NodeInfo>& nodes,
                   const NodeTimes& times) {
    const auto hidden = computed_once(nodes);
    const char* const kind = count_edges(nodes, hidden) > kMostLabels ? "tooltip" : "label";
    double slowest = 0;
    for (const auto& [name, time] : times) slowest = std::max(slowest, time.microseconds);
    std::ostringstream out;
    out << "digraph \"" << escaped(title, kQuotes) << "\" {\n"
        << "  label=\"" << escaped(title, kQuotes) << "\"; labelloc=t; fontname=\"sans-serif\";\n"
        << "  nslimit=1; nslimit1=1;\n"
        << "  node [shape=box, style=\"filled,rounded\", fontname=\"sans-serif\", fontsize=11];\n"
        << "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#888888\", arrowsize=0.7];\n";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (hidden[i]) continue;
        out << "  n" << i << " [label=\"" << label_of(nodes[i], times) << "\", fillcolor=\""
            << colour(nodes[i], times, slowest) << "\", tooltip=\""
            << tooltip_of(nodes[i], nodes, hidden) << "\"];\n";
        add_edges(out, i, nodes, hidden, kind);
    }
    out << "}\n";
    return out.str();
}

bool has_graphviz() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((folder + "/dot").c_str(), X_OK) == 0) return true;
    }
    return false;
}

std::string svg_of(const std::string& dot) {
    if (!has_graphviz()) throw ModelError(kNoGraphviz);
    const TemporaryFile text;
    const TemporaryFile picture;
    write_file(text.path(), {dot});
    // mkstemp's names need no quoting unless TMPDIR does.
    const std::string command =
        "dot -Tsvg -o '" + picture.path() + "' '" + text.path() + "' 2>/dev/null";
    const int status = std::system(command.c_str());
    std::string svg = read_file(picture.path());
    const auto start = svg.find("<svg");
    if (status != 0 || start == std::string::npos) throw ModelError("dot failed to draw the graph");
    return svg.substr(start);
}

void check_drawing_name(const std::string& path) {
    const std::string ending = ending_of(path);
    if (ending == ".dot") return;
    if (ending != ".svg" && ending != ".html") {
        throw ModelError("--graph " + path + ": the file must end in .dot, .svg or .html");
    }
    if (has_graphviz()) return;
    throw ModelError("--graph " + path + ": " + kNoGraphviz);
}

void draw(const std::string& path, const std::string& title, const std::vector<NodeInfo>& nodes) {
    check_drawing_name(path);
    const std::string ending = ending_of(path);
    const std::string dot = to_dot(title, nodes);
    if (ending == ".dot") return write_file(path, {dot});
    const std::string svg = svg_of(dot);
    write_file(path, {ending == ".svg" ? svg : graph_page(title, svg, GraphColours::kinds)});
}

}  // namespace rondo::tool
