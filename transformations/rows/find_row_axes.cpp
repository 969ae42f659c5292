#include "transformations/rows/find_row_axes.hpp"

#include <algorithm>
#include <utility>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "transformations/rows/row_walk.hpp"

namespace rondo::passes {
namespace {

bool has_name(const Node& parameter, const std::string& name) {
    const auto& names = const_cast<Node&>(parameter).output(0).names();
    return parameter.name() == name || names.contains(name);
}

void check_hint(const Graph& graph, const RowAxesHint& hint) {
    for (const auto& [name, axis] : hint) {
        std::vector<std::string> known;
        bool found = false;
        for (const auto& parameter : graph.parameters()) {
            known.push_back(parameter->name());
            if (!has_name(*parameter, name)) continue;
            found = true;
            const PartialShape& shape = parameter->output_shape(0);
            if (axis && shape.has_rank() && *axis >= shape.rank()) {
                throw ModelError("input '" + name + "' has shape " + to_string(shape) +
                                 ", which has no axis " + std::to_string(*axis));
            }
        }
        if (!found) {
            throw ModelError("there is no input '" + name + "'; there are: " + quoted_list(known));
        }
    }
}

// What an input may be, the likeliest first.
RowValues possibilities(const Node& parameter, const RowAxesHint& hint, RowExtents extents) {
    for (const auto& [name, axis] : hint) {
        if (!has_name(parameter, name)) continue;
        if (!axis) return {RowValue()};
        return {RowValue::rows(*axis, ExtentProduct())};
    }
    const PartialShape& shape = parameter.output_shape(0);
    RowValues possible = possible_rows(shape, extents);
    const bool is_single =
        shape.is_static() && element_count(shape.to_shape()) == 1;  // as a sampling rate in [1]
    if (possible.empty() || is_single) possible.emplace_back();
    return possible;
}

std::optional<std::size_t> axis_of(const RowValue& value) {
    return value.has_rows ? std::optional(value.axis) : std::nullopt;
}

class Prover {
public:
    Prover(const Graph& graph, const RowAxesHint& hint, bool as_it_is)
        : graph_(graph), hint_(hint), as_it_is_(as_it_is), variables_(ops::variables_of(graph)) {
        check_hint(graph, hint);
    }

    RowPlan run() {
        std::size_t progress = 0;
        const auto obstacle = search_.run(
            [&] {
                plan_ = {};
                RowWalk walk(search_, as_it_is_ ? nullptr : &plan_.edits);
                try {
                    attempt(walk);
                } catch (RowObstacle&) {
                    progress = walk.progress();
                    throw;
                }
            },
            [&] { return progress; });
        if (obstacle) {
            plan_ = {};
            plan_.breaker = obstacle->node;
            plan_.axes.obstacle =
                (obstacle->node != nullptr ? describe(*obstacle->node) + ": " : "") + obstacle->why;
        }
        return std::move(plan_);
    }

private:
    void attempt(RowWalk& walk) {
        RowValues parameters;
        RowChoices all;
        for (const auto& parameter : graph_.parameters()) {
            parameters.push_back(choose(*parameter));
            const RowChoices& choices = parameters.back().choices;
            all.insert(choices.begin(), choices.end());
        }
        const bool has_rows = std::any_of(parameters.begin(), parameters.end(),
                                          [](const RowValue& value) { return value.has_rows; });
        if (!has_rows) throw RowObstacle{nullptr, "no input has an axis for rows", all};
        const RowValues results = walk.run(graph_, parameters);
        note(plan_.axes.inputs, parameters);
        note(plan_.axes.outputs, results);
        for (std::size_t i = 0; i < results.size(); ++i) check(*graph_.results()[i], results[i]);
        for (const auto& variable : variables_) {
            plan_.axes.variables.push_back(axis_of(walk.variable(variable.id)));
        }
    }

    RowValue choose(const Node& parameter) {
        RowValues possible =
            possibilities(parameter, hint_, as_it_is_ ? RowExtents::open : RowExtents::one);
        RowChoices causes;
        const std::size_t taken =
            possible.size() == 1 ? 0 : search_.choose(possible.size(), causes);
        RowValue value = std::move(possible[taken]);
        value.choices = std::move(causes);
        return value;
    }

    static void note(std::vector<std::optional<std::size_t>>& axes, const RowValues& values) {
        for (const RowValue& value : values) axes.push_back(axis_of(value));
    }

    static void check(const Node& result, const RowValue& value) {
        if (!value.counts_streams()) return;
        throw RowObstacle{&result, "it gives the number of streams", value.choices};
    }

    const Graph& graph_;
    const RowAxesHint& hint_;
    const bool as_it_is_;
    std::vector<ops::Variable> variables_;
    RowSearch search_;
    RowPlan plan_;
};

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
    return Prover(graph, hint, true).run().axes;
}

RowPlan plan_batch(const Graph& graph, const RowAxesHint& hint) {
    return Prover(graph, hint, false).run();
}

}  // namespace rondo::passes

namespace rondo {

RowAxes find_row_axes(const Graph& graph) {
    RowAxes axes = passes::find_row_axes(graph, {});
    if (axes.obstacle.empty()) return axes;
    const RowAxes opened = passes::plan_batch(graph).axes;
    if (!opened.obstacle.empty()) return axes;
    const std::string fixed = passes::fixed_extent(graph, opened);
    axes.obstacle = (fixed.empty() ? axes.obstacle : fixed) + "; Model::set_batch(-1) opens it";
    return axes;
}

}  // namespace rondo
