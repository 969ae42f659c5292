#include "frontend/onnx/graph_reader.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <set>

#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "core/ops/source/result.hpp"
#include "core/support/error_place.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/data_type.hpp"
#include "frontend/onnx/node_context.hpp"
#include "frontend/onnx/ops/op_list.hpp"
#include "frontend/onnx/scope.hpp"

namespace rondo::onnx {
namespace {

// "node 'lstm_1' (LSTM)".
std::string node_place(std::string_view name, std::string_view op_type) {
    return "node '" + std::string(name) + "' (" + std::string(op_type) + ")";
}

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;
using rondo_onnx::ValueInfoProto;

// Exporters write -1 for an open extent, too, though ONNX has names for them.
PartialShape shape_from(const rondo_onnx::TensorShapeProto& message) {
    std::vector<Dimension> extents;
    for (const auto& extent : message.dim()) {
        extents.push_back(extent.has_dim_value() ? Dimension(extent.dim_value()) : Dimension());
    }
    return {std::move(extents)};
}

std::shared_ptr<ops::Parameter> make_parameter(const ValueInfoProto& input) {
    const auto& type = input.type();
    if (type.value_case() == rondo_onnx::TypeProto::VALUE_NOT_SET) {
        return std::make_shared<ops::Parameter>();
    }
    if (!type.has_tensor_type()) {
        throw UnsupportedError(
            "it is no tensor: sequences, maps, optional and sparse tensors are "
            "not supported");
    }
    const auto& tensor = type.tensor_type();
    return std::make_shared<ops::Parameter>(
        element_type_from_onnx(tensor.elem_type()),
        tensor.has_shape() ? shape_from(tensor.shape()) : PartialShape());
}

std::string operator_name(const NodeProto& node) {
    const std::string domain = normalized_domain(node.domain());
    return domain.empty() ? node.op_type() : domain + "." + node.op_type();
}

class GraphReader {
public:
    GraphReader(GraphProto& graph, const OpsetImports& opsets, const ModelSource& source)
        : graph_(graph), opsets_(opsets), tensors_(source.path, source.opened_files) {}

    std::shared_ptr<Graph> read() {
        check_operators();
        for (const auto& tensor : graph_.initializer()) initializers_.insert(tensor.name());
        reserve_names();
        read_initializers();
        read_inputs();
        for (int i = 0; i < graph_.node_size(); ++i) read_node(i);
        read_outputs();
        return std::make_shared<Graph>(graph_.name().empty() ? "model" : graph_.name(),
                                       std::move(parameters_), std::move(results_));
    }

private:
    const OpEntry* entry_of(const NodeProto& node) const {
        const auto version = opsets_.version(node.domain());
        if (!version) return nullptr;
        return find_converter(normalized_domain(node.domain()), node.op_type(), *version);
    }

    // All that is missing in one message, before any work is done.
    void check_operators() const {
        std::set<std::string> missing;
        for (const auto& node : graph_.node()) {
            if (entry_of(node)) continue;
            const auto version = opsets_.version(node.domain());
            missing.insert(operator_name(node) + (version
                                                      ? " (opset " + std::to_string(*version) + ")"
                                                      : " (its domain has no opset_import)"));
        }
        if (missing.empty()) return;
        throw UnsupportedError(std::to_string(missing.size()) + " unsupported operator" +
                               (missing.size() > 1 ? "s: " : ": ") +
                               join({missing.begin(), missing.end()}, ", "));
    }

    // Inputs and outputs keep their names; nodes that want the same give way.
    void reserve_names() {
        for (const auto& input : graph_.input()) {
            if (!initializers_.contains(input.name())) names_.take(input.name());
        }
        for (const auto& output : graph_.output()) {
            result_names_.push_back(names_.take(output.name() + kResultSuffix));
        }
    }

    void define(const std::string& name, const Output& value) {
        scope_.define(name, value);
        // A parameter is known by its own name alone, even where a node hands it on.
        if (value.node().op_type().name != ops::Parameter::kType.name) value.add_names({name});
    }

    void read_initializers() {
        if (graph_.sparse_initializer_size() > 0) {
            throw UnsupportedError("tensor '" + graph_.sparse_initializer(0).values().name() +
                                   "': sparse initializers are not supported");
        }
        for (auto& tensor : *graph_.mutable_initializer()) {
            auto constant = std::make_shared<ops::Constant>(tensors_.take(tensor));
            constant->set_name(names_.take(tensor.name()));
            constant->validate();
            define(tensor.name(), constant);
        }
    }

