#include "bindings/onnxruntime/src/part_writer.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "bindings/onnxruntime/src/host_attribute.hpp"
#include "bindings/onnxruntime/src/host_tensor.hpp"
#include "bindings/onnxruntime/src/onnx_fields.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

// A format in which initializers needn't be inputs.
constexpr int kIrVersion = 10;
constexpr std::size_t kLarge = 4096;  // bytes of a constant that isn't written into the message

Message shape_message(const ValueType& type) {
    Message shape;
    for (const auto& extent : type.shape) {
        Message dim;
        if (extent.length >= 0) {
            dim.add_int(dim_field::dim_value, extent.length);
        } else if (!extent.symbol.empty()) {
            dim.add_bytes(dim_field::dim_param, extent.symbol);
        }
        shape.add(shape_field::dim, dim);
    }
    return shape;
}

Message value_message(const std::string& name, const ValueType& type) {
    Message message;
    message.add_bytes(value_field::name, name);
    if (!type.is_tensor) return message;
    Message tensor;
    tensor.add_int(tensor_type_field::elem_type, type.element_type);
    if (type.has_shape) tensor.add(tensor_type_field::shape, shape_message(type));
    Message wrapped;
    wrapped.add(type_field::tensor_type, tensor);
    message.add(value_field::type, wrapped);
    return message;
}

// Types of what the nodes make, which save the reader from inferring them, but of those that are
// `declared`.
void add_value_infos(Message& content, const HostGraph& graph, const HostNode& node,
                     std::set<std::string>& declared) {
    for (const auto& name : node.outputs) {
        if (name.empty() || !declared.insert(name).second) continue;
        const auto& type = graph.values.at(name).type;
        if (type.is_tensor) content.add(graph_field::value_info, value_message(name, type));
    }
}

Message entry(const char* key, const std::string& value) {
    Message message;
    message.add_bytes(entry_field::key, key);
    message.add_bytes(entry_field::value, value);
    return message;
}

class PieceWriter {
public:
    PieceWriter(const Host& host, FusedPieces& fused, BorrowedConstants& borrowed)
        : host_(host), fused_(fused), borrowed_(borrowed) {}

    Piece write(const HostGraph& graph, const NodeList& part) {
        for (const auto& name : constants_of(graph, part)) {
            piece_.constants.emplace(name, constant(name, graph.values.at(name)));
            visible_.insert(name);
        }
        for (const auto place : part) piece_.nodes.push_back(node_message(graph.nodes[place]));
        return std::move(piece_);
    }

private:
    Message node_message(const HostNode& node) {
        try {
            return plain_node_message(node);
        } catch (const UnsupportedError& error) {
            throw UnsupportedError(named(node) + ": " + error.what());
        }
    }

    Message plain_node_message(const HostNode& node) {
        Message message;
        for (const auto& name : node.inputs) message.add_bytes(node_field::input, name);
        for (const auto& name : node.outputs) message.add_bytes(node_field::output, name);
        if (!node.name.empty()) message.add_bytes(node_field::name, node.name);
        message.add_bytes(node_field::op_type, node.op);
        if (!node.domain.empty()) message.add_bytes(node_field::domain, node.domain);
        for (const auto& attribute : attribute_messages(host_, node.handle)) {
            message.add(node_field::attribute, attribute);
        }
        for (const auto& body : node.bodies) {
            Message attribute;
            attribute.add_bytes(attribute_field::name, body.attribute);
            attribute.add(attribute_field::g, body_message(body.graph));
            attribute.add_int(attribute_field::type, attribute_type::graph);
            message.add(node_field::attribute, attribute);
        }
        return message;
    }

    Message body_message(const HostGraph& graph) {
        const auto outer = visible_;
        Message content;
        content.add_bytes(graph_field::name, graph.name.empty() ? "body" : graph.name);
        for (const auto& name : graph.initializers) {
            content.add(graph_field::initializer, constant(name, graph.values.at(name)));
            visible_.insert(name);
        }
        std::set<std::string> declared;
        add_body_ports(content, graph_field::input, graph, graph.inputs, declared);
        add_body_ports(content, graph_field::output, graph, graph.outputs, declared);
        for (const auto& node : graph.nodes) {
            if (const auto* piece = fused_.find(node)) {
                add_piece(content, *piece);
            } else {
                content.add(graph_field::node, node_message(node));
            }
            add_value_infos(content, graph, node, declared);
        }
        visible_ = outer;
        return content;
    }

    static void add_body_ports(Message& content, int field, const HostGraph& graph,
                               const std::vector<std::string>& names,
                               std::set<std::string>& declared) {
        for (const auto& name : names) {
            content.add(field, value_message(name, graph.values.at(name).type));
            declared.insert(name);
        }
    }

