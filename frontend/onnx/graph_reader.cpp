#include "frontend/onnx/graph_reader.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/graph/origins.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/context/known_values.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/context/scope.hpp"
#include "frontend/onnx/context/sequence.hpp"
#include "frontend/onnx/graph_inputs.hpp"
#include "frontend/onnx/local_functions.hpp"
#include "frontend/onnx/node_places.hpp"
#include "frontend/onnx/read_limits.hpp"
#include "frontend/onnx/refusals.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::FunctionProto;
using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;
using rondo_onnx::ValueInfoProto;

// What a query finds.
struct Query {
    std::vector<NodeSupport> rows;
    std::string latest;                         // what has been refused last
    std::map<std::string, std::string> unread;  // why a tensor can't be read
};

// What a model, its bodies and its functions have in common.
struct Common {
    LocalFunctions& functions;
    TensorReader& tensors;
    UniqueNames& names;
    Refusals& refusals;
    ReadLimits& limits;
    Query* query = nullptr;  // null if the model is to be read
};

// Nodes of the graph, or of a function that it calls.
struct NodeList {
    const GraphProto& graph;
    const OpsetImports& opsets;
    Depth depth;
    NodeOriginPtr call = {};  // of the function; null in no function
};

class GraphReader {
public:
    GraphReader(const NodeList& nodes, const Common& common)
        : graph_(nodes.graph),
          nodes_(nodes),
          common_(common),
          names_(common.names),
          initializers_(graph_) {}
    GraphReader(const NodeList& nodes, const Common& common, Scope& outer)
        : graph_(nodes.graph),
          nodes_(nodes),
          common_(common),
          names_(common.names),
          scope_(outer, common.names),
          initializers_(graph_) {}

    /// Weights that aren't there yet are taken out of the message.
    std::shared_ptr<Graph> read_model(GraphProto& message, std::vector<Tensor>& weights) {
        check_operators(graph_, nodes_.opsets, common_.functions, common_.refusals);
        weights.resize(static_cast<std::size_t>(message.initializer_size()));
        const auto read_tensor = [&](int i) {
            Tensor& tensor = weights[static_cast<std::size_t>(i)];
            if (!tensor) tensor = common_.tensors.take(*message.mutable_initializer(i));
            return tensor;
        };
        return read(read_tensor, nullptr);
    }

    void query_model(GraphProto& message) {
        for (const auto* values : {&graph_.value_info(), &graph_.output()}) {
            for (const auto& value : *values) declared_.try_emplace(value.name(), &value);
        }
        common_.query->rows.resize(static_cast<std::size_t>(graph_.node_size()));
        reserve_names();
        read_initializers(
            [&](int i) { return common_.tensors.take(*message.mutable_initializer(i)); });
        read_inputs(nullptr);
        for (const int index : node_order(graph_)) query_node(index);
    }

    BodyGraph read_body(const BodyRequest& request) {
        BodyGraph body;
        const auto read_tensor = [&](int i) { return common_.tensors.read(graph_.initializer(i)); };
        body.graph = read(read_tensor, &request);
        for (const auto& capture : scope_.captures()) body.captured.push_back(capture.outer);
        body.outputs = std::move(outputs_);
        return body;
    }

private:
    template <typename ReadTensor>
    std::shared_ptr<Graph> read(const ReadTensor& read_tensor, const BodyRequest* request) {
        reserve_names();
        read_initializers(read_tensor);
        read_inputs(request);
        read_nodes(nodes_);
        check_refusals(request);
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
        // A parameter is known by its own name alone, even if a node hands it on.
        if (value.node().op_type().name != ops::Parameter::kType.name) value.add_names({name});
    }

    template <typename ReadTensor>
    void read_initializers(const ReadTensor& read_tensor) {
        for (const auto& tensor : graph_.sparse_initializer()) {
            read_initializer(tensor.values().name(), [&] { return common_.tensors.read(tensor); });
        }
        for (int i = 0; i < graph_.initializer_size(); ++i) {
            const std::string name = graph_.initializer(i).name();
            read_initializer(name, [&] { return read_tensor(i); });
        }
    }

