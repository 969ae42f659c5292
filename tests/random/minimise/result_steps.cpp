// Outputs of nodes with bodies that nothing reads fall out, in the node and in its bodies. Loops
// have trip counts.
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/iteration.hpp"
#include "tests/random/minimise/steps.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

// More than loops of random models have.
constexpr std::int64_t kMostIterations = 100;

void erase_number(NodeProto& node, const char* list, int at) {
    if (auto* attribute = find_attribute(node, list)) erase_at(*attribute->mutable_ints(), at);
}

void drop_branch_result(NodeProto& node, int output) {
    erase_at(*node.mutable_output(), output);
    for (GraphProto* body : bodies_of(node)) erase_at(*body->mutable_output(), output);
}

void drop_state(NodeProto& node, int state) {
    const Iteration iteration = iteration_of(node);
    GraphProto& body = *body_named(node, "body");
    const int input = iteration.first_input + state;
    replace_reads(body, body.input(input).name(), node.input(input));
    erase_at(*body.mutable_input(), input);
    erase_at(*body.mutable_output(), iteration.first_result + state);
    erase_at(*node.mutable_input(), input);
    erase_at(*node.mutable_output(), state);
}

void drop_joined(NodeProto& node, int joined) {
    const Iteration iteration = iteration_of(node);
    const int output = iteration.states + joined;
    erase_at(*body_named(node, "body")->mutable_output(), iteration.first_result + output);
    erase_at(*node.mutable_output(), output);
    erase_number(node, "scan_output_axes", joined);
    erase_number(node, "scan_output_directions", joined);
}

void drop_walked(NodeProto& node, int walked) {
    const int input = iteration_of(node).states + walked;
    erase_at(*body_named(node, "body")->mutable_input(), input);
    erase_at(*node.mutable_input(), input);
    erase_number(node, "scan_input_axes", walked);
    erase_number(node, "scan_input_directions", walked);
    find_attribute(node, "num_scan_inputs")->set_i(iteration_of(node).walked - 1);
}

void drop_output(NodeProto& node, int output) {
    if (!is_iterated(node)) return drop_branch_result(node, output);
    const int states = iteration_of(node).states;
    if (output < states) return drop_state(node, output);
    drop_joined(node, output - states);
}

// Whether a Scan walks the value in vain.
bool is_unread(NodeProto& node, int walked) {
    const GraphProto& body = *body_named(node, "body");
    return !is_used(body, body.input(iteration_of(node).states + walked).name());
}

}  // namespace

std::vector<Edit> drop_results(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    const auto add = [&](const Place& place, void (*drop)(NodeProto&, int), int at) {
        edits.emplace_back([place, drop, at](Candidate& changed) {
            drop(*all_graphs(changed)[place.graph]->mutable_node(place.node), at);
        });
    };
    for (const Place& place : nodes_with_bodies(candidate)) {
        const GraphProto& graph = *graphs[place.graph];
        NodeProto& node = *graphs[place.graph]->mutable_node(place.node);
        for (int output = 0; output < node.output_size() && node.output_size() > 1; ++output) {
            if (!is_used(graph, node.output(output))) add(place, drop_output, output);
        }
        if (!is_iterated(node)) continue;
        const int count = iteration_of(node).walked;
        for (int walked = 0; walked < count && count > 1; ++walked) {
            if (is_unread(node, walked)) add(place, drop_walked, walked);
        }
    }
    return edits;
}

std::vector<Edit> count_iterations(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    for (const Place& place : nodes_with_bodies(candidate)) {
        const NodeProto& node = graphs[place.graph]->node(place.node);
        if (node.op_type() != "Loop" || !node.input(0).empty()) continue;
        edits.emplace_back([place](Candidate& changed) {
            GraphProto& graph = *all_graphs(changed)[place.graph];
            NodeProto& loop = *graph.mutable_node(place.node);
            loop.set_input(0, loop.output(0) + "_count");
            *graph.add_initializer() = to_message(loop.input(0), scalar_of(kMostIterations));
        });
    }
    return edits;
}

}  // namespace rondo::test
