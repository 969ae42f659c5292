// A branch of an If, or the first iteration of a Loop or a Scan, replaces the node.
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/iteration.hpp"
#include "tests/random/minimise/steps.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

// Puts the parts of a body where a node with bodies was.
class Inliner {
public:
    Inliner(GraphProto& graph, int at) : graph_(graph), at_(at), node_(graph.node(at)) {
        erase_at(*graph.mutable_node(), at);
    }

    void branch(const std::string& name) {
        const GraphProto body = *body_named(node_, name);
        add_parts(body);
        for (int i = 0; i < node_.output_size(); ++i) {
            add(make_node("Identity", {body.output(i).name()}, node_.output(i)));
        }
    }

    void first_iteration() {
        const Iteration iteration = iteration_of(node_);
        GraphProto body = *body_named(node_, "body");
        if (iteration.first_input > 0) {
            constant(body.input(0).name(), scalar_of<std::int64_t>(0));
            constant(body.input(1).name(), scalar_of<bool>(true));
        }
        for (int i = 0; i < iteration.states; ++i) {
            const int input = iteration.first_input + i;
            add(make_node("Identity", {node_.input(input)}, body.input(input).name()));
        }
        for (int i = 0; i < iteration.walked; ++i) add_walked(body, iteration.states + i, i);
        add_parts(body);
        for (int i = 0; i < iteration.states; ++i) {
            const auto& result = body.output(iteration.first_result + i).name();
            add(make_node("Identity", {result}, node_.output(i)));
        }
        for (int i = 0; i < iteration.joined; ++i) {
            const int output = iteration.states + i;
            add_joined(body.output(iteration.first_result + output).name(), output, i);
        }
    }

private:
    void add(NodeProto node) { insert_node(graph_, at_++, std::move(node)); }

    void constant(const std::string& name, const Tensor& value) {
        *graph_.add_initializer() = to_message(name, value);
    }

    void add_parts(const GraphProto& body) {
        for (const auto& tensor : body.initializer()) *graph_.add_initializer() = tensor;
        for (const auto& node : body.node()) add(node);
    }

    // The first that a Scan comes to, along its axis.
    void add_walked(const GraphProto& body, int input, int walked) {
        const auto& name = body.input(input).name();
        const bool is_reverse = number_at(node_, "scan_input_directions", walked) != 0;
        constant(name + "_index", scalar_of<std::int64_t>(is_reverse ? -1 : 0));
        NodeProto gather = make_node("Gather", {node_.input(input), name + "_index"}, name);
        NodeBuilder(gather).with("axis", number_at(node_, "scan_input_axes", walked));
        add(std::move(gather));
    }

    void add_joined(const std::string& result, int output, int joined) {
        const std::string& name = node_.output(output);
        const std::int64_t axis = number_at(node_, "scan_output_axes", joined);
        constant(name + "_axis", tensor_of<std::int64_t>({1}, {axis}));
        add(make_node("Unsqueeze", {result, name + "_axis"}, name));
    }

    GraphProto& graph_;
    int at_;
    NodeProto node_;
};

}  // namespace

std::vector<Edit> inline_branches(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    for (const Place& place : nodes_with_bodies(candidate)) {
        if (graphs[place.graph]->node(place.node).op_type() != "If") continue;
        for (const char* branch : {"then_branch", "else_branch"}) {
            edits.emplace_back([place, branch](Candidate& changed) {
                Inliner(*all_graphs(changed)[place.graph], place.node).branch(branch);
            });
        }
    }
    return edits;
}

std::vector<Edit> inline_iterations(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    for (const Place& place : nodes_with_bodies(candidate)) {
        if (!is_iterated(graphs[place.graph]->node(place.node))) continue;
        edits.emplace_back([place](Candidate& changed) {
            Inliner(*all_graphs(changed)[place.graph], place.node).first_iteration();
        });
    }
    return edits;
}

}  // namespace rondo::test