    // What a fused node was made of. Its constants may be gone from the graphs around it.
    void add_piece(Message& content, const Piece& piece) {
        for (const auto& [name, tensor] : piece.constants) {
            if (visible_.insert(name).second) content.add(graph_field::initializer, tensor);
        }
        piece_.files.insert(piece.files.begin(), piece.files.end());
        for (const auto& node : piece.nodes) content.add(graph_field::node, node);
    }

    Message constant(const std::string& name, const HostValue& value) {
        const auto* held = constant_of(host_, value);
        if (held == nullptr)
            throw UnsupportedError("constant " + in_quotes(name) + " has no value here");
        try {
            return tensor_message(look_at(host_, held), name);
        } catch (const UnsupportedError& error) {
            throw UnsupportedError("constant " + in_quotes(name) + " is " + error.what());
        }
    }

    Message tensor_message(const HostTensor& tensor, const std::string& name) {
        Message message = form_message(tensor, name);
        if (tensor.bytes < kLarge) {
            message.add_bytes(tensor_field::raw_data, {tensor.data, tensor.bytes});
            return message;
        }
        message.add(tensor_field::external_data, entry("location", add_file(tensor, name)));
        message.add(tensor_field::external_data, entry("length", std::to_string(tensor.bytes)));
        message.add_int(tensor_field::data_location, data_location::external);
        return message;
    }

    // Keeps the elements; returns the location that the message names.
    std::string add_file(const HostTensor& tensor, const std::string& name) {
        const std::string location = fused_.new_location();
        piece_.files.emplace(location, borrowed_.hold(name, tensor));
        return location;
    }

    const Host& host_;
    FusedPieces& fused_;
    BorrowedConstants& borrowed_;
    Piece piece_;
    std::set<std::string> visible_;  // constants that a body sees
};

void add_port(Message& content, int field, const HostGraph& graph, const std::string& name,
              Purpose purpose) {
    const auto& type = graph.values.at(name).type;
    if (type.is_tensor && type.element_type != data_type::text) {
        content.add(field, value_message(name, type));
    } else if (purpose == Purpose::compile) {
        throw UnsupportedError("value " + in_quotes(name) + " is no tensor of numbers");
    }
}

Message model_message(const HostGraph& graph, const Message& content) {
    Message model;
    model.add_int(model_field::ir_version, kIrVersion);
    model.add_bytes(model_field::producer_name, "onnxruntime");
    for (const auto& [domain, version] : graph.opsets) {
        Message opset;
        opset.add_bytes(opset_field::domain, domain);
        opset.add_int(opset_field::version, version);
        model.add(model_field::opset_import, opset);
    }
    model.add(model_field::graph, content);
    return model;
}

}  // namespace

Piece write_piece(const Host& host, FusedPieces& fused, const HostGraph& graph,
                  const NodeList& part, BorrowedConstants& borrowed) {
    return PieceWriter(host, fused, borrowed).write(graph, part);
}

std::string write_model(const Piece& piece, const HostGraph& graph, const NodeList& part,
                        const PartPorts& ports, Purpose purpose) {
    Message content;
    content.add_bytes(graph_field::name, graph.name.empty() ? "graph" : graph.name);
    for (const auto& node : piece.nodes) content.add(graph_field::node, node);
    for (const auto& constant : piece.constants) {
        content.add(graph_field::initializer, constant.second);
    }
    for (const auto& name : ports.inputs) {
        add_port(content, graph_field::input, graph, name, purpose);
    }
    for (const auto& name : ports.outputs) {
        add_port(content, graph_field::output, graph, name, purpose);
    }
    std::set<std::string> declared(ports.outputs.begin(), ports.outputs.end());
    for (const auto place : part) add_value_infos(content, graph, graph.nodes[place], declared);
    return model_message(graph, content).bytes();
}

std::string obstacle(const Host& host, FusedPieces& fused, const HostGraph& graph,
                     const HostNode& node) {
    if (fused.find(node) != nullptr) return "it runs a part that Rondo has taken";
    const auto is_text = [&](const std::string& name) {
        const auto at = graph.values.find(name);
        return at != graph.values.end() && at->second.type.is_tensor &&
               at->second.type.element_type == data_type::text;
    };
    for (const auto* names : {&node.inputs, &node.outputs, &node.implicit_inputs}) {
        const auto at = std::find_if(names->begin(), names->end(), is_text);
        if (at != names->end()) return "value " + in_quotes(*at) + " is a tensor of texts";
    }
    try {
        const auto place = static_cast<std::size_t>(&node - graph.nodes.data());
        BorrowedConstants borrowed(kBorrowEverything);
        write_piece(host, fused, graph, {place}, borrowed);
        return "";
    } catch (const UnsupportedError& error) {
        return error.what();
    }
}

}  // namespace rondo::ort