    template <typename Read>
    void read_initializer(const std::string& name, const Read& read) {
        define_or_refuse(name, [&] {
            Tensor value = read();
            if (!initializers_.add(name, value)) return;
            const auto place = [&] { return "tensor '" + name + "'"; };
            at_place(place, [&] { common_.tensors.memory().take(value.byte_size()); });
            auto constant = std::make_shared<ops::Constant>(std::move(value));
            constant->set_name(names_.take(name));
            constant->set_origin(tensor_origin(name));
            constant->validate();
            define(name, constant);
        });
    }

    template <typename Define>
    void define_or_refuse(const std::string& name, const Define& define) {
        try {
            define();
        } catch (const UnsupportedError& error) {
            note(error.what());
            if (common_.query != nullptr) common_.query->unread.emplace(name, error.what());
            scope_.refuse(name);
        }
    }

    // An input with an initializer has a default that nothing can replace here: a constant.
    void read_inputs(const BodyRequest* request) {
        std::set<std::string> seen;
        for (const auto& input : graph_.input()) {
            const auto place = [&] { return "input '" + input.name() + "'"; };
            const auto read = [&] {
                if (!seen.insert(input.name()).second) throw ModelError("it is listed twice");
                if (initializers_.contains(input.name())) return;
                if (request == nullptr) {
                    read_input(input, make_parameter(input));
                } else {
                    read_body_input(input, *request);
                }
            };
            if (request != nullptr) {
                at_place(place, read);
            } else {
                define_or_refuse(input.name(), [&] { at_place(place, read); });
            }
        }
        if (request != nullptr && inputs_read_ != request->inputs.size()) {
            throw ModelError("the body has " + counted(inputs_read_, "input") + "; expected " +
                             std::to_string(request->inputs.size()));
        }
    }

    void prepare_input(const ValueInfoProto& input, ops::Parameter& parameter) {
        parameter.set_name(input_names_.at(input.name()));
        parameter.set_origin(input_origin(input.name()));
        parameter.validate();
    }

    void read_input(const ValueInfoProto& input, const std::shared_ptr<ops::Parameter>& parameter) {
        prepare_input(input, *parameter);
        scope_.define(input.name(), parameter);
        Output(parameter).add_names({input.name()});
        parameters_.push_back(parameter);
    }

    void read_body_input(const ValueInfoProto& input, const BodyRequest& request) {
        if (inputs_read_ >= request.inputs.size()) {
            throw ModelError("the body has more inputs than the " +
                             std::to_string(request.inputs.size()) + " that it gets");
        }
        const BodyValue& value = request.inputs[inputs_read_++];
        if (value.form) {
            note_declaration(input, *value.form);
            scope_.define(input.name(), make_body_sequence(input.name(), value));
            return;
        }
        const auto parameter = make_body_parameter(input, value);
        if (!value.extra_axis) {
            read_input(input, parameter);
            return;
        }
        prepare_input(input, *parameter);
        parameters_.push_back(parameter);
        define(input.name(), with_axis<ops::Squeeze>(parameter, *value.extra_axis, input.name()));
    }

    Output make_body_sequence(const std::string& name, const BodyValue& value) {
        std::vector<Output> inputs;
        for (const BodyValue& one : value.tensors) {
            const auto parameter = make_node<ops::Parameter>(one.type, one.shape);
            parameter->set_name(names_.take(name + "/" + std::to_string(inputs.size())));
            parameter->set_origin(input_origin(name));
            parameters_.push_back(parameter);
            inputs.emplace_back(parameter);
        }
        return make_node<Sequence>(std::move(inputs), *value.form);
    }

    // The input or output of that name without its axis of one element, or with one more.
    template <typename View>
    Output with_axis(const Output& value, std::int64_t axis, const std::string& name) {
        auto constant = ops::make_i64({axis}, names_.take(name + "/axis"));
        auto part = make_node<View>(value, constant);
        part->set_name(names_.take(name + "/part"));
        give_origin(part, origin_to_share(value.node()));
        return part;
    }

    // The model's reader reports all, those of bodies as well.
    void check_refusals(const BodyRequest* request) const {
        if (request == nullptr) return common_.refusals.check();
        for (const auto& output : graph_.output()) {
            if (scope_.is_refused(output.name())) throw RefusedBody();
        }
    }

    Output find(const GraphProto& graph, const std::string& name) {
        const Output found = scope_.find(name);
        if (!found) fail_missing_tensor(graph, name);
        return found;
    }