    // An input with an initializer has a default that nobody can replace here: a constant.
    void read_inputs() {
        std::set<std::string> seen;
        for (const auto& input : graph_.input()) {
            const auto place = [&] { return "input '" + input.name() + "'"; };
            at_place(place, [&] {
                if (!seen.insert(input.name()).second) throw ModelError("it is listed twice");
                if (initializers_.contains(input.name())) return;
                auto parameter = make_parameter(input);
                parameter->set_name(input.name());
                parameter->validate();
                scope_.define(input.name(), parameter);
                Output(parameter).add_names({input.name()});
                parameters_.push_back(std::move(parameter));
            });
        }
    }

    // The tensor isn't in the scope: made too late, not at all, or one that converters leave out.
    [[noreturn]] void fail_missing(int reader, const std::string& name) const {
        for (int i = 0; i < graph_.node_size(); ++i) {
            const auto& made = graph_.node(i).output();
            if (std::find(made.begin(), made.end(), name) == made.end()) continue;
            const std::string maker = node_place(shown_name(i), graph_.node(i).op_type());
            if (i < reader) {
                throw UnsupportedError("the tensor '" + name + "' is an output of " + maker +
                                       " that is not supported");
            }
            throw ModelError("it reads the tensor '" + name + "', which " + maker +
                             " makes only later; nodes must stand behind what they read");
        }
        throw ModelError("there is no tensor '" + name +
                         "': it is no input, initializer or output of a node");
    }

    Output find(int reader, const std::string& name) const {
        const Output found = scope_.find(name);
        if (!found) fail_missing(reader, name);
        return found;
    }

    std::vector<Output> inputs_of(const NodeProto& node, int index) const {
        std::vector<Output> inputs;
        for (const auto& name : node.input()) {
            inputs.push_back(name.empty() ? Output() : find(index, name));
        }
        return inputs;
    }

    std::string shown_name(int index) const {
        const auto& node = graph_.node(index);
        return node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
    }

    void read_node(int index) {
        const NodeProto& node = graph_.node(index);
        const std::string name = names_.take(shown_name(index));
        const auto place = [&] { return node_place(name, node.op_type()); };
        at_place(place, [&] {
            NodeContext context(node, name, *opsets_.version(node.domain()), inputs_of(node, index),
                                {names_, tensors_});
            const auto outputs = entry_of(node)->convert(context);
            context.check_all_read();
            for (std::size_t i = 0; i < context.output_count(); ++i) {
                if (context.has_output(i)) define_output(node, i, outputs);
            }
        });
    }

    // One that the converter leaves empty is an error for its readers only: exporters name outputs
    // that nobody needs.
    void define_output(const NodeProto& node, std::size_t index,
                       const std::vector<Output>& outputs) {
        const std::string& name = node.output(static_cast<int>(index));
        if (index >= outputs.size()) {
            throw ModelError("output " + std::to_string(index) + " ('" + name +
                             "') is not known for this operator in this opset");
        }
        if (outputs[index]) define(name, outputs[index]);
    }

    void read_outputs() {
        if (graph_.output_size() == 0) throw ModelError("the graph has no outputs");
        std::set<std::string> seen;
        for (const auto& output : graph_.output()) {
            const auto place = [&] { return "output '" + output.name() + "'"; };
            at_place(place, [&] {
                const Output source = find(graph_.node_size(), output.name());
                if (!seen.insert(output.name()).second) throw ModelError("it is listed twice");
                auto result = std::make_shared<ops::Result>(source);
                result->set_name(result_names_[results_.size()]);
                result->validate();
                // The source may have other names too: it may be an input or serve two outputs.
                Output(result).set_names({output.name()});
                results_.push_back(std::move(result));
            });
        }
    }

    // As OpenVINO calls them.
    static constexpr const char* kResultSuffix = "/sink_port_0";

    GraphProto& graph_;
    const OpsetImports& opsets_;
    TensorReader tensors_;
    UniqueNames names_;
    Scope scope_;
    std::set<std::string> initializers_;
    std::vector<std::string> result_names_;
    std::vector<NodePtr> parameters_;
    std::vector<NodePtr> results_;
};

}  // namespace

std::shared_ptr<Graph> read_graph(rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                                  const ModelSource& source) {
    return GraphReader(graph, opsets, source).read();
}

}  // namespace rondo::onnx
