#include "graph_page.hpp"

#include "drawing.hpp"

namespace rondo::tool {
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
