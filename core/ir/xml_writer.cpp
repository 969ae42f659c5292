#include <algorithm>
#include <filesystem>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include <pugixml.hpp>

#include "core/graph/printer.hpp"
#include "core/ir/bf16_compression.hpp"
#include "core/ir/f16_compression.hpp"
#include "core/ir/ir.hpp"
#include "core/ir/output_file.hpp"
#include "core/ir/port_map.hpp"
#include "core/ir/rt_info.hpp"
#include "core/ir/tensor_names.hpp"
#include "core/ir/weights_file.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/result.hpp"
#include "core/support/error_place.hpp"
#include "core/support/strings.hpp"

namespace rondo::ir {
namespace {

void set(pugi::xml_node element, const char* name, const std::string& value) {
    if (value.find('\0') != std::string::npos) {
        throw ModelError("attribute '" + std::string(name) +
                         "' holds a NUL character, which XML can't");
    }
    element.append_attribute(name) = value.c_str();
}

void set(pugi::xml_node element, const char* name, std::size_t value) {
    element.append_attribute(name) = static_cast<unsigned long long>(value);
}

// What ports call a type: "FP32", "I64", "BOOL".
std::string precision_name(ElementType type) {
    switch (type) {
        case ElementType::dynamic: return "UNSPECIFIED";
        case ElementType::boolean: return "BOOL";
        case ElementType::f64: return "FP64";
        case ElementType::f32: return "FP32";
        case ElementType::f16: return "FP16";
        default: break;
    }
    std::string name(to_string(type));
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name;
}

// "1, 8, 3": constants' shapes have blanks, unlike all others.
std::string constant_shape_text(const Shape& shape) {
    std::vector<std::string> extents;
    for (const std::size_t extent : shape) extents.push_back(std::to_string(extent));
    return join(extents, ", ");
}

struct Port {
    ElementType type;
    PartialShape shape;
};

pugi::xml_node add_port(pugi::xml_node list, std::size_t id, const Port& port) {
    pugi::xml_node xml = list.append_child("port");
    set(xml, "id", id);
    set(xml, "precision", precision_name(port.type));
    if (!port.shape.has_rank()) return xml;
    for (const auto& dimension : port.shape.dimensions()) {
        const std::int64_t extent = dimension.is_static() ? dimension.min() : -1;
        xml.append_child("dim").text() = static_cast<long long>(extent);
    }
    return xml;
}

void add_output_port(pugi::xml_node list, std::size_t id, const Output& output) {
    pugi::xml_node xml = add_port(list, id, {output.element_type(), output.shape()});
    const std::string names = join_tensor_names(output.names());
    if (!names.empty()) set(xml, "names", names);
}

// Where a node's outputs are found: its layer, and the port of its first output.
struct Place {
    std::size_t layer;
    std::size_t first_port;
};

struct Edge {
    std::size_t from_layer, from_port, to_layer, to_port;
    auto key() const { return std::tie(from_layer, from_port, to_layer, to_port); }
};

class GraphWriter {
public:
    GraphWriter(const Graph& graph, WeightsWriter& weights, const WriteOptions& options)
        : graph_(graph), weights_(weights), options_(options) {}

    void write(pugi::xml_document& document) {
        pugi::xml_node net = document.append_child("net");
        set(net, "name", graph_.name());
        set(net, "version", std::size_t{11});
        write_graph(net);
    }

private:
    void write_graph(pugi::xml_node net) {
        layers_ = net.append_child("layers");
        const auto nodes = graph_.ordered_nodes();
        for (const auto& node : nodes) names_.insert(node->name());
        for (const auto& node : nodes) {
            at_place([&] { return describe(*node); }, [&] { add_node(*node); });
        }
        add_edges(net);
        write_net_rt_info(graph_.rt_info(), net);
    }

