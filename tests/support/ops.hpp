// Makes single nodes for the tests of ops: inputs of any type and shape, attributes from text.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/attribute_text.hpp"
#include "core/graph/node.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo::test {

/// An input of a shape such as "[2,?,3..5]"; "..." is one of unknown rank.
inline Output parameter(std::string_view shape, ElementType type = ElementType::f32) {
    return make_node<ops::Parameter>(type, PartialShape::parse(shape));
}

/// An input whose elements are known: a node of this name.
inline Output constant(const Tensor& value, const std::string& name = "constant") {
    const auto node = make_node<ops::Constant>(value);
    node->set_name(name);
    return node;
}

/// The inferred type and shape of an output: "f32[2,?]".
inline std::string inferred(const Node& node, std::size_t output = 0) {
    return std::string(to_string(node.output_type(output))) + to_string(node.output_shape(output));
}

/// A T(args...) named "n" on those inputs, not validated, so that attributes can be set first.
template <typename T, typename... Args>
std::shared_ptr<T> unchecked(std::vector<Output> inputs, Args... args) {
    auto node = std::make_shared<T>(args...);
    node->set_inputs(std::move(inputs));
    node->set_name("n");
    return node;
}

/// Sets the attributes from text, as the IR's reader does; others keep their defaults.
inline void read_attributes(Node& node, const std::map<std::string, std::string>& texts) {
    AttributeTextReader reader([&](std::string_view name) -> std::optional<std::string> {
        const auto at = texts.find(std::string(name));
        if (at == texts.end()) return std::nullopt;
        return at->second;
    });
    node.read_attributes(reader);
}

/// A node's only output for these inputs, by its reference evaluator.
inline Tensor evaluate_one(const Node& node, const std::vector<Tensor>& inputs) {
    return reference::evaluate(node, inputs).at(0);
}

}  // namespace rondo::test
