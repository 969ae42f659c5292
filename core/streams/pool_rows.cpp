// Whether steps of several streams can run as one inference, and along which axes.
#include "core/streams/pool_settings.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "core/ops/state/variables.hpp"
#include "core/runtime/ports.hpp"

namespace rondo {
namespace {

using Axes = std::vector<std::optional<std::size_t>>;

// Why the extent along the axis can't be any from 1 to `most`; empty if it can.
std::string obstacle_of(const std::string& place, const PartialShape& shape, std::size_t axis,
                        std::size_t most) {
    if (!shape.has_rank()) return {};
    const Dimension& rows = shape[axis];
    if (rows.min() <= 1 && rows.max() >= static_cast<std::int64_t>(most)) return {};
    return place + " has the shape " + to_string(shape) + ": its batch (axis " +
           std::to_string(axis) + ") isn't open up to " + std::to_string(most) +
           "; Model::set_batch() opens it";
}

std::string obstacle_of(const std::vector<PortInfo>& ports, std::string_view kind, const Axes& axes,
                        std::size_t most) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
        if (!axes[i]) continue;
        const std::string place = std::string(kind) + " '" + ports[i].any_name() + "'";
        std::string obstacle = obstacle_of(place, ports[i].shape, *axes[i], most);
        if (!obstacle.empty()) return obstacle;
    }
    return {};
}

// A batch holds rows of one size, so that all other extents of a state must be known.
std::string obstacle_of(const ops::Variable& variable, std::optional<std::size_t> axis,
                        std::size_t most) {
    const PartialShape& shape = variable.shape();
    const std::string place = "variable '" + variable.id + "'";
    if (!axis) return place + " has no batch axis";
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (i == *axis || shape[i].is_static()) continue;
        return place + " has the shape " + to_string(shape) + ": axis " + std::to_string(i) +
               " is open besides the batch";
    }
    return obstacle_of(place, shape, *axis, most);
}

std::string obstacle_in(const Graph& graph, const RowAxes& axes, std::size_t most) {
    std::string obstacle = obstacle_of(input_ports(graph), "input", axes.inputs, most);
    if (obstacle.empty()) obstacle = obstacle_of(output_ports(graph), "output", axes.outputs, most);
    const auto variables = ops::variables_of(graph);
    for (std::size_t i = 0; i < variables.size() && obstacle.empty(); ++i) {
        obstacle = obstacle_of(variables[i], axes.variables[i], most);
    }
    const bool has_rows = std::any_of(axes.inputs.begin(), axes.inputs.end(),
                                      [](const auto& axis) { return axis.has_value(); });
    if (obstacle.empty() && !has_rows) obstacle = "no input has a batch axis";
    return obstacle;
}

}  // namespace

RowAxes rows_for_batches(const Graph& graph, const RowAxes& proven, std::size_t max_batch) {
    RowAxes axes = proven;
    if (axes.obstacle.empty() && max_batch <= 1) axes.obstacle = "max_batch is 1";
    if (axes.obstacle.empty()) axes.obstacle = obstacle_in(graph, axes, max_batch);
    if (axes.obstacle.empty()) return axes;
    RowAxes none;
    none.inputs.resize(graph.parameters().size());
    none.outputs.resize(graph.results().size());
    none.variables.resize(ops::variables_of(graph).size());
    none.obstacle = std::move(axes.obstacle);
    return none;
}

std::size_t planned_rows(std::size_t steps, std::size_t max_batch) {
    if (steps <= 8) return std::min(steps, max_batch);
    const std::size_t unit = std::bit_floor(steps - 1) / 4;
    return std::min((steps + unit - 1) / unit * unit, max_batch);
}

std::size_t planned_row_counts(std::size_t max_batch) {
    std::size_t count = 0;
    for (std::size_t rows = 1; rows <= max_batch; ++rows) {
        count += planned_rows(rows, max_batch) == rows ? 1 : 0;
    }
    return count;
}

}  // namespace rondo
