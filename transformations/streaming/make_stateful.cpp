#include "transformations/streaming/passes.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/ports.hpp"
#include "core/support/unique_names.hpp"
#include "rondo/error.hpp"
#include "transformations/streaming/starting_extent.hpp"
#include "transformations/streaming/state_starts.hpp"

namespace rondo::passes {
namespace {

using Names = std::vector<std::pair<std::string, std::string>>;

// What becomes a variable.
struct State {
    NodePtr parameter;
    NodePtr result;
    std::string output;  ///< the name by which the output was found
    std::string id;
    PortInfo in;
    PortInfo out;
    std::string read_name;    ///< of the parameter
    std::string assign_name;  ///< of the result
    PartialShape shape = {};
    std::vector<ShapeElement> extents = {};  ///< from which it starts; none: as the shape says
};

std::string pair_text(const State& state) {
    return describe(state.in, "input") + " and " + describe(state.out, "output");
}

void check_pair(const State& state) {
    const auto refuse = [&](const std::string& why) {
        throw ModelError(pair_text(state) + " can't be one state: " + why);
    };
    if (state.in.element_type == ElementType::dynamic) refuse("the input's type isn't known");
    if (!state.in.shape.has_rank()) refuse("the input's rank isn't known");
    if (state.out.element_type != state.in.element_type &&
        state.out.element_type != ElementType::dynamic) {
        refuse("their types differ");
    }
    if (!state.out.shape.intersect(state.in.shape)) refuse("their shapes differ");
    if (!state.parameter->has_consumers()) refuse("no node reads the input");
}

std::vector<State> paired_states(const Graph& graph, const Names& pairs) {
    const auto inputs = input_ports(graph);
    const auto outputs = output_ports(graph);
    std::set<std::size_t> taken_inputs;
    std::set<std::size_t> taken_outputs;
    UniqueNames ids = variable_ids(graph);
    std::vector<State> states;
    for (const auto& [input, output] : pairs) {
        const std::size_t in = find_port(inputs, input, "input", constant_inputs(graph));
        const std::size_t out = find_port(outputs, output, "output");
        if (!taken_inputs.insert(in).second) {
            throw ModelError("input '" + input + "' stands in two pairs of a state");
        }
        if (!taken_outputs.insert(out).second) {
            throw ModelError("output '" + output + "' stands in two pairs of a state");
        }
        states.push_back({graph.parameters()[in], graph.results()[out], output,
                          ids.take(input + output), inputs[in], outputs[out],
                          graph.parameters()[in]->name(), graph.results()[out]->name()});
        check_pair(states.back());
    }
    return states;
}

// Settles the open axes of all states.
class Starts {
public:
    Starts(const Graph& graph, std::vector<State>& states) : graph_(graph), states_(states) {
        std::set<const Node*> sources;
        for (const State& state : states) sources.insert(state.parameter.get());
        behind_ = nodes_behind(graph, sources);
    }

    void settle() {
        for (State& state : states_) settle_extents(state);
        if (!left_.empty()) try_left();
        for (State& state : states_) {
            // A variable without an init input starts as small as its shape allows.
            bool is_small = true;
            for (std::size_t i = 0; i < state.extents.size(); ++i) {
                is_small = is_small && state.extents[i].number == state.shape[i].min();
            }
            if (is_small) state.extents.clear();
        }
    }

private:
    struct Left {
        State* state;
        std::size_t axis;
    };

    void settle_extents(State& state) {
        state.shape = state.in.shape;
        for (std::size_t axis = 0; axis < state.shape.rank(); ++axis) {
            state.extents.push_back(settle_axis(state, axis));
        }
    }
    ShapeElement settle_axis(State& state, std::size_t axis);
    void try_left();

    const Graph& graph_;
    std::vector<State>& states_;
    std::set<const Node*> behind_;
    std::vector<Left> left_;  ///< axes of which the ops in the way say nothing
};

// The start of an axis, and the variable's extent there.
ShapeElement Starts::settle_axis(State& state, std::size_t axis) {
    if (state.shape[axis].is_static()) return {state.shape[axis].length()};
    const auto start = starting_extent(state.parameter->output(0), axis, behind_);
    const PartialShape& after = state.out.shape;
    const bool appends = start && start->number == 0;
    if (!appends && after.has_rank() && after[axis].is_static()) state.shape[axis] = after[axis];
    if (state.shape[axis].is_static()) return {state.shape[axis].length()};
    if (appends) return {state.shape[axis].min()};
    if (start) return *start;
    left_.push_back({&state, axis});
    return {};
}

void Starts::try_left() {
    std::vector<StatePorts> ports;
    std::vector<InputAxis> open;
    const auto place = [](const auto& list, const NodePtr& node) {
        return static_cast<std::size_t>(std::find(list.begin(), list.end(), node) - list.begin());
    };
    for (const State& state : states_) {
        ports.push_back(
            {place(graph_.parameters(), state.parameter), place(graph_.results(), state.result)});
    }
    for (const Left& left : left_) {
        open.push_back({place(graph_.parameters(), left.state->parameter), left.axis});
    }
    const auto found = probed_extents(graph_, ports, open);
    for (const Left& left : left_) {
        if (!found) {
            throw ModelError(pair_text(*left.state) + " can't be one state: nothing in the model " +
                             "says how long axis " + std::to_string(left.axis) +
                             " is at the start; reshape the input first");
        }
        const Output tensor = graph_.parameters()[found->input]->output(0);
        left.state->extents[left.axis] = extent_element(tensor, found->axis);
    }
}

// The nodes that go away leave their names to those that take their places.
void free_names(const std::vector<State>& states) {
    for (const State& state : states) {
        state.parameter->set_name(state.read_name + "/parameter");
        state.result->set_name(state.assign_name + "/result");
    }
}

NodePtr replace_ends(const State& state, Rewriter& rewriter) {
    std::vector<Output> init;
    if (!state.extents.empty()) {
        init = {make_zeros(rewriter, state.read_name, state.in.element_type, state.extents)};
    }
    const auto read = rewriter.make<ops::ReadValue>(state.read_name, init, state.id,
                                                    state.in.element_type, state.shape);
    state.parameter->output(0).replace_with(read->output(0));
    const Output value = state.result->input(0);
    state.result->set_inputs({});
    // Another output of the same tensor keeps its own names alone.
    auto names = value.names();
    if (names.erase(state.output) != 0) value.set_names(names);
    return rewriter.make<ops::Assign>(state.assign_name, value, state.id);
}

}  // namespace

bool make_stateful(Graph& graph, const Names& pairs) {
    std::vector<State> states = paired_states(graph, pairs);
    Starts(graph, states).settle();
    free_names(states);
    Rewriter rewriter(graph);
    auto parameters = graph.parameters();
    auto results = graph.results();
    auto sinks = graph.sinks();
    for (const State& state : states) {
        std::erase(parameters, state.parameter);
        std::erase(results, state.result);
        sinks.push_back(replace_ends(state, rewriter));
    }
    graph.set_ends(std::move(parameters), std::move(results), std::move(sinks));
    graph.validate();
    return !states.empty();
}

}  // namespace rondo::passes
