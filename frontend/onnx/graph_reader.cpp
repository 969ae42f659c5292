#include "frontend/onnx/graph_reader.hpp"

#include <rondo_onnx.pb.h>

#include <map>
#include <set>

#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "core/ops/source/result.hpp"
#include "core/support/error_place.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/context/scope.hpp"
#include "frontend/onnx/graph_inputs.hpp"
#include "frontend/onnx/node_places.hpp"
#include "frontend/onnx/operator_check.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;
using rondo_onnx::ValueInfoProto;

// What a model and its bodies have in common.
struct Common {
    const OpsetImports& opsets;
    TensorReader& tensors;
    UniqueNames& names;
};

// Hostile files nest without end. Loops are read again while their shapes change, and loops in
// loops multiply that.
constexpr int kMaxBodies = 24;
constexpr int kMaxLoops = 6;

struct Depth {
    int bodies = 0;
    int loops = 0;
};

class GraphReader {
public:
    GraphReader(const GraphProto& graph, const Common& common)
        : graph_(graph), common_(common), names_(common.names) {}
    GraphReader(const GraphProto& graph, const Common& common, Scope& outer, Depth depth)
        : graph_(graph),
          common_(common),
          names_(common.names),
          scope_(outer, common.names),
          depth_(depth) {}

    /// Weights are taken out of the message.
    std::shared_ptr<Graph> read_model(GraphProto& message) {
        check_operators(graph_, common_.opsets);
        return read([&](int i) { return common_.tensors.take(*message.mutable_initializer(i)); },
                    nullptr);
    }

    BodyGraph read_body(const BodyRequest& request) {
        BodyGraph body;
        const auto read_tensor = [&](int i) { return common_.tensors.read(graph_.initializer(i)); };
        body.graph = read(read_tensor, &request);
        for (const auto& capture : scope_.captures()) body.captured.push_back(capture.outer);
        return body;
    }

private:
    template <typename ReadTensor>
    std::shared_ptr<Graph> read(const ReadTensor& read_tensor, const BodyRequest* request) {
        for (const auto& tensor : graph_.initializer()) initializers_.insert(tensor.name());
        reserve_names();
        read_initializers(read_tensor);
        read_inputs(request);
        for (int i = 0; i < graph_.node_size(); ++i) read_node(i);
        read_outputs(request);
        for (const auto& capture : scope_.captures()) parameters_.push_back(capture.parameter);
        return std::make_shared<Graph>(graph_.name().empty() ? "model" : graph_.name(),
                                       std::move(parameters_), std::move(results_));
    }