    // OpenVINO gives a body no name; it passes over this one.
    void add_bodies(pugi::xml_node layer, const ops::BodyOp& op) {
        for (std::size_t i = 0; i < op.bodies().size(); ++i) {
            pugi::xml_node xml = layer.append_child(op.body_names()[i].c_str());
            set(xml, "name", op.bodies()[i]->name());
            GraphWriter body(*op.bodies()[i], weights_, options_);
            body.write_graph(xml);
            write_port_map(op, i, body.ids_, layer);
        }
    }

    // A device's own ops: no reader would know them.
    static void check_known(const OpType& type) {
        if (ops::find_op(type.name, type.opset_name()) != nullptr) return;
        throw UnsupportedError(
            "this op is made by a device for itself, and no file can hold it; "
            "write the model that was compiled instead");
    }

    void add_node(Node& node) {
        check_known(node.op_type());
        if (const auto* constant = dynamic_cast<const ops::Constant*>(&node)) {
            add_constant(node, constant->value());
            return;
        }
        pugi::xml_node layer = add_layer(node.name(), node.op_type());
        ids_[&node] = layer_count_ - 1;
        const bool is_result = dynamic_cast<const ops::Result*>(&node) != nullptr;
        if (is_result) add_result_names(layer, node);
        add_attributes(layer, node);
        write_layer_rt_info(node.rt_info(), layer);
        add_inputs(layer, node);
        if (!is_result) add_outputs(layer, node, node.input_count());
        if (const auto* op = dynamic_cast<const ops::BodyOp*>(&node)) add_bodies(layer, *op);
    }

    pugi::xml_node add_layer(const std::string& name, const OpType& type) {
        pugi::xml_node layer = layers_.append_child("layer");
        set(layer, "id", layer_count_++);
        set(layer, "name", name);
        set(layer, "type", std::string(type.name));
        set(layer, "version", type.opset_name());
        return layer;
    }

    static void add_result_names(pugi::xml_node layer, Node& node) {
        const std::string names = join_tensor_names(node.output(0).names());
        if (!names.empty()) set(layer, "output_names", names);
    }

    static void add_attributes(pugi::xml_node layer, const Node& node) {
        const auto attributes = attributes_of(node);
        if (attributes.empty()) return;
        pugi::xml_node data = layer.append_child("data");
        for (const auto& [name, value] : attributes) set(data, name.c_str(), value);
    }

    void add_inputs(pugi::xml_node layer, const Node& node) {
        if (node.input_count() == 0) return;
        pugi::xml_node list = layer.append_child("input");
        for (std::size_t i = 0; i < node.input_count(); ++i) {
            const Output& source = node.input(i);
            add_port(list, i, {source.element_type(), source.shape()});
            const Place& from = places_.at(&source.node());
            edges_.push_back({from.layer, from.first_port + source.index(), layer_count_ - 1, i});
        }
    }

    void add_outputs(pugi::xml_node layer, Node& node, std::size_t first_port) {
        places_[&node] = {layer_count_ - 1, first_port};
        if (node.output_count() == 0) return;
        pugi::xml_node list = layer.append_child("output");
        for (std::size_t i = 0; i < node.output_count(); ++i) {
            add_output_port(list, first_port + i, node.output(i));
        }
    }

    void add_constant(Node& node, const Tensor& value) {
        if (const Tensor half = compressed(value)) {
            add_compressed(node, half);
            return;
        }
        pugi::xml_node layer = add_layer(node.name(), node.op_type());
        add_weights(layer, value);
        write_layer_rt_info(node.rt_info(), layer);
        add_outputs(layer, node, 0);
    }

    // Empty where the constant stays as it is.
    Tensor compressed(const Tensor& value) const {
        if (options_.weights == ElementType::f16) return compress_to_f16(value);
        return options_.weights == ElementType::bf16 ? compress_to_bf16(value) : Tensor();
    }

