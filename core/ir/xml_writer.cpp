// Writes a graph as the IR's XML, and its constants as weights.
#include <filesystem>
#include <unordered_map>

#include <pugixml.hpp>

#include "core/graph/rt_info_keys.hpp"
#include "core/ir/compressed_weights.hpp"
#include "core/ir/ir.hpp"
#include "core/ir/layer_table.hpp"
#include "core/ir/output_file.hpp"
#include "core/ir/weights_file.hpp"
#include "core/ir/xml_elements.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "core/support/unique_names.hpp"

namespace rondo::ir {
namespace {

// Where a node's outputs are found: its layer, and the port of its first output.
struct LayerPlace {
    std::size_t layer;
    std::size_t first_port;
};

// A device's own ops: no reader would know them.
void check_known(const OpType& type) {
    if (ops::find_op(type.name, type.opset_name()) != nullptr) return;
    throw UnsupportedError(
        "this op is made by a device for itself, and no file can hold it; "
        "write the model that was compiled instead");
}

RtInfo facts_of(const Node& node, const WriteOptions& options) {
    RtInfo facts = node.rt_info();
    const bool is_made = describe(node) != rondo::describe(nullptr, node.name(), node.type_name());
    if (options.origins && is_made) facts[kNodeOrigin] = to_text(*node.origin());
    return facts;
}

class GraphWriter {
public:
    GraphWriter(const Graph& graph, WeightsWriter& weights, const WriteOptions& options)
        : graph_(graph), weights_(weights), options_(options) {}

    void write(pugi::xml_document& document) {
        pugi::xml_node net = add_element(document, "net");
        set(net, "name", graph_.name());
        set(net, "version", std::size_t{11});
        auto facts = graph_.rt_info();
        if (!options_.version.empty()) facts.try_emplace(kVersion, options_.version);
        write_graph(net, facts);
    }

private:
    void write_graph(pugi::xml_node net, const RtInfo& facts) {
        layers_ = add_element(net, "layers");
        const auto nodes = graph_.ordered_nodes();
        for (const auto& node : nodes) names_.insert(node->name());
        for (const auto& node : nodes) {
            at_place([&] { return describe(*node); }, [&] { add_node(*node); });
        }
        write_edges(std::move(edges_), net);
        write_net_rt_info(facts, net);
    }

    // OpenVINO gives a body no name; it passes over this one.
    void add_bodies(pugi::xml_node layer, const ops::BodyOp& op) {
        for (std::size_t i = 0; i < op.bodies().size(); ++i) {
            pugi::xml_node xml = add_element(layer, op.body_names()[i].c_str());
            set(xml, "name", op.bodies()[i]->name());
            GraphWriter body(*op.bodies()[i], weights_, options_);
            body.write_graph(xml, op.bodies()[i]->rt_info());
            write_port_map(op, i, body.ids_, layer);
        }
    }

    void add_node(Node& node) {
        check_known(node.op_type());
        if (const auto* constant = dynamic_cast<const ops::Constant*>(&node)) {
            add_constant(node, *constant);
            return;
        }
        pugi::xml_node layer = add_layer(node.name(), node.op_type());
        ids_[&node] = layer_count_ - 1;
        const bool is_result = dynamic_cast<const ops::Result*>(&node) != nullptr;
        if (is_result) write_result_names(node.output(0), layer);
        write_attributes(node, layer);
        write_layer_rt_info(facts_of(node, options_), layer);
        add_inputs(layer, node);
        if (!is_result) add_outputs(layer, node, node.input_count());
        if (const auto* op = dynamic_cast<const ops::BodyOp*>(&node)) add_bodies(layer, *op);
    }

    pugi::xml_node add_layer(const std::string& name, const OpType& type) {
        pugi::xml_node layer = add_element(layers_, "layer");
        set(layer, "id", layer_count_++);
        set(layer, "name", name);
        set(layer, "type", std::string(type.name));
        set(layer, "version", type.opset_name());
        return layer;
    }

