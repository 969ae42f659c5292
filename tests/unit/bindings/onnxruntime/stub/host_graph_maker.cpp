#include "tests/unit/bindings/onnxruntime/stub/host_graph_maker.hpp"

#include <algorithm>

namespace rondo::ort {
namespace {

OrtTypeInfo type_of(const std::string& name, const rondo_onnx::TypeProto& message) {
    OrtTypeInfo type;
    type.is_tensor = name.rfind("sequence", 0) != 0;
    type.tensor.element_type = message.tensor_type().elem_type();
    type.tensor.has_shape = message.tensor_type().has_shape();
    for (const auto& dim : message.tensor_type().shape().dim()) {
        type.tensor.extents.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
        type.tensor.symbols.push_back(dim.dim_param());
    }
    return type;
}

OrtValueInfo& value_of(OrtGraph& graph, const std::string& name) {
    auto& value = graph.values[name];
    if (value != nullptr) return *value;
    value = std::make_unique<OrtValueInfo>();
    value->name = name;
    for (const auto* outer = graph.outer; outer != nullptr; outer = outer->outer) {
        const auto at = outer->values.find(name);
        if (at == outer->values.end()) continue;
        value->type = at->second->type;
        value->constant = at->second->constant;
        value->is_from_outer_scope = true;
        return *value;
    }
    value->type.is_tensor = name.rfind("sequence", 0) != 0;
    value->type.tensor.element_type = 1;
    value->type.tensor.has_shape = false;
    return *value;
}

std::shared_ptr<OrtValue> constant_of(const rondo_onnx::TensorProto& tensor) {
    auto value = std::make_shared<OrtValue>();
    value->form.element_type = tensor.data_type();
    value->form.extents.assign(tensor.dims().begin(), tensor.dims().end());
    value->bytes.assign(tensor.raw_data().begin(), tensor.raw_data().end());
    return value;
}

class GraphMaker {
public:
    explicit GraphMaker(const rondo_onnx::ModelProto& model) {
        for (const auto& opset : model.opset_import()) opsets_[opset.domain()] = opset.version();
    }

    std::unique_ptr<OrtGraph> make(const rondo_onnx::GraphProto& message, OrtGraph* outer,
                                   const OrtNode* parent) {
        auto graph = std::make_unique<OrtGraph>();
        graph->name = message.name();
        graph->outer = outer;
        graph->parent = parent;
        graph->opsets = opsets_;
        add_ports(*graph, message);
        for (const auto& node : message.node()) {
            graph->nodes.push_back(make_node(*graph, node));
            graph->nodes.back()->id = graph->nodes.size() - 1;
        }
        return graph;
    }

private:
    static void declare(OrtGraph& graph, const rondo_onnx::ValueInfoProto& message) {
        auto value = std::make_unique<OrtValueInfo>();
        value->name = message.name();
        value->type = type_of(message.name(), message.type());
        if (!message.type().has_tensor_type()) value->type.tensor = {1, false, {}, {}};
        graph.values[message.name()] = std::move(value);
    }

    // An initializer that is an input too is one that a caller may replace.
    static void add_ports(OrtGraph& graph, const rondo_onnx::GraphProto& message) {
        for (const auto& port : message.value_info()) declare(graph, port);
        for (const auto& port : message.output()) declare(graph, port);
        for (const auto& port : message.input()) {
            declare(graph, port);
            graph.inputs.push_back(graph.values[port.name()].get());
        }
        for (const auto& tensor : message.initializer()) {
            const bool is_input = graph.values.count(tensor.name()) != 0;
            auto& value = value_of(graph, tensor.name());
            graph.initializers.push_back(&value);
            if (is_input) continue;
            value.constant = constant_of(tensor);
            value.type.tensor = value.constant->form;
        }
        for (const auto& port : message.output()) {
            graph.outputs.push_back(graph.values[port.name()].get());
        }
    }

    std::shared_ptr<OrtNode> make_node(OrtGraph& graph, const rondo_onnx::NodeProto& message) {
        auto node = std::make_shared<OrtNode>();
        node->name = message.name();
        node->op = message.op_type();
        node->domain = message.domain();
        const auto value = [&](const std::string& name) -> const OrtValueInfo* {
            return name.empty() ? nullptr : &value_of(graph, name);
        };
        for (const auto& name : message.input()) node->inputs.push_back(value(name));
        for (const auto& name : message.output()) node->outputs.push_back(value(name));
        for (const auto& attribute : message.attribute()) {
            node->attributes.push_back({attribute});
            if (!attribute.has_g()) continue;
            node->bodies.emplace_back(attribute.name(), make(attribute.g(), &graph, node.get()));
        }
        return node;
    }

    std::map<std::string, std::int64_t> opsets_;
};

bool reads(const OrtNode& node, const std::string& name);

bool reads(const OrtGraph& graph, const std::string& name) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const auto& node) { return reads(*node, name); });
}

bool reads(const OrtNode& node, const std::string& name) {
    const bool is_input = std::any_of(
        node.inputs.begin(), node.inputs.end(),
        [&](const OrtValueInfo* value) { return value != nullptr && value->name == name; });
    return is_input || std::any_of(node.bodies.begin(), node.bodies.end(),
                                   [&](const auto& body) { return reads(*body.second, name); });
}

}  // namespace

std::unique_ptr<OrtGraph> make_graph(const rondo_onnx::ModelProto& model) {
    auto graph = GraphMaker(model).make(model.graph(), nullptr, nullptr);
    set_implicit_inputs(*graph);
    return graph;
}

void set_implicit_inputs(OrtGraph& graph) {
    for (const auto& node : graph.nodes) {
        node->implicit_inputs.clear();
        for (const auto& body : node->bodies) {
            set_implicit_inputs(*body.second);
            for (const auto& [name, value] : body.second->values) {
                const bool is_used = value->is_from_outer_scope && reads(*body.second, name);
                if (is_used) node->implicit_inputs.push_back(&value_of(graph, name));
            }
        }
    }
}

void drop_unused_constants(OrtGraph& graph) {
    for (const auto& node : graph.nodes) {
        for (const auto& body : node->bodies) drop_unused_constants(*body.second);
    }
    auto& list = graph.initializers;
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const OrtValueInfo* value) {
                                  if (value->constant == nullptr || reads(graph, value->name)) {
                                      return false;
                                  }
                                  // Whoever still holds the memory reads nonsense.
                                  auto& bytes = value->constant->bytes;
                                  std::fill(bytes.begin(), bytes.end(), '\x7f');
                                  return true;
                              }),
               list.end());
}

}  // namespace rondo::ort