    // The compressed constant under another name, and a Convert under the node's own.
    void add_compressed(Node& node, const Tensor& half) {
        std::string name = node.name() + "_compressed";
        while (!names_.insert(name).second) name += "_";
        pugi::xml_node constant = add_layer(name, node.op_type());
        add_weights(constant, half);
        write_layer_rt_info(node.rt_info(), constant);
        const Port port{half.element_type(), half.shape()};
        add_port(constant.append_child("output"), 0, port);

        pugi::xml_node convert = add_layer(node.name(), {"Convert", 1});
        set(convert.append_child("data"), "destination_type",
            std::string(to_string(node.output_type(0))));
        write_layer_rt_info({{"decompression", ""}}, convert);
        add_port(convert.append_child("input"), 0, port);
        edges_.push_back({layer_count_ - 2, 0, layer_count_ - 1, 0});
        add_outputs(convert, node, 1);
    }

    void add_weights(pugi::xml_node layer, const Tensor& value) {
        const Tensor dense = value.contiguous();
        const std::size_t size = dense.byte_size();
        pugi::xml_node data = layer.append_child("data");
        set(data, "element_type", std::string(to_string(dense.element_type())));
        set(data, "shape", constant_shape_text(dense.shape()));
        set(data, "offset", weights_.add(dense.data(), size, size_of(dense.element_type())));
        set(data, "size", size);
    }

    void add_edges(pugi::xml_node net) {
        std::sort(edges_.begin(), edges_.end(),
                  [](const Edge& a, const Edge& b) { return a.key() < b.key(); });
        pugi::xml_node list = net.append_child("edges");
        for (const auto& edge : edges_) {
            pugi::xml_node xml = list.append_child("edge");
            set(xml, "from-layer", edge.from_layer);
            set(xml, "from-port", edge.from_port);
            set(xml, "to-layer", edge.to_layer);
            set(xml, "to-port", edge.to_port);
        }
    }

    const Graph& graph_;
    WeightsWriter& weights_;
    WriteOptions options_;
    pugi::xml_node layers_;
    std::size_t layer_count_ = 0;
    std::unordered_set<std::string> names_;
    std::unordered_map<const Node*, Place> places_;
    std::unordered_map<const Node*, std::size_t> ids_;  // of layers that are no constants
    std::vector<Edge> edges_;
};

class FileSink final : public pugi::xml_writer {
public:
    explicit FileSink(OutputFile& file) : file_(file) {}
    void write(const void* data, std::size_t size) override { file_.write(data, size); }

private:
    OutputFile& file_;
};

void check_path(const std::string& path) {
    if (equals_ignoring_case(std::filesystem::path(path).extension().string(), ".xml")) return;
    throw ModelError("'" + path + "' is no name for an IR; expected one that ends in .xml");
}

}  // namespace

XmlRange append(const Graph& graph, OutputFile& file) {
    pugi::xml_document document;
    WeightsWriter weights(file);
    GraphWriter(graph, weights, {}).write(document);
    const std::size_t offset = file.size();
    FileSink sink(file);
    document.save(sink);
    return {offset, file.size() - offset};
}

void write(const Graph& graph, const std::string& path, const WriteOptions& options) {
    check_path(path);
    OutputFile weights(weights_path_of(path));
    OutputFile xml(path);
    at_place([&] { return path; },
             [&] {
                 pugi::xml_document document;
                 WeightsWriter constants(weights);
                 GraphWriter(graph, constants, options).write(document);
                 // Other readers of the format pass over an attribute of <net> that they don't know.
                 if (weights.size() > 0) {
                     set(document.child("net"), "weights_digest", weights.digest().text());
                 }
                 FileSink sink(xml);
                 document.save(sink);
             });
    for (OutputFile* file : {&weights, &xml}) file->sync();
    for (OutputFile* file : {&weights, &xml}) file->finish();
    // The two files can't be replaced at once. An interruption leaves the new weights beside the old
    // XML, whose digest then refuses them.
    weights.publish();
    xml.publish();
}

}  // namespace rondo::ir
