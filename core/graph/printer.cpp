#include "core/graph/printer.hpp"

#include <unordered_map>

#include "core/graph/attribute_text.hpp"

namespace rondo {
namespace {

std::string outputs_text(Node& node) {
    std::string text;
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        if (i > 0) text += ", ";
        text += std::string(to_string(node.output_type(i))) + to_string(node.output_shape(i));
        for (const auto& name : node.output(i).names()) text += " '" + name + "'";
    }
    return text;
}

std::string attributes_text(const Node& node) {
    std::string text;
    for (const auto& [name, value] : attributes_of(node)) {
        text += (text.empty() ? " {" : ", ") + name + "=" + value;
    }
    return text.empty() ? text : text + "}";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> attributes_of(const Node& node) {
    AttributeTextWriter writer;
    node.write_attributes(writer);
    return writer.take();
}

namespace {

void print(const Graph& graph, const std::string& indent, std::string& text) {
    std::unordered_map<const Node*, std::size_t> numbers;
    text += "graph '" + graph.name() + "'\n";
    for (const auto& node : graph.ordered_nodes()) {
        const std::size_t number = numbers.size();
        numbers[node.get()] = number;
        text += indent + "%" + std::to_string(number) + " '" + node->name() +
                "' : " + outputs_text(*node) + " = " + std::string(node->type_name()) + "-" +
                node->op_type().opset_name() + "(";
        for (std::size_t i = 0; i < node->input_count(); ++i) {
            const Output& source = node->input(i);
            if (i > 0) text += ", ";
            text += "%" + std::to_string(numbers.at(&source.node()));
            if (source.index() > 0) text += "." + std::to_string(source.index());
        }
        text += ")" + attributes_text(*node) + "\n";
        const auto bodies = node->bodies();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            text += indent + "  " + node->body_text(i) + " ";
            print(*bodies[i], indent + "    ", text);
        }
    }
}

}  // namespace

std::string to_text(const Graph& graph) {
    std::string text;
    print(graph, "", text);
    return text;
}

}  // namespace rondo