    // Inputs and outputs keep their names; nodes that want the same give way.
    void reserve_names() {
        for (const auto& input : graph_.input()) {
            if (!initializers_.contains(input.name())) {
                input_names_.emplace(input.name(), names_.take(input.name()));
            }
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

    template <typename ReadTensor>
    void read_initializers(const ReadTensor& read_tensor) {
        if (graph_.sparse_initializer_size() > 0) {
            throw UnsupportedError("tensor '" + graph_.sparse_initializer(0).values().name() +
                                   "': sparse initializers are not supported");
        }
        for (int i = 0; i < graph_.initializer_size(); ++i) {
            const std::string name = graph_.initializer(i).name();
            auto constant = std::make_shared<ops::Constant>(read_tensor(i));
            constant->set_name(names_.take(name));
            constant->validate();
            define(name, constant);
        }
    }

    // An input with an initializer has a default that nothing can replace here: a constant.
    void read_inputs(const BodyRequest* request) {
        std::set<std::string> seen;
        for (const auto& input : graph_.input()) {
            const auto place = [&] { return "input '" + input.name() + "'"; };
            at_place(place, [&] {
                if (!seen.insert(input.name()).second) throw ModelError("it is listed twice");
                if (initializers_.contains(input.name())) return;
                if (request == nullptr) {
                    read_input(input, make_parameter(input));
                } else {
                    read_body_input(input, *request);
                }
            });
        }
        if (request != nullptr && parameters_.size() != request->inputs.size()) {
            throw ModelError("the body has " + std::to_string(parameters_.size()) +
                             " inputs; expected " + std::to_string(request->inputs.size()));
        }
    }

    void read_input(const ValueInfoProto& input, const std::shared_ptr<ops::Parameter>& parameter) {
        parameter->set_name(input_names_.at(input.name()));
        parameter->validate();
        scope_.define(input.name(), parameter);
        Output(parameter).add_names({input.name()});
        parameters_.push_back(parameter);
    }

    void read_body_input(const ValueInfoProto& input, const BodyRequest& request) {
        if (parameters_.size() >= request.inputs.size()) {
            throw ModelError("the body has more inputs than the " +
                             std::to_string(request.inputs.size()) + " that it gets");
        }
        const BodyValue& value = request.inputs[parameters_.size()];
        const auto parameter = make_body_parameter(input, value);
        if (!value.extra_axis) {
            read_input(input, parameter);
            return;
        }
        parameter->set_name(input_names_.at(input.name()));
        parameter->validate();
        parameters_.push_back(parameter);
        auto axis = ops::make_i64({*value.extra_axis}, names_.take(input.name() + "/axis"));
        auto part = make_node<ops::Squeeze>(parameter, axis);
        part->set_name(names_.take(input.name() + "/part"));
        define(input.name(), part);
    }

    Output find(int reader, const std::string& name) {
        const Output found = scope_.find(name);
        if (!found) fail_missing_tensor(graph_, reader, name);
        return found;
    }

    std::vector<Output> inputs_of(const NodeProto& node, int index) {
        std::vector<Output> inputs;
        for (const auto& name : node.input()) {
            inputs.push_back(name.empty() ? Output() : find(index, name));
        }
        return inputs;
    }

    void read_node(int index) {
        const NodeProto& node = graph_.node(index);
        const std::string name = names_.take(shown_name(graph_, index));
        const auto place = [&] { return node_place(name, node.op_type()); };
        at_place(place, [&] {
            const ReadBody read_body = [this](const GraphProto& graph, const BodyRequest& request) {
                return read_body_of(graph, request);
            };
            NodeContext context(node, name, *common_.opsets.version(node.domain()),
                                inputs_of(node, index), {names_, common_.tensors, read_body});
            const auto outputs = find_converter(node, common_.opsets)->convert(context);
            context.check_all_read();
            for (std::size_t i = 0; i < context.output_count(); ++i) {
                if (context.has_output(i)) define_output(node, i, outputs);
            }
        });
    }

    BodyGraph read_body_of(const GraphProto& graph, const BodyRequest& request) {
        const bool loops = !request.inputs.empty();
        const Depth depth{depth_.bodies + 1, depth_.loops + (loops ? 1 : 0)};
        if (depth.bodies > kMaxBodies || depth.loops > kMaxLoops) {
            throw UnsupportedError("bodies are nested too deep; Rondo reads " +
                                   std::to_string(kMaxBodies) + " in each other, of which " +
                                   std::to_string(kMaxLoops) + " may be loops");
        }
        return GraphReader(graph, common_, scope_, depth).read_body(request);
    }

    // One that the converter leaves empty is an error for its readers only: exporters name outputs
    // that no node reads.
    void define_output(const NodeProto& node, std::size_t index,
                       const std::vector<Output>& outputs) {
        const std::string& name = node.output(static_cast<int>(index));
        if (index >= outputs.size()) {
            throw ModelError("output " + std::to_string(index) + " ('" + name +
                             "') is not known for this operator in this opset");
        }
        if (outputs[index]) define(name, outputs[index]);
    }

    void read_outputs(const BodyRequest* request) {
        if (graph_.output_size() == 0) throw ModelError("the graph has no outputs");
        std::set<std::string> seen;
        for (const auto& output : graph_.output()) {
            const auto place = [&] { return "output '" + output.name() + "'"; };
            at_place(place, [&] {
                Output source = find(graph_.node_size(), output.name());
                if (!seen.insert(output.name()).second) throw ModelError("it is listed twice");
                if (request != nullptr && request->extra_axis) {
                    if (const auto axis = request->extra_axis(results_.size())) {
                        source = with_extra_axis(source, *axis, output.name());
                    }
                }
                auto result = std::make_shared<ops::Result>(source);
                result->set_name(result_names_[results_.size()]);
                result->validate();
                // The source may have other names too: it may be an input or serve two outputs.
                Output(result).set_names({output.name()});
                results_.push_back(std::move(result));
            });
        }
    }

    Output with_extra_axis(const Output& source, std::int64_t axis, const std::string& name) {
        auto constant = ops::make_i64({axis}, names_.take(name + "/axis"));
        auto part = make_node<ops::Unsqueeze>(source, constant);
        part->set_name(names_.take(name + "/part"));
        return part;
    }

    // As OpenVINO calls them.
    static constexpr const char* kResultSuffix = "/sink_port_0";

    const GraphProto& graph_;
    Common common_;
    UniqueNames& names_;
    Scope scope_;
    Depth depth_;
    std::map<std::string, std::string> input_names_;
    std::set<std::string> initializers_;
    std::vector<std::string> result_names_;
    std::vector<NodePtr> parameters_;
    std::vector<NodePtr> results_;
};

}  // namespace

std::shared_ptr<Graph> read_graph(rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                                  const ModelSource& source) {
    TensorReader tensors(source.path, source.opened_files);
    UniqueNames names;
    return GraphReader(graph, {opsets, tensors, names}).read_model(graph);
}

}  // namespace rondo::onnx
