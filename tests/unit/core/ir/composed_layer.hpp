// Composes a layer of an op that the IR's reader takes apart, and runs it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/ir/composed_ops.hpp"
#include "core/ir/composition.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::test {

using Texts = std::map<std::string, std::string>;

/// The last node, named "n".
inline NodePtr compose(const std::string& type, const std::string& opset, const Texts& attributes,
                       std::vector<Output> inputs) {
    AttributeTextReader reader([&](std::string_view name) -> std::optional<std::string> {
        const auto at = attributes.find(std::string(name));
        return at == attributes.end() ? std::nullopt : std::optional<std::string>(at->second);
    });
    UniqueNames names;
    names.insert("n");
    ir::ComposedLayer layer{"n", std::move(inputs), reader, names};
    const ir::Compose make = ir::find_composed(type, opset);
    if (make == nullptr) throw InternalError(type + " is not composed");
    return make(layer);
}

/// The layer on these inputs, all but the first of which are constants.
inline Tensor run_layer(const std::string& type, const std::string& opset, const Texts& attributes,
                        const std::vector<Tensor>& inputs) {
    const auto x = make_node<ops::Parameter>(inputs[0].element_type(),
                                             PartialShape::of_rank(inputs[0].shape().size()));
    std::vector<Output> sources{x};
    for (std::size_t i = 1; i < inputs.size(); ++i) sources.push_back(constant(inputs[i]));
    const NodePtr node = compose(type, opset, attributes, sources);
    const Graph graph("g", {x}, {make_node<ops::Result>(node)});
    return evaluate_graph(graph, {inputs[0]}).at(0);
}

}  // namespace rondo::test
