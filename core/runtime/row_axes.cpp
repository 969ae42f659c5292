#include "core/runtime/row_axes.hpp"

#include <utility>

#include "core/ops/state/variables.hpp"
#include "core/runtime/frontend.hpp"
#include "core/runtime/ports.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

BatchRows listed(const Graph& graph, const RowAxes& axes) {
    BatchRows rows;
    const auto inputs = input_ports(graph);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        rows.ports.push_back({"input", inputs[i].any_name(), axes.inputs[i]});
    }
    const auto outputs = output_ports(graph);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        rows.ports.push_back({"output", outputs[i].any_name(), axes.outputs[i]});
    }
    const auto variables = ops::variables_of(graph);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        rows.ports.push_back({"variable", variables[i].id, axes.variables[i]});
    }
    return rows;
}

// As it is, or as the portable passes leave it.
RowAxes axes_when_compiled(const Graph& graph) {
    RowAxes axes = find_row_axes(graph);
    if (axes.obstacle.empty()) return axes;
    const auto copy = graph.clone();
    run_portable_passes(*copy, {});
    RowAxes compiled = find_row_axes(*copy);
    return compiled.obstacle.empty() ? compiled : axes;
}

}  // namespace

BatchRows batch_rows_of(const Graph& graph) {
    RowAxes axes = axes_when_compiled(graph);
    if (axes.obstacle.empty()) return listed(graph, axes);
    const auto copy = graph.clone();
    try {
        set_batch(*copy, Dimension());
    } catch (const UnsupportedError&) {
        BatchRows rows;
        rows.obstacle = std::move(axes.obstacle);
        return rows;
    }
    BatchRows rows = listed(graph, axes_when_compiled(*copy));
    rows.is_open = false;
    return rows;
}

}  // namespace rondo
