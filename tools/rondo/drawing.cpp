#include "drawing.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "files.hpp"
#include "model_contents.hpp"
#include "rondo/error.hpp"
#include "texts.hpp"

namespace rondo::tool {

namespace {

namespace fs = std::filesystem;

const std::string kNoGraphviz =
    "Graphviz's program 'dot' isn't here (Debian: apt-get install graphviz); a .dot file works "
    "without it";

// A file of the system's temporary folder that goes with its owner.
class TemporaryFile {
public:
    TemporaryFile() {
        std::error_code error;
        const fs::path folder = fs::temp_directory_path(error);
        if (error) {
            throw ModelError("there is no folder for temporary files (TMPDIR, else /tmp): " +
                             error.message());
        }
        path_ = (folder / "rondo-graph-XXXXXX").string();
        const int file = ::mkstemp(path_.data());
        if (file < 0) throw ModelError("can't write to " + folder.string());
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
    std::string svg = file_bytes(picture.path());
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
    const int green = static_cast<int>(250 - 130 * share);
    const int blue = static_cast<int>(245 - 205 * share);
    return formatted("#ff%02x%02x", green, blue);
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
                typed_shape(nodes[source.node].outputs[source.output]);
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
        label += formatted("\\n%.2f us", time->second.microseconds);
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
            ++counts[{source.node, typed_shape(level.nodes[source.node].outputs[source.output])}];
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

namespace {

constexpr const char* kStyle = R"(
body { font: 14px sans-serif; margin: 20px; color: #222; }
h1 { font-size: 20px; } h2 { font-size: 16px; margin-top: 28px; }
table { border-collapse: collapse; } td, th { padding: 3px 10px; text-align: left; }
th { border-bottom: 1px solid #888; } tr:nth-child(even) { background: #f6f6f6; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.bar { background: #f0a040; height: 10px; display: inline-block; }
#frame { border: 1px solid #bbb; height: 80vh; overflow: hidden; cursor: grab; }
.key { border: 1px solid #888; border-radius: 4px; padding: 1px 8px; }
#frame .found polygon, #frame .found path { stroke: #c00; stroke-width: 4; }
#frame .faded { opacity: 0.25; }
)";

// The view is a box in the picture's own units; `zoom` keeps the point under the pointer.
constexpr const char* kScript = R"(
const svg = document.querySelector('#frame svg'), frame = document.getElementById('frame');
svg.removeAttribute('width'); svg.removeAttribute('height');
svg.style.width = '100%'; svg.style.height = '100%';
const whole = svg.viewBox.baseVal, all = [whole.x, whole.y, whole.width, whole.height];
let view = [...all];
const show = () => svg.setAttribute('viewBox', view.join(' '));
// A large graph opens at its inputs, at a scale to read, and a small one isn't blown up.
if (all[2] > 1.5 * frame.clientWidth || all[3] > 1.5 * frame.clientHeight) {
  const first = svg.querySelector('g.node').getBBox(), top = svg.querySelector('g.graph');
  const shift = top.transform.baseVal.consolidate().matrix;
  view = [first.x + first.width / 2 + shift.e - frame.clientWidth / 2, first.y + shift.f - 40,
          frame.clientWidth, frame.clientHeight];
  show();
} else if (all[2] < frame.clientWidth && all[3] < frame.clientHeight) {
  view = [all[0] + (all[2] - frame.clientWidth) / 2, all[1],
          frame.clientWidth, frame.clientHeight];
  show();
}
const scale = () => Math.max(view[2] / frame.clientWidth, view[3] / frame.clientHeight);
function point(event) {
  const at = svg.createSVGPoint(); at.x = event.clientX; at.y = event.clientY;
  return at.matrixTransform(svg.getScreenCTM().inverse());
}
frame.addEventListener('wheel', event => {
  event.preventDefault();
  const at = point(event), factor = Math.exp(event.deltaY / 500);
  view = [at.x - (at.x - view[0]) * factor, at.y - (at.y - view[1]) * factor,
          view[2] * factor, view[3] * factor];
  show();
}, { passive: false });
let held = null;
frame.addEventListener('pointerdown', event => { held = [event.clientX, event.clientY]; });
window.addEventListener('pointerup', () => { held = null; });
window.addEventListener('pointermove', event => {
  if (!held) return;
  view[0] -= (event.clientX - held[0]) * scale(); view[1] -= (event.clientY - held[1]) * scale();
  held = [event.clientX, event.clientY]; show();
});
// Edges are thin: a wide invisible twin takes the pointer.
for (const path of svg.querySelectorAll('g.edge path')) {
  const wide = path.cloneNode();
  wide.setAttribute('stroke', 'transparent'); wide.setAttribute('stroke-width', '10');
  wide.removeAttribute('stroke-dasharray');
  path.after(wide);
}
const nodes = [...svg.querySelectorAll('g.node')], field = document.getElementById('search');
let found = [], next = 0;
function center(node) {
  const box = node.getBBox(), corner = svg.createSVGPoint();
  corner.x = box.x + box.width / 2; corner.y = box.y + box.height / 2;
  const toScreen = node.getScreenCTM(), fromScreen = svg.getScreenCTM().inverse();
  const at = corner.matrixTransform(toScreen).matrixTransform(fromScreen);
  const width = Math.min(all[2], Math.max(frame.clientWidth, 4 * box.width));
  view = [at.x - width / 2, at.y - width * frame.clientHeight / frame.clientWidth / 2,
          width, width * frame.clientHeight / frame.clientWidth];
  show();
}
field.addEventListener('input', () => {
  const wanted = field.value.toLowerCase();
  found = nodes.filter(node => wanted && node.textContent.toLowerCase().includes(wanted));
  for (const node of nodes) {
    node.classList.toggle('found', found.includes(node));
    node.classList.toggle('faded', wanted !== '' && !found.includes(node));
  }
  document.getElementById('count').textContent = wanted ? found.length + ' nodes' : '';
  next = 0;
  if (found.length) center(found[0]);
});
field.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || !found.length) return;
  next = (next + 1) % found.length; center(found[next]);
});
document.getElementById('whole').addEventListener('click', () => { view = [...all]; show(); });
)";

constexpr const char* kControls =
    "<p><input id='search' size='32' placeholder='type or name; Enter: the next'> <span id='count'>"
    "</span> <button id='whole'>Whole graph</button> The wheel zooms, dragging moves, resting on a "
    "node shows its attributes, on an edge its type and shape.</p>\n";
constexpr const char* kKindsKey =
    "<p><span class='key' style='background: #d9e8f6'>inputs and outputs</span> "
    "<span class='key' style='background: #f6dfc4'>recurrent layers</span>";
constexpr const char* kTimesKey =
    "<p><span class='key' style='background: #d9e8f6'>inputs and outputs</span> Others by time: "
    "<span class='key' style='background: linear-gradient(90deg, #fffaf5, #ff7828)'>none to the "
    "slowest</span>";
constexpr const char* kBodiesKey =
    " <span class='key'>frames: what a node runs; a dashed arrow leads there</span>";

}  // namespace

std::string page_head(const std::string& title) {
    const std::string text = escaped(title, "&<>");
    return "<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>" + text + "</title><style>" +
           kStyle + "</style></head>\n<body><h1>" + text + "</h1>\n";
}

std::string graph_section(const std::string& svg, GraphColours colours) {
    const bool has_bodies = svg.find("class=\"cluster\"") != std::string::npos;
    return std::string(kControls) + (colours == GraphColours::times ? kTimesKey : kKindsKey) +
           (has_bodies ? kBodiesKey : "") + "</p>\n<div id='frame'>" + svg + "</div>\n<script>" +
           kScript + "</script>\n";
}

std::string graph_page(const std::string& title, const std::string& svg, GraphColours colours) {
    return page_head(title) + graph_section(svg, colours) + "</body></html>\n";
}

}  // namespace rondo::tool
