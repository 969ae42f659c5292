#include "frontend/onnx/local_functions.hpp"

#include <algorithm>

#include "frontend/onnx/messages/message_lists.hpp"
#include "frontend/onnx/messages/opset_imports.hpp"
#include "frontend/onnx/node_places.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::AttributeProto;
using rondo_onnx::FunctionProto;
using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

template <typename Nodes>
std::size_t count_nodes(const Nodes& nodes) {
    std::size_t count = 0;
    for (const NodeProto& node : nodes) {
        ++count;
        for_each_body(node, [&](const GraphProto& body) { count += count_nodes(body.node()); });
    }
    return count;
}

// One call of a function.
class Call {
public:
    Call(const FunctionProto& function, const NodeProto& call, const std::string& name,
         UniqueNames& tensors)
        : function_(function), call_(call), name_(name), tensors_(tensors) {
        check();
        bind(function.input(), call.input());
        bind(function.output(), call.output());
    }

    GraphProto nodes() {
        GraphProto graph;
        for (int i = 0; i < function_.node_size(); ++i) {
            NodeProto& node = *graph.add_node();
            node = function_.node(i);
            if (node.name().empty()) {
                node.set_name(node.op_type() + "_" + std::to_string(i));
            }
            adapt(node);
        }
        hand_on_inputs(graph);
        return graph;
    }

private:
    void check() const {
        const auto check_count = [](const char* what, int got, int known) {
            if (got <= known) return;
            throw ModelError("the call has " + std::to_string(got) + " " + what +
                             "; the function has " + std::to_string(known));
        };
        check_count("inputs", call_.input_size(), function_.input_size());
        check_count("outputs", call_.output_size(), function_.output_size());
        for (const auto& given : call_.attribute()) {
            const auto& names = function_.attribute();
            const bool known = std::find(names.begin(), names.end(), given.name()) != names.end() ||
                               find_attribute(function_.attribute_proto(), given.name()) != nullptr;
            if (!known) throw ModelError("the function has no attribute '" + given.name() + "'");
        }
    }

    // An input that the call omits is one that the function's nodes omit.
    template <typename Names>
    void bind(const Names& own, const Names& given) {
        const bool is_input = &own == &function_.input();
        for (int i = 0; i < own.size(); ++i) {
            const bool is_given = i < given.size() && !given[i].empty();
            if (is_given) {
                names_.emplace(own[i], given[i]);
            } else if (is_input) {
                names_.emplace(own[i], "");
            }
        }
    }

    const std::string& renamed(const std::string& name) {
        if (name.empty()) return name;
        const auto at = names_.find(name);
        if (at != names_.end()) return at->second;
        return names_.emplace(name, tensors_.take(name_ + "/" + name)).first->second;
    }

    void adapt(NodeProto& node) {
        node.set_name(name_ + "/" + node.name());
        for (auto& name : *node.mutable_input()) name = renamed(name);
        for (auto& name : *node.mutable_output()) name = renamed(name);
        adapt_attributes(node);
    }

    void adapt_attributes(NodeProto& node) {
        google::protobuf::RepeatedPtrField<AttributeProto> kept;
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.ref_attr_name().empty()) {
                kept.Add()->Swap(&attribute);
            } else if (const auto* value = value_of(attribute.ref_attr_name())) {
                AttributeProto& own = *kept.Add();
                own = *value;
                own.set_name(attribute.name());
                continue;  // the caller's bodies have the caller's names
            } else {
                continue;
            }
            AttributeProto& own = *kept.rbegin();
            if (own.has_g()) adapt(*own.mutable_g());
            for (auto& graph : *own.mutable_graphs()) adapt(graph);
        }
        node.mutable_attribute()->Swap(&kept);
    }

    const AttributeProto* value_of(const std::string& name) const {
        const auto* given = find_attribute(call_.attribute(), name);
        return given ? given : find_attribute(function_.attribute_proto(), name);
    }

    void adapt(GraphProto& body) {
        for (auto& tensor : *body.mutable_initializer()) tensor.set_name(renamed(tensor.name()));
        for (auto& tensor : *body.mutable_sparse_initializer()) {
            tensor.mutable_values()->set_name(renamed(tensor.values().name()));
        }
        for (auto& input : *body.mutable_input()) input.set_name(renamed(input.name()));
        for (auto& output : *body.mutable_output()) output.set_name(renamed(output.name()));
        for (auto& node : *body.mutable_node()) adapt(node);
    }

    // An output that is an input of the function has two of the caller's names.
    void hand_on_inputs(GraphProto& graph) const {
        for (int i = 0; i < call_.output_size(); ++i) {
            const auto& own = function_.input();
            const auto at = std::find(own.begin(), own.end(), function_.output(i));
            if (at == own.end() || call_.output(i).empty()) continue;
            const int place = static_cast<int>(at - own.begin());
            if (place >= call_.input_size()) continue;  // what isn't given isn't there for readers
            NodeProto& node = *graph.add_node();
            node.set_op_type("Identity");
            node.set_name(name_ + "/" + *at);
            node.add_input(call_.input(place));
            node.add_output(call_.output(i));
        }
    }

    const FunctionProto& function_;
    const NodeProto& call_;
    const std::string& name_;
    UniqueNames& tensors_;
    std::map<std::string, std::string> names_;
};

// Those of the bodies as well.
void insert_names_of_tensors(const GraphProto& graph, UniqueNames& names) {
    for (const auto& input : graph.input()) names.insert(input.name());
    for (const std::string_view name : initializer_names(graph)) names.insert(std::string(name));
    for (const auto& node : graph.node()) {
        for (const auto& output : node.output()) names.insert(output);
        for_each_body(node, [&](const GraphProto& body) { insert_names_of_tensors(body, names); });
    }
}

}  // namespace

LocalFunctions::LocalFunctions(const rondo_onnx::ModelProto& model) {
    for (const auto& function : model.functions()) {
        const Key key{normalized_domain(function.domain()), function.name(), function.overload()};
        if (functions_.emplace(key, &function).second) continue;
        throw ModelError("the model has two functions '" + function.name() + "' of the domain '" +
                         function.domain() + "'");
    }
    if (!functions_.empty()) insert_names_of_tensors(model.graph(), tensors_);
}

const FunctionProto* LocalFunctions::find(const NodeProto& node) const {
    if (functions_.empty()) return nullptr;
    const auto at =
        functions_.find({normalized_domain(node.domain()), node.op_type(), node.overload()});
    return at == functions_.end() ? nullptr : at->second;
}

std::size_t node_count(const FunctionProto& function) { return count_nodes(function.node()); }
std::size_t node_count(const GraphProto& body) { return count_nodes(body.node()); }

GraphProto LocalFunctions::inlined(const FunctionProto& function, const NodeProto& call,
                                   const std::string& call_name) {
    return Call(function, call, call_name, tensors_).nodes();
}

}  // namespace rondo::onnx
