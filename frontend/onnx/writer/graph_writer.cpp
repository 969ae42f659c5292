#include "frontend/onnx/writer/graph_writer.hpp"

#include <rondo_onnx.pb.h>

#include <map>
#include <utility>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/ports.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "rondo/version.hpp"

namespace rondo::onnx {
namespace {

constexpr long long kMaxRank = 64;  // of what another file may claim

bool is_source_or_result(const Node& node) {
    return as_op<ops::Parameter>(node) != nullptr || as_op<ops::Constant>(node) != nullptr ||
           as_op<ops::Result>(node) != nullptr;
}

std::string value_name(const Output& value) {
    if (!value.names().empty()) return *value.names().begin();
    const std::string& name = value.node().name();
    return value.node().output_count() == 1 ? name : name + ":" + std::to_string(value.index());
}

using NewNames = std::map<std::string, std::string>;  // by the names they replace

void rename(rondo_onnx::GraphProto& graph, int first, const NewNames& new_names) {
    for (int i = first; i < graph.node_size(); ++i) {
        auto& node = *graph.mutable_node(i);
        for (auto* list : {node.mutable_output(), node.mutable_input()}) {
            for (auto& name : *list) {
                const auto found = new_names.find(name);
                if (found != new_names.end()) name = found->second;
            }
        }
    }
}

// The values that results read get the results' names.
using WantedNames = std::map<std::pair<const Node*, std::size_t>, std::string>;

class NodesWriter {
public:
    NodesWriter(GraphDraft& draft, WantedNames wanted)
        : draft_(draft), wanted_(std::move(wanted)) {}

    void write(const Graph& graph) {
        for (const auto& node : graph.ordered_nodes()) {
            if (!is_source_or_result(*node) && !is_taken_in(*node)) write_node(*node);
        }
    }

private:
    void write_node(Node& node) {
        const int first = draft_.message().node_size();
        Names given;
        try {
            given = converted(node);
        } catch (const UnsupportedError& error) {
            draft_.file().refusals.push_back(describe(node) + ": " + error.what());
        }
        name_outputs(node, given, first);
        name_nodes(node, first);
    }

    Names converted(Node& node) {
        const OpWriter* writer = find_op_writer(node.type_name());
        if (writer == nullptr) {
            const bool is_state = node.type_name() == "ReadValue" || node.type_name() == "Assign";
            throw UnsupportedError(is_state ? "ONNX has no variables"
                                            : "ONNX has no operator for it");
        }
        WriteContext context(node, draft_, operator_name(node.type_name()));
        return writer->write(context);
    }

    // `given`: the outputs' names so far. One that no node from `first` on makes is that of another
    // value, and stays.
    void name_outputs(Node& node, const Names& given, int first) {
        NewNames names;
        for (std::size_t i = 0; i < node.output_count(); ++i) {
            const Output output = node.output(i);
            const std::string name = i < given.size() ? given[i] : "";
            if (name.empty()) {  // refused, or left out as nothing reads it
                draft_.set_name(output, wanted_name(output));
                continue;
            }
            const auto [place, is_new] = names.emplace(name, name);
            if (is_new && draft_.makes(name, first)) place->second = own_name(output);
            draft_.set_name(output, place->second);
        }
        rename(draft_.message(), first, names);
    }

    std::string wanted_name(const Output& output) const {
        const auto wanted = wanted_.find({&output.node(), output.index()});
        return wanted != wanted_.end() ? wanted->second : "";
    }

    std::string own_name(const Output& output) {
        const std::string wanted = wanted_name(output);
        return wanted.empty() ? draft_.file().names.take(value_name(output)) : wanted;
    }

    // The last one has the node's name: it makes the outputs.
    void name_nodes(const Node& node, int first) {
        auto& graph = draft_.message();
        for (int i = first; i < graph.node_size(); ++i) {
            const std::string& type = graph.node(i).op_type();
            const bool is_last = i + 1 == graph.node_size();
            graph.mutable_node(i)->set_name(
                draft_.file().node_names.take(is_last ? node.name() : node.name() + "/" + type));
        }
    }

