#include "transformations/batching/prove_rows.hpp"

#include <algorithm>
#include <utility>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "transformations/batching/row_walk.hpp"

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
RowValues possibilities(const NodePtr& parameter, const RowAxesHint& hint, bool as_it_is) {
    RowValues possible = possible_rows(Output(parameter, 0), as_it_is);
    for (const auto& [name, axis] : hint) {
        if (!has_name(*parameter, name)) continue;
        if (!axis) return {RowValue()};
        std::erase_if(possible,
                      [wanted = *axis](const RowValue& value) { return value.axis != wanted; });
        return possible;
    }
    const PartialShape& shape = parameter->output_shape(0);
    const bool is_single =
        shape.is_static() && element_count(shape.to_shape()) == 1;  // as a sampling rate in [1]
    if (possible.empty() || is_single) possible.emplace_back();
    return possible;
}

std::optional<std::size_t> axis_of(const RowValue& value) {
    return value.has_rows ? std::optional(value.axis) : std::nullopt;
}

std::string text_of(const RowObstacle& obstacle) {
    return (obstacle.node != nullptr ? describe(*obstacle.node) + ": " : "") + obstacle.why;
}

constexpr int kMaxAttempts = 2000;

class Prover {
public:
    Prover(const Graph& graph, const RowAxesHint& hint, bool as_it_is)
        : graph_(graph), hint_(hint), as_it_is_(as_it_is), variables_(ops::variables_of(graph)) {
        check_hint(graph, hint);
    }

    /// The plan of the first attempt that meets no obstacle; else that of the one that got
    /// farthest.
    RowPlan run() {
        RowPlan farthest;
        std::optional<std::size_t> best;
        for (int i = 0; i < kMaxAttempts; ++i) {
            plan_ = {};
            RowWalk walk(search_, as_it_is_ ? nullptr : &plan_.edits);
            try {
                attempt(walk);
                return std::move(plan_);
            } catch (const RowObstacle& obstacle) {
                if (!best || walk.progress() > *best) {
                    best = walk.progress();
                    farthest = plan_;
                    farthest.shared_choices = walk.shared_choices();
                    farthest.axes.obstacle = text_of(obstacle);
                }
                if (!search_.go_back(obstacle.choices)) break;
            }
        }
        return farthest;
    }

private:
    void attempt(RowWalk& walk) {
        RowValues parameters;
        Choices all;
        for (const auto& parameter : graph_.parameters()) {
            parameters.push_back(choose(parameter));
            const Choices& choices = parameters.back().choices;
            all.insert(choices.begin(), choices.end());
        }
        const bool has_rows = std::any_of(
            parameters.begin(), parameters.end(),
            [](const RowValue& value) { return value.has_rows && value.extent.number() == 1; });
        if (!has_rows) throw RowObstacle{nullptr, "no input has an axis for rows", all};
        note(plan_.axes.inputs, parameters);
        const RowValues results = walk.run(graph_, parameters);
        for (const RowValue& value : parameters) {
            plan_.input_rows.push_back(value.extent.number().value_or(1));
        }
        note(plan_.axes.outputs, results);
        for (std::size_t i = 0; i < results.size(); ++i) check(*graph_.results()[i], results[i]);
        for (const auto& variable : variables_) {
            plan_.axes.variables.push_back(axis_of(walk.variable(variable.id)));
        }
    }

    RowValue choose(const NodePtr& parameter) {
        RowValues possible = possibilities(parameter, hint_, as_it_is_);
        if (possible.empty()) {
            throw RowObstacle{parameter.get(), "the axis of its rows is fixed"};
        }
        Choices causes;
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
    Search search_;
    RowPlan plan_;
};

}  // namespace

RowPlan prove_rows(const Graph& graph, const RowAxesHint& hint) {
    return Prover(graph, hint, true).run();
}

RowAxesHint hint_of(const Graph& graph, const RowAxes& axes) {
    RowAxesHint hint;
    for (std::size_t i = 0; i < axes.inputs.size(); ++i) {
        hint[graph.parameters()[i]->name()] = axes.inputs[i];
    }
    return hint;
}

RowPlan plan_batch(const Graph& graph, const RowAxesHint& hint) {
    return Prover(graph, hint, false).run();
}

}  // namespace rondo::passes
