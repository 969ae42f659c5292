#include "core/graph/infer_graph.hpp"

#include <unordered_map>

#include "core/support/check.hpp"

namespace rondo {
namespace {

using Known = std::unordered_map<const Node*, std::vector<InferInput>>;

// A node without inputs knows its own elements. The elements of ShapeOf follow from `inputs`: its
// known_value() would use the shapes that the graph holds.
Tensor value_of(const Node& node, std::size_t output, const std::vector<InferInput>& inputs,
                const InferOutput& inferred) {
    if (inputs.empty()) return node.known_value(output);
    if (node.type_name() != "ShapeOf" || !inputs[0].shape.is_static()) return {};
    const Shape shape = inputs[0].shape.to_shape();
    Tensor value(inferred.type, {shape.size()});
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (inferred.type == ElementType::i32) {
            value.data<std::int32_t>()[i] = static_cast<std::int32_t>(shape[i]);
        } else {
            value.data<std::int64_t>()[i] = static_cast<std::int64_t>(shape[i]);
        }
    }
    return value;
}

std::vector<InferInput> infer_node(const Node& node, const Known& known) {
    std::vector<InferInput> inputs;
    for (const auto& source : node.inputs()) {
        inputs.push_back(known.at(&source.node()).at(source.index()));
    }
    InferContext context(node, inputs);
    node.check_and_infer(context);
    std::vector<InferInput> outputs;
    for (std::size_t i = 0; i < context.outputs().size(); ++i) {
        const InferOutput& output = context.outputs()[i];
        outputs.push_back({output.type, output.shape, value_of(node, i, inputs, output)});
    }
    return outputs;
}

}  // namespace

std::vector<InferInput> infer_graph(const Graph& graph, std::span<const InferInput> parameters) {
    internal_check(parameters.size() == graph.parameters().size(), "wrong number of parameters");
    Known known;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        known[graph.parameters()[i].get()] = {parameters[i]};
    }
    for (const auto& node : graph.ordered_nodes()) {
        if (!known.contains(node.get())) known[node.get()] = infer_node(*node, known);
    }
    std::vector<InferInput> results;
    for (const auto& node : graph.results()) {
        const Output& source = node->input(0);
        results.push_back(known.at(&source.node()).at(source.index()));
    }
    return results;
}

}  // namespace rondo