    std::vector<Output> inputs_of(const GraphProto& graph, int index) {
        std::vector<Output> inputs;
        for (const auto& name : graph.node(index).input()) {
            inputs.push_back(name.empty() ? Output() : find(graph, name));
        }
        return inputs;
    }

    void read_nodes(const NodeList& nodes) {
        for (const int index : node_order(nodes.graph, nodes.depth.bodies > 0)) {
            common_.limits.check_time(nodes.graph.node(index).name());
            read_node(nodes, index);
        }
    }

    void note(const std::string& refusal) {
        if (common_.query == nullptr) return common_.refusals.add_feature(refusal);
        common_.query->latest = refusal;
    }

    // What read_node() says of a node of the main graph.
    void query_node(int index) {
        const NodeProto& node = graph_.node(index);
        common_.limits.check_time(node.name());
        std::string& latest = common_.query->latest;
        latest.clear();
        try {
            read_node(nodes_, index);
        } catch (const ModelError& error) {  // read_node() keeps those of another kind
            latest = error.what();
            refuse(node);
        }
        common_.query->rows[static_cast<std::size_t>(index)] = {
            shown_name(node, index), operator_name(node), latest.empty(), latest};
    }

    // One that can't be read is refused together with the ones after it, and reading goes on.
    void read_node(const NodeList& nodes, int index) {
        const NodeProto& node = nodes.graph.node(index);
        const auto* function = common_.functions.find(node);
        const auto* converter = function ? nullptr : find_converter(node, nodes.opsets);
        if (!function && !converter) {  // check_operators() has named it
            if (common_.query != nullptr) note(missing_converter_text(node, nodes.opsets));
            return refuse(node);
        }
        if (const std::string* tensor = refused_input(node)) {
            common_.refusals.add_unseen();
            if (common_.query != nullptr) note(unread_text(*tensor));
            return refuse(node);
        }
        const std::string shown = shown_name(node, index);
        const std::string name = names_.take(shown);
        const auto origin = nodes.call ? nodes.call : node_origin(node, shown);
        const auto place = [&] { return describe(origin.get(), name, node.op_type()); };
        try {
            at_place(place, [&] {
                if (function) return read_call(nodes.depth, node, name, origin, *function);
                convert(nodes, index, name, origin, *converter);
            });
        } catch (const UnsupportedError& error) {
            note(error.what());
            refuse(node);
        } catch (const RefusedBody&) {
            refuse(node);
        }
    }

