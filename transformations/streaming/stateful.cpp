#include "transformations/streaming/stateful.hpp"

#include <algorithm>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/ports.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "transformations/streaming/find_state_pairs.hpp"
#include "transformations/streaming/passes.hpp"

namespace rondo {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

void change(Graph& graph, FunctionRef<void(Graph&)> action) {
    const auto copy = graph.clone();
    action(*copy);
    copy->validate();
    ops::variables_of(*copy);
    graph.take(*copy);
}

std::string port_list(const std::vector<PortInfo>& ports, const char* kind) {
    std::string text;
    for (const PortInfo& port : ports) text += (text.empty() ? "" : ", ") + describe(port, kind);
    return text;
}

std::string why_nothing(const Graph& graph, const StateSearch& found) {
    std::string text =
        "no state was found: no output is for certain the next value of an input, and no layer "
        "starts from zeros; name the pairs; there are: " +
        port_list(input_ports(graph), "input") + "; " + port_list(output_ports(graph), "output");
    for (const std::string& reason : found.unpaired) text += "; " + reason;
    return text;
}

bool has_loops(const Graph& graph) {
    const auto nodes = graph.ordered_nodes();
    return std::any_of(nodes.begin(), nodes.end(), [](const NodePtr& node) {
        return as_op<ops::IteratedOp>(*node) != nullptr;
    });
}

std::vector<PortInfo>::const_iterator find_port(const std::vector<PortInfo>& ports,
                                                const std::string& name) {
    return std::find_if(ports.begin(), ports.end(), [&](const PortInfo& port) {
        return std::count(port.names.begin(), port.names.end(), name) != 0;
    });
}

// Takes the outputs apart of which the pairs name a part.
void part_named_outputs(Graph& graph, const Pairs& pairs) {
    for (const auto& pair : pairs) {
        const std::string whole = passes::whole_name(pair.second);
        const auto outputs = output_ports(graph);
        const auto found = find_port(outputs, whole);
        if (whole.empty() || found == outputs.end()) continue;
        if (find_port(outputs, pair.second) != outputs.end()) continue;
        passes::part_output(graph, static_cast<std::size_t>(found - outputs.begin()));
    }
}

// The pairs name outputs of `parted`. A name that no output of `graph` has is a tensor's own name:
// its pair is given the name of the part.
void name_parts(Pairs& pairs, const Graph& parted, const Graph& graph) {
    const auto outputs = output_ports(graph);
    const auto parts = output_ports(parted);
    for (auto& pair : pairs) {
        if (find_port(outputs, pair.second) != outputs.end()) continue;
        for (const std::string& name : find_port(parts, pair.second)->names) {
            if (find_port(outputs, passes::whole_name(name)) != outputs.end()) pair.second = name;
        }
    }
}

// A model that takes its states as inputs has them all there: layers that start from zeros beside
// these walk over something else than time.
void make_what_is_found_stateful(Graph& graph) {
    const StateSearch found = find_states(graph);
    if (!found.pairs.empty()) {
        part_named_outputs(graph, found.pairs);
        passes::make_stateful(graph, found.pairs);
        return;
    }
    if (has_loops(graph)) run_portable_passes(graph, {});  // most are layers
    if (!passes::hidden_states_to_variables(graph)) throw ModelError(why_nothing(graph, found));
}

}  // namespace

StateSearch find_states(const Graph& graph) {
    StateSearch found = passes::find_state_pairs(graph);
    if (found.unpaired.empty()) return found;
    const auto copy = graph.clone();
    if (!passes::part_outputs(*copy)) return found;
    StateSearch parted = passes::find_state_pairs(*copy);
    if (parted.pairs.size() <= found.pairs.size()) return found;
    name_parts(parted.pairs, *copy, graph);
    return parted;
}

void make_stateful(Graph& graph, const Pairs& pairs) {
    change(graph, [&](Graph& copy) {
        part_named_outputs(copy, pairs);
        passes::make_stateful(copy, pairs);
    });
}

void find_and_make_stateful(Graph& graph) {
    change(graph, [](Graph& copy) { make_what_is_found_stateful(copy); });
}

void apply_low_latency(Graph& graph, bool use_const_initializer) {
    change(graph, [&](Graph& copy) { passes::low_latency(copy, use_const_initializer); });
}

}  // namespace rondo
