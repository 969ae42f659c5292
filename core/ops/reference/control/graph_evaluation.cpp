#include "core/ops/reference/control/graph_evaluation.hpp"

#include <unordered_map>

namespace rondo::reference {

std::vector<Tensor> GraphEvaluation::run(std::span<const Tensor> inputs) const {
    std::unordered_map<const Node*, std::vector<Tensor>> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        values[graph_.parameters()[i].get()] = {inputs[i]};
    }
    for (const NodePtr& node : nodes_) {
        if (values.contains(node.get())) continue;
        std::vector<Tensor> sources;
        for (const auto& source : node->inputs()) {
            sources.push_back(values.at(&source.node()).at(source.index()));
        }
        values[node.get()] = outputs_of(*node, sources);
    }
    std::vector<Tensor> results;
    for (const NodePtr& node : graph_.results()) results.push_back(values.at(node.get())[0]);
    return results;
}

std::vector<Tensor> GraphEvaluation::outputs_of(const Node& node,
                                                const std::vector<Tensor>& inputs) const {
    if (node.type_name() == "Result") return inputs;
    if (const Tensor known = inputs.empty() ? node.known_value(0) : Tensor()) return {known};
    return evaluate_(node, inputs);
}

}  // namespace rondo::reference
