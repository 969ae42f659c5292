#include "core/graph/printer.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <unordered_map>

#include "core/graph/attribute_text.hpp"
#include "core/support/visit_type.hpp"

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

// What follows a node's attributes.
using Rest = std::string (*)(const Node& node);

std::string nothing(const Node&) { return ""; }

template <typename T>
std::string number_text(T value) {
    char buffer[64];
    const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value);
    return {buffer, end.ptr};
}

template <typename T>
std::string element_text(const void* elements, std::size_t index) {
    if constexpr (std::is_same_v<T, bool>) {  // its byte in a file may hold any number
        return static_cast<const std::uint8_t*>(elements)[index] != 0 ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return number_text(static_cast<const T*>(elements)[index]);
    } else {
        return number_text(static_cast<float>(static_cast<const T*>(elements)[index]));
    }
}

std::string small_value(const Node& node) {
    constexpr std::size_t kMostElements = 8;
    if (node.input_count() > 0 || node.output_count() != 1) return "";
    const Tensor value = node.known_value(0);
    if (!value || value.size() == 0 || value.size() > kMostElements) return "";
    if (is_narrow(value.element_type())) return "";
    const Tensor dense = value.contiguous();
    std::string text = " =";
    for (std::size_t i = 0; i < dense.size(); ++i) {
        text += i == 0 ? " " : ", ";
        text += visit_type(dense.element_type(), [&](auto tag) {
            return element_text<tag_type<decltype(tag)>>(dense.data(), i);
        });
    }
    return text;
}

void print(const Graph& graph, const std::string& indent, Rest rest, std::string& text) {
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
        text += ")" + attributes_text(*node) + rest(*node) + "\n";
        const auto bodies = node->bodies();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            text += indent + "  " + node->body_text(i) + " ";
            print(*bodies[i], indent + "    ", rest, text);
        }
    }
}

}  // namespace

std::string to_text(const Graph& graph) {
    std::string text;
    print(graph, "", nothing, text);
    return text;
}

std::string full_text(const Graph& graph) {
    std::string text;
    print(graph, "", small_value, text);
    return text;
}

namespace {

// What the text doesn't say.
bool same_rest(const Graph& a, const Graph& b) {
    const auto nodes = a.ordered_nodes();
    const auto others = b.ordered_nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = *nodes[i];
        Node& other = *others[i];
        if (node.rt_info() != other.rt_info()) return false;
        for (std::size_t port = 0; port < node.output_count(); ++port) {
            if (!same_tensor(node.known_value(port), other.known_value(port))) return false;
        }
        for (std::size_t body = 0; body < node.bodies().size(); ++body) {
            if (!same_rest(*node.bodies()[body], *other.bodies()[body])) return false;
        }
    }
    return true;
}

}  // namespace

bool same_tensor(const Tensor& a, const Tensor& b) {
    if (bool(a) != bool(b)) return false;
    if (!a) return true;
    if (a.element_type() != b.element_type() || a.shape() != b.shape()) return false;
    const Tensor x = a.contiguous();
    const Tensor y = b.contiguous();
    const std::size_t bytes = x.byte_size();
    return bytes == 0 || x.data() == y.data() || std::memcmp(x.data(), y.data(), bytes) == 0;
}

bool same_graph(const Graph& a, const Graph& b) {
    return to_text(a) == to_text(b) && same_rest(a, b);
}

}  // namespace rondo
