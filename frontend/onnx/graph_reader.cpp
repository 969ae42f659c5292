#include "frontend/onnx/graph_reader.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/unsqueeze.hpp"
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

// What a model and its bodies have in common.
struct Common {
    const OpsetImports& opsets;
    TensorReader& tensors;
    UniqueNames& names;
};

// Hostile files nest without end. Loops are read again while their shapes change, and loops in loops
// multiply that.
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
        check_operators();
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

    const OpEntry* entry_of(const NodeProto& node) const {
        const auto version = common_.opsets.version(node.domain());
        if (!version) return nullptr;
        return find_converter(normalized_domain(node.domain()), node.op_type(), *version);
    }

    void find_missing(const GraphProto& graph, std::set<std::string>& missing) const {
        for (const auto& node : graph.node()) {
            for (const auto& attribute : node.attribute()) {
                if (attribute.has_g()) find_missing(attribute.g(), missing);
            }
            if (entry_of(node)) continue;
            const auto version = common_.opsets.version(node.domain());
            missing.insert(operator_name(node) + (version
                                                      ? " (opset " + std::to_string(*version) + ")"
                                                      : " (its domain has no opset_import)"));
        }
    }

    // All that is missing in one message, bodies included, before any work is done.
    void check_operators() const {
        std::set<std::string> missing;
        find_missing(graph_, missing);
        if (missing.empty()) return;
        throw UnsupportedError(std::to_string(missing.size()) + " unsupported operator" +
                               (missing.size() > 1 ? "s: " : ": ") +
                               join({missing.begin(), missing.end()}, ", "));
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

    Output read_input(const ValueInfoProto& input, std::shared_ptr<ops::Parameter> parameter) {
        parameter->set_name(input_names_.at(input.name()));
        parameter->validate();
        scope_.define(input.name(), parameter);
        Output(parameter).add_names({input.name()});
        parameters_.push_back(parameter);
        return parameter;
    }

    void read_body_input(const ValueInfoProto& input, const BodyRequest& request) {
        if (parameters_.size() >= request.inputs.size()) {
            throw ModelError("the body has more inputs than the " +
                             std::to_string(request.inputs.size()) + " that it gets");
        }
        const BodyValue& value = request.inputs[parameters_.size()];
        const auto declared = make_parameter(input);
        const ElementType type =
            value.type == ElementType::dynamic ? declared->element_type() : value.type;
        if (declared->element_type() != ElementType::dynamic && declared->element_type() != type) {
            throw ModelError("it is declared " + std::string(to_string(declared->element_type())) +
                             " but gets " + std::string(to_string(type)));
        }
        PartialShape shape = value.shape.has_rank() ? value.shape : declared->shape();
        const bool is_row = declared->shape().has_rank() && declared->shape().rank() == 1;
        if (value.is_number && is_row) shape = {Dimension(1)};
        if (!value.extra_axis) {
            read_input(input, std::make_shared<ops::Parameter>(type, shape));
            return;
        }
        auto parameter = std::make_shared<ops::Parameter>(type, value.shape);
        parameter->set_name(input_names_.at(input.name()));
        parameter->validate();
        parameters_.push_back(parameter);
        auto axis = ops::make_i64({*value.extra_axis}, names_.take(input.name() + "/axis"));
        auto part = make_node<ops::Squeeze>(parameter, axis);
        part->set_name(names_.take(input.name() + "/part"));
        define(input.name(), part);
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

    Output find(int reader, const std::string& name) {
        const Output found = scope_.find(name);
        if (!found) fail_missing(reader, name);
        return found;
    }

    std::vector<Output> inputs_of(const NodeProto& node, int index) {
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
            const ReadBody read_body = [this](const GraphProto& graph, const BodyRequest& request) {
                return read_body_of(graph, request);
            };
            NodeContext context(node, name, *common_.opsets.version(node.domain()),
                                inputs_of(node, index), {names_, common_.tensors, read_body});
            const auto outputs = entry_of(node)->convert(context);
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
