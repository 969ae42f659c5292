#include "tests/support/evaluate_graph.hpp"

#include <unordered_map>

#include "core/ops/reference/evaluate.hpp"
#include "rondo/error.hpp"

namespace rondo::test {
namespace {

using Values = std::unordered_map<const Node*, std::vector<Tensor>>;

std::vector<Tensor> outputs_of(const Node& node, const Values& values) {
    std::vector<Tensor> inputs;
    for (const auto& source : node.inputs()) {
        inputs.push_back(values.at(&source.node())[source.index()]);
    }
    if (node.type_name() == "Result") return inputs;
    if (const Tensor known = node.known_value(0)) return {known};
    return reference::evaluate(node, inputs);
}

}  // namespace

std::vector<Tensor> evaluate_graph(const Graph& graph, const std::vector<Tensor>& inputs) {
    if (inputs.size() != graph.parameters().size()) {
        throw ModelError("evaluate_graph got " + std::to_string(inputs.size()) + " inputs for " +
                         std::to_string(graph.parameters().size()) + " parameters");
    }
    Values values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        values[graph.parameters()[i].get()] = {inputs[i]};
    }
    for (const auto& node : graph.ordered_nodes()) {
        if (!values.contains(node.get())) values[node.get()] = outputs_of(*node, values);
    }
    std::vector<Tensor> results;
    for (const auto& node : graph.results()) results.push_back(values.at(node.get())[0]);
    return results;
}

}  // namespace rondo::test
