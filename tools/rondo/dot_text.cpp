#include "dot_text.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <utility>

#include "model_contents.hpp"
#include "node_kinds.hpp"

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

using Nodes = std::vector<NodeInfo>;

constexpr std::size_t kLongestName = 32;
constexpr std::size_t kLongestAttribute = 60;
constexpr std::size_t kMostLabels = 150;  // dot takes minutes to place a thousand
constexpr const char* kQuotes = "\"\\";

bool is_port(const NodeInfo& node) { return node.type == "Parameter" || node.type == "Result"; }

// From white to orange by the share of the slowest node.
std::string heat(double share) {
    char text[8];
    const int green = static_cast<int>(250 - 130 * share);
    const int blue = static_cast<int>(245 - 205 * share);
    std::snprintf(text, sizeof text, "#ff%02x%02x", green, blue);
    return text;
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

std::string tooltip_of(const NodeInfo& node, const Nodes& nodes, const std::vector<bool>& hidden) {
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

std::size_t count_edges(const Nodes& nodes) {
    std::size_t count = 0;
    visit_graphs(nodes, [&](const Nodes& graph, const std::string&) {
        const auto hidden = computed_once(graph);
        for (std::size_t i = 0; i < graph.size(); ++i) {
            count += hidden[i] ? 0 : graph[i].inputs.size();
        }
    });
    return count;
}

// The model's graph or a body's.
struct Level {
    const Nodes& nodes;
    std::string id;      // before the nodes' numbers: "n", or "n6_0_" for the first body of n6
    std::string place;   // before their names in reports
    std::string indent;  // of its lines
};

class DotWriter {
public:
    DotWriter(const Nodes& nodes, const NodeTimes& times)
        : times_(times), has_labels_(count_edges(nodes) <= kMostLabels) {
        for (const auto& [name, time] : times) slowest_ = std::max(slowest_, time.microseconds);
    }

    void write(const Level& level) {
        const auto hidden = computed_once(level.nodes);
        for (std::size_t i = 0; i < level.nodes.size(); ++i) {
            if (hidden[i]) continue;
            const NodeInfo& node = level.nodes[i];
            const std::string name = level.place + node.name;
            const std::string id = level.id + std::to_string(i);
            out_ << level.indent << id << " [label=\"" << label_of(node, name) << "\", fillcolor=\""
                 << colour(node, name) << "\", tooltip=\"" << tooltip_of(node, level.nodes, hidden)
                 << "\"];\n";
            write_edges(level, i, hidden);
            for (std::size_t body = 0; body < node.bodies.size(); ++body) {
                write_body(level, i, body);
            }
        }
    }

    std::string text() const { return out_.str(); }

private:
    // Type, name and what a reader looks for first.
    std::string label_of(const NodeInfo& node, const std::string& name) const {
        std::string label = escaped(node.type, kQuotes) + "\\n" +
                            escaped(shortened(shown_name(node), kLongestName), kQuotes);
        for (const char* shown : {"hidden_size", "direction", "axis", "axes", "strides"}) {
            for (const auto& [key, value] : node.attributes) {
                if (key != shown || value.size() > kLongestName) continue;
                label += "\\n" + key + " " + escaped(value, kQuotes);
            }
        }
        const auto time = times_.find(name);
        if (time == times_.end() || time->second.microseconds <= 0) return label;
        char text[32];
        std::snprintf(text, sizeof text, "\\n%.2f us", time->second.microseconds);
        label += text;
        const std::string& measured_as = time->second.measured_as;
        if (measured_as == name) return label;
        return label + "\\nfor " + escaped(shortened(measured_as, kLongestName), kQuotes);
    }

    std::string colour(const NodeInfo& node, const std::string& name) const {
        if (is_port(node)) return "#d9e8f6";
        if (slowest_ <= 0) return is_recurrent(node) ? "#f6dfc4" : "#f2f2f2";
        const auto time = times_.find(name);
        return heat(time == times_.end() ? 0 : time->second.microseconds / slowest_);
    }

    // Equal edges between two nodes become one, which says how many they are.
    void write_edges(const Level& level, std::size_t to, const std::vector<bool>& hidden) {
        std::map<std::pair<std::size_t, std::string>, std::size_t> counts;
        for (const auto& source : level.nodes[to].inputs) {
            if (hidden[source.node]) continue;
            ++counts[{source.node, port_text(level.nodes[source.node].outputs[source.output])}];
        }
        for (const auto& [edge, count] : counts) {
            const std::string times = count > 1 ? std::to_string(count) + " x " : "";
            const std::string text = "\"" + times + edge.second + "\"";
            out_ << level.indent << level.id << edge.first << " -> " << level.id << to << " ["
                 << (has_labels_ ? "label=" + text + ", " : "") << "tooltip=" << text << "];\n";
        }
    }

    // A frame, and a dashed arrow from the node to it.
    void write_body(const Level& level, std::size_t owner, std::size_t number) {
        const NodeInfo& node = level.nodes[owner];
        const NodeInfo::Body& body = node.bodies[number];
        const std::string id = level.id + std::to_string(owner) + "_" + std::to_string(number);
        const auto hidden = computed_once(body.nodes);
        const auto first = std::find(hidden.begin(), hidden.end(), false) - hidden.begin();
        if (static_cast<std::size_t>(first) == hidden.size()) return;
        const std::string title = body.name + " of " + shortened(node.name, kLongestName);
        out_ << level.indent << "subgraph \"cluster_" << id << "\" {\n"
             << level.indent << "  label=\"" << escaped(title, kQuotes) << "\"; tooltip=\""
             << escaped(body.name + " of " + node.type + " " + level.place + node.name, kQuotes)
             << "\";\n";
        write({body.nodes, id + "_", level.place + body.place, level.indent + "  "});
        out_ << level.indent << "}\n"
             << level.indent << level.id << owner << " -> " << id << "_" << first
             << " [lhead=\"cluster_" << id << "\", style=dashed, tooltip=\""
             << escaped(title, kQuotes) << "\"];\n";
    }

    const NodeTimes& times_;
    bool has_labels_;
    double slowest_ = 0;
    std::ostringstream out_;
};

}  // namespace

std::string to_dot(const std::string& title, const Nodes& nodes, const NodeTimes& times) {
    DotWriter writer(nodes, times);
    writer.write({nodes, "n", "", "  "});
    const std::string name = "\"" + escaped(title, kQuotes) + "\"";
    return "digraph " + name + " {\n  label=" + name +
           "; labelloc=t; fontname=\"sans-serif\"; fontsize=11;\n"
           "  nslimit=1; nslimit1=1; compound=true; color=\"#888888\"; style=rounded;\n"
           "  node [shape=box, style=\"filled,rounded\", fontname=\"sans-serif\", fontsize=11];\n"
           "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#888888\", arrowsize=0.7];\n" +
           writer.text() + "}\n";
}

}  // namespace rondo::tool