    GraphDraft& draft_;
    WantedNames wanted_;
};

void add_inputs(const Graph& graph, GraphDraft& draft) {
    const auto ports = input_ports(graph);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const PortInfo& port = ports[i];
        draft.set_name(graph.parameters()[i]->output(0),
                       draft.add_input(port.any_name(), port.element_type, port.shape));
    }
}

// An unknown rank is the one that the graph's own file has declared: ONNX's checker wants a shape.
PartialShape output_shape(const Node& result) {
    const PartialShape& shape = result.input(0).shape();
    const auto declared = result.rt_info().find(kDeclaredRank);
    long long rank = 0;
    const bool helps = !shape.has_rank() && declared != result.rt_info().end() &&
                       parse_int(declared->second, rank) && rank >= 0 && rank <= kMaxRank;
    return helps ? PartialShape::of_rank(static_cast<std::size_t>(rank)) : shape;
}

// An input, a constant or a value that another result reads too needs a node to have its name.
void add_outputs(const Graph& graph, GraphDraft& draft, const Names& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Output& source = graph.results()[i]->input(0);
        const std::string given = draft.name_of(source);
        if (given != names[i]) {
            rondo_onnx::NodeProto& node = *draft.message().add_node();
            node.set_op_type("Identity");
            node.set_name(draft.file().node_names.take(graph.results()[i]->name()));
            node.add_input(given);
            node.add_output(names[i]);
        }
        draft.add_output(names[i], source.element_type(), output_shape(*graph.results()[i]));
    }
}

void write_graph(const Graph& graph, GraphDraft& draft) {
    add_inputs(graph, draft);
    Names names;
    WantedNames wanted;
    for (const PortInfo& port : output_ports(graph)) {
        const Output& source = graph.results()[names.size()]->input(0);
        names.push_back(draft.file().names.take(port.any_name()));
        if (!is_source_or_result(source.node())) {
            wanted.try_emplace({&source.node(), source.index()}, names.back());
        }
    }
    NodesWriter(draft, std::move(wanted)).write(graph);
    add_outputs(graph, draft, names);
}

void check_refusals(const std::vector<std::string>& refusals) {
    if (refusals.empty()) return;
    const std::size_t count = refusals.size();
    throw UnsupportedError("ONNX can't say " + std::to_string(count) +
                           (count > 1 ? " nodes: " : " node: ") + join(refusals, "; "));
}

// The version of the format that came with an opset.
std::int64_t ir_version(std::int64_t opset) {
    if (opset <= 22) return 10;
    return opset <= 24 ? opset - 12 : 13;
}

}  // namespace

void write_model(const Graph& graph, const ConstantsForm& form, rondo_onnx::ModelProto& model) {
    FileDraft file;
    file.write_nodes = [](const Graph& body, GraphDraft& draft) {
        NodesWriter(draft, {}).write(body);
    };
    file.weights = form.weights;
    file.external = form.external;
    auto& message = *model.mutable_graph();
    message.set_name(graph.name().empty() ? "model" : graph.name());
    GraphDraft draft(file, message);
    if (graph.results().empty()) file.refusals.push_back("the graph has no results");
    write_graph(graph, draft);
    check_refusals(file.refusals);
    model.set_producer_name("rondo");
    model.set_producer_version(RONDO_VERSION);
    model.set_ir_version(ir_version(file.opset));
    auto& opset = *model.add_opset_import();
    opset.set_domain("");
    opset.set_version(file.opset);
    if (file.uses_microsoft) {
        auto& microsoft = *model.add_opset_import();
        microsoft.set_domain(kMicrosoftDomain);
        microsoft.set_version(1);
    }
    for (const auto& [key, value] : graph.rt_info()) {
        if (key != kFixedExtents && key != kConstantInputs) continue;
        auto& entry = *model.add_metadata_props();
        entry.set_key(key);
        entry.set_value(value);
    }
}

}  // namespace rondo::onnx
