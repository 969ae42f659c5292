#include "transformations/rows/find_row_axes.hpp"

#include <string>

#include "core/ops/state/variables.hpp"
#include "transformations/rows/branch_cases.hpp"

namespace rondo::passes {
namespace {

// The first port whose rows can't be more than one stream's.
std::string fixed_extent(const Graph& graph, const RowAxes& axes) {
    for (std::size_t i = 0; i < axes.inputs.size(); ++i) {
        const Node& node = *graph.parameters()[i];
        if (!axes.inputs[i] || !node.output_shape(0)[*axes.inputs[i]].is_static()) continue;
        return describe(node) + ": its batch, axis " + std::to_string(*axes.inputs[i]) + " of " +
               to_string(node.output_shape(0)) + ", is fixed";
    }
    const auto variables = ops::variables_of(graph);
    for (std::size_t i = 0; i < axes.variables.size(); ++i) {
        const PartialShape& shape = variables[i].shape();
        if (!axes.variables[i] || !shape[*axes.variables[i]].is_static()) continue;
        return describe(*variables[i].read) + ": its batch, axis " +
               std::to_string(*axes.variables[i]) + " of " + to_string(shape) + ", is fixed";
    }
    return {};
}

}  // namespace

RowAxes find_row_axes(const Graph& graph, const RowAxesHint& hint) {
    return rows_in_all_cases(graph, hint);
}

}  // namespace rondo::passes

namespace rondo {

RowAxes find_row_axes(const Graph& graph) {
    RowAxes axes = passes::find_row_axes(graph, {});
    if (axes.obstacle.empty()) return axes;
    const RowAxes opened = passes::plan_batch(graph).axes;
    if (!opened.obstacle.empty()) return axes.inputs.empty() ? opened : axes;
    const std::string fixed = passes::fixed_extent(graph, opened);
    axes.obstacle = (fixed.empty() ? axes.obstacle : fixed) + "; Model::set_batch(-1) opens it";
    return axes;
}

}  // namespace rondo