    void add_inputs(pugi::xml_node layer, const Node& node) {
        if (node.input_count() == 0) return;
        pugi::xml_node list = add_element(layer, "input");
        for (std::size_t i = 0; i < node.input_count(); ++i) {
            const Output& source = node.input(i);
            add_port(list, i, {source.element_type(), source.shape()});
            const LayerPlace& from = places_.at(&source.node());
            edges_.push_back({from.layer, from.first_port + source.index(), layer_count_ - 1, i});
        }
    }

    void add_outputs(pugi::xml_node layer, Node& node, std::size_t first_port) {
        places_[&node] = {layer_count_ - 1, first_port};
        if (node.output_count() == 0) return;
        pugi::xml_node list = add_element(layer, "output");
        for (std::size_t i = 0; i < node.output_count(); ++i) {
            add_output_port(list, first_port + i, node.output(i));
        }
    }

    void add_constant(Node& node, const ops::Constant& constant) {
        if (const Tensor half = compressed(constant, options_.weights)) {
            add_compressed(node, half);
            return;
        }
        pugi::xml_node layer = add_layer(node.name(), node.op_type());
        write_constant(constant.value(), weights_, layer);
        write_layer_rt_info(facts_of(node, options_), layer);
        add_outputs(layer, node, 0);
    }

    // The compressed constant under another name, and a Convert under the node's own.
    void add_compressed(Node& node, const Tensor& half) {
        const std::string name = names_.take_underscored(node.name() + "_compressed");
        pugi::xml_node constant = add_layer(name, node.op_type());
        write_constant(half, weights_, constant);
        write_layer_rt_info(node.rt_info(), constant);
        const Port port{half.element_type(), half.shape()};
        add_port(add_element(constant, "output"), 0, port);

        pugi::xml_node convert = add_layer(node.name(), {"Convert", 1});
        set(add_element(convert, "data"), "destination_type",
            std::string(to_string(node.output_type(0))));
        write_layer_rt_info({{kDecompression, ""}}, convert);
        add_port(add_element(convert, "input"), 0, port);
        edges_.push_back({layer_count_ - 2, 0, layer_count_ - 1, 0});
        add_outputs(convert, node, 1);
    }

    const Graph& graph_;
    WeightsWriter& weights_;
    WriteOptions options_;
    pugi::xml_node layers_;
    std::size_t layer_count_ = 0;
    UniqueNames names_;
    std::unordered_map<const Node*, LayerPlace> places_;
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
    throw ModelError("'" + path + "' is not a name for an IR; expected one that ends in .xml");
}

}  // namespace

XmlRange append(const Graph& graph, OutputFile& file, std::span<const MappedFile> files) {
    pugi::xml_document document;
    WeightsWriter weights(file, files);
    WriteOptions options;
    options.origins = true;
    GraphWriter(graph, weights, options).write(document);
    const std::size_t offset = file.size();
    FileSink sink(file);
    document.save(sink);
    return {offset, file.size() - offset};
}

void write(const Graph& graph, const std::string& path, const WriteOptions& options) {
    check_path(path);
    const auto changed = without_empty_inputs(graph);
    const Graph& written = changed ? *changed : graph;
    OutputFile weights(weights_path_of(path));
    OutputFile xml(path);
    at_place([&] { return path; },
             [&] {
                 pugi::xml_document document;
                 WeightsWriter constants(weights);
                 GraphWriter(written, constants, options).write(document);
                 // Other readers of the format pass over an attribute of <net> that they don't
                 // know.
                 if (weights.size() > 0) {
                     set(document.child("net"), "weights_digest", weights.digest().text());
                 }
                 FileSink sink(xml);
                 document.save(sink);
             });
    for (OutputFile* file : {&weights, &xml}) file->sync();
    for (OutputFile* file : {&weights, &xml}) file->finish();
    // The two files can't be replaced at once. An interruption leaves the new weights beside the
    // old XML, whose digest then refuses them.
    weights.publish();
    xml.publish();
}

}  // namespace rondo::ir