    const std::string* refused_input(const NodeProto& node) const {
        const auto& inputs = node.input();
        const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const std::string& name) {
            return scope_.is_refused(name);
        });
        return found == inputs.end() ? nullptr : &*found;
    }

    std::string unread_text(const std::string& tensor) const {
        const auto reason = common_.query->unread.find(tensor);
        return "it reads '" + tensor + "'" +
               (reason == common_.query->unread.end()
                    ? ", of a node that isn't supported, whose type isn't declared"
                    : ": " + reason->second);
    }

    void refuse(const NodeProto& node) {
        for (const auto& name : node.output()) {
            if (!stand_in(name)) scope_.refuse(name);
        }
    }

    // In a query, what is declared of a tensor is enough for the nodes that read it.
    bool stand_in(const std::string& name) {
        const auto declared = declared_.find(name);
        if (declared == declared_.end() || scope_.find(name)) return false;
        if (!declared->second->type().has_tensor_type()) return false;
        try {
            const auto parameter = make_parameter(*declared->second);
            parameter->validate();
            define(name, parameter);
            return true;
        } catch (const UnsupportedError&) {
            return false;
        } catch (const ModelError&) {  // what a file declares may be wrong
            return false;
        }
    }

    void convert(const NodeList& nodes, int index, const std::string& name,
                 const NodeOriginPtr& origin, const OpEntry& converter) {
        const NodeProto& node = nodes.graph.node(index);
        const ReadBody read_body = [&](const GraphProto& graph, const BodyRequest& request) {
            return read_body_of({graph, nodes.opsets, nodes.depth, nodes.call}, request);
        };
        const auto inputs = inputs_of(nodes.graph, index);
        NodeContext context(node, name, *nodes.opsets.version(node.domain()), inputs,
                            {names_, common_.tensors, read_body, &nodes.graph, origin});
        const auto outputs = with_known_values(context.results(converter.convert(context)), inputs);
        context.check_all_read();
        give_origin(outputs, origin);
        for (std::size_t i = 0; i < context.output_count(); ++i) {
            if (context.has_output(i)) define_output(node, i, outputs);
        }
    }

    // The function's nodes take the place of the call in the graph.
    void read_call(Depth depth, const NodeProto& node, const std::string& name,
                   const NodeOriginPtr& origin, const FunctionProto& function) {
        ++depth.calls;
        common_.limits.count_inlined(node_count(function), depth);
        const GraphProto own_nodes = common_.functions.inlined(function, node, name);
        const OpsetImports opsets(function);
        read_nodes({own_nodes, opsets, depth, origin});
    }

    BodyGraph read_body_of(const NodeList& body, const BodyRequest& request) {
        const Depth depth = common_.limits.enter_body(body.depth, !request.inputs.empty());
        if (request.is_inlined) common_.limits.count_inlined(1 + node_count(body.graph), depth);
        return GraphReader({body.graph, body.opsets, depth, body.call}, common_, scope_)
            .read_body(request);
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
        const BodyRequest none;
        for (const auto& output : graph_.output()) {
            const auto place = [&] { return "output '" + output.name() + "'"; };
            at_place(place, [&] {
                read_output(output.name(), find(graph_, output.name()), request ? *request : none);
            });
        }
    }

    void read_output(const std::string& name, const Output& source, const BodyRequest& request) {
        if (const Sequence* sequence = find_sequence(source)) {
            if (!request.takes_sequences || sequence->is_nothing()) {
                throw UnsupportedError("it is a sequence or optional value; expected a tensor");
            }
            outputs_.push_back({name, source});
            return;
        }
        std::optional<std::int64_t> axis;
        if (request.extra_axis) axis = request.extra_axis(outputs_.size());
        auto result = std::make_shared<ops::Result>(
            axis ? with_axis<ops::Unsqueeze>(source, *axis, name) : source);
        result->set_origin(output_origin(name));
        result->set_name(result_names_[outputs_.size()]);
        result->validate();
        // The source may have other names too: it may be an input or serve two outputs.
        Output(result).set_names({name});
        results_.push_back(std::move(result));
        outputs_.push_back({name, source});
    }

    // As OpenVINO calls them.
    static constexpr const char* kResultSuffix = "/sink_port_0";

    const GraphProto& graph_;
    NodeList nodes_;
    Common common_;
    UniqueNames& names_;
    Scope scope_;
    std::map<std::string, std::string> input_names_;
    Initializers initializers_;
    std::vector<std::string> result_names_;
    std::vector<NodePtr> parameters_;
    std::vector<NodePtr> results_;
    std::vector<BodyOutput> outputs_;
    std::size_t inputs_read_ = 0;
    std::map<std::string, const ValueInfoProto*> declared_;  // in a query: its main graph's
};

}  // namespace

namespace {

// `use` gets a reader of the main graph.
template <typename Use>
auto with_reader(rondo_onnx::ModelProto& model, const ModelSource& source, Query* query,
                 const Use& use) {
    const OpsetImports opsets(model);
    LocalFunctions functions(model);
    TensorReader tensors(source);
    tensors.memory().add_file(source.size);
    UniqueNames names;
    Refusals refusals;
    ReadLimits limits(source.limits);
    GraphReader reader({model.graph(), opsets, {}},
                       {functions, tensors, names, refusals, limits, query});
    return use(reader);
}

}  // namespace

std::shared_ptr<Graph> read_graph(rondo_onnx::ModelProto& model, const ModelSource& source,
                                  std::vector<Tensor>& weights) {
    return with_reader(model, source, nullptr, [&](GraphReader& reader) {
        return reader.read_model(*model.mutable_graph(), weights);
    });
}

std::vector<NodeSupport> query_graph(rondo_onnx::ModelProto& model, const ModelSource& source) {
    Query query;
    with_reader(model, source, &query,
                [&](GraphReader& reader) { reader.query_model(*model.mutable_graph()); });
    return std::move(query.rows);
}

}  // namespace rondo::onnx
