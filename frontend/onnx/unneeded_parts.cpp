#include "frontend/onnx/unneeded_parts.hpp"

#include <rondo_onnx.pb.h>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/support/strings.hpp"
#include "frontend/onnx/graph_inputs.hpp"
#include "frontend/onnx/local_functions.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/message_lists.hpp"
#include "frontend/onnx/node_places.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Output `i` of the node is made by output `first_result + i` of each body. The first `carried` of
// them are loop-carried: such a one starts as the node's input `first_input + i`, and is the body's
// input `parameters[i]` in each iteration.
struct BodyPorts {
    std::vector<rondo_onnx::GraphProto*> bodies;
    int first_result = 0;
    int carried = 0;
    int first_input = 0;
    std::vector<int> parameters = {};  ///< growing
};

using rondo_onnx::AttributeProto;
using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

// What a Scan says of each output that it joins.
constexpr std::string_view kJoinLists[] = {"scan_output_axes", "scan_output_directions"};

AttributeProto* find(NodeProto& node, std::string_view name) {
    return find_attribute(*node.mutable_attribute(), name);
}

// Those that the node gives: an input with an initializer is none.
std::vector<int> given_inputs(const GraphProto& body) {
    const auto defaults = initializer_names(body);
    std::vector<int> given;
    for (int i = 0; i < body.input_size(); ++i) {
        if (!defaults.contains(body.input(i).name())) given.push_back(i);
    }
    return given;
}

// The trip count and the condition come first.
BodyPorts ports_of_loop(const NodeProto& node) {
    BodyPorts ports;
    ports.first_result = 1;
    ports.first_input = 2;
    ports.carried = node.input_size() - 2;
    return ports;
}

BodyPorts ports_of_scan(NodeProto& node) {
    BodyPorts ports;
    const AttributeProto* scans = find(node, "num_scan_inputs");
    const auto count = scans == nullptr ? 0 : scans->i();
    const bool is_valid = count > 0 && count <= node.input_size();
    ports.carried = is_valid ? node.input_size() - static_cast<int>(count) : -1;
    return ports;
}

bool fits(NodeProto& node, BodyPorts& ports) {
    if (ports.carried < 0 || ports.carried > node.output_size()) return false;
    const int inputs = node.op_type() == "If" ? 0 : node.input_size();
    for (const GraphProto* body : ports.bodies) {
        const auto given = given_inputs(*body);
        const bool has_all = static_cast<int>(given.size()) == inputs &&
                             body->output_size() == ports.first_result + node.output_size();
        if (!has_all) return false;
        const auto first = given.begin() + (ports.carried > 0 ? ports.first_input : 0);
        ports.parameters.assign(first, first + ports.carried);
    }
    if (node.op_type() != "Scan") return true;
    return std::all_of(std::begin(kJoinLists), std::end(kJoinLists), [&](std::string_view name) {
        const AttributeProto* list = find(node, name);
        return list == nullptr || list->ints_size() == node.output_size() - ports.carried;
    });
}

// Removes those of `count` elements from `first` on that aren't needed.
template <typename List>
void remove_at(List& list, int first, int count, const std::vector<bool>& is_needed) {
    keep_if(list, [&](int i) {
        return i < first || i >= first + count || is_needed[static_cast<std::size_t>(i - first)];
    });
}

// Nothing for other operators, and if the numbers of ports don't fit each other: the reader
// refuses that, or knows an older form.
std::optional<BodyPorts> find_body_ports(NodeProto& node) {
    if (!node.domain().empty() && node.domain() != "ai.onnx") return std::nullopt;
    BodyPorts ports;
    std::vector<std::string_view> names = {"body"};
    if (node.op_type() == "If") {
        names = {"then_branch", "else_branch"};
    } else if (node.op_type() == "Loop") {
        ports = ports_of_loop(node);
    } else if (node.op_type() == "Scan") {
        ports = ports_of_scan(node);
    } else {
        return std::nullopt;
    }
    for (const std::string_view name : names) {
        AttributeProto* body = find(node, name);
        if (body == nullptr || !body->has_g()) return std::nullopt;
        ports.bodies.push_back(body->mutable_g());
    }
    const auto graphs = std::count_if(node.attribute().begin(), node.attribute().end(),
                                      [](const auto& one) { return one.has_g(); });
    if (graphs != static_cast<std::ptrdiff_t>(names.size())) return std::nullopt;
    if (!fits(node, ports)) return std::nullopt;
    return ports;
}

// Takes the outputs that aren't needed out of the node and its bodies, with what carries them.
void remove_outputs(NodeProto& node, const BodyPorts& ports, const std::vector<bool>& is_needed) {
    const int outputs = node.output_size();
    for (GraphProto* body : ports.bodies) {
        remove_at(*body->mutable_output(), ports.first_result, outputs, is_needed);
        std::vector<bool> is_kept(static_cast<std::size_t>(body->input_size()), true);
        for (std::size_t i = 0; i < ports.parameters.size(); ++i) {
            is_kept[static_cast<std::size_t>(ports.parameters[i])] = is_needed[i];
        }
        remove_at(*body->mutable_input(), 0, body->input_size(), is_kept);
    }
    if (ports.carried > 0) {
        remove_at(*node.mutable_input(), ports.first_input, ports.carried, is_needed);
    }
    const std::vector<bool> joined(is_needed.begin() + ports.carried, is_needed.end());
    for (const std::string_view name : kJoinLists) {
        AttributeProto* list = node.op_type() == "Scan" ? find(node, name) : nullptr;
        if (list == nullptr) continue;
        remove_at(*list->mutable_ints(), 0, outputs - ports.carried, joined);
    }
    remove_at(*node.mutable_output(), 0, outputs, is_needed);
}

using google::protobuf::RepeatedPtrField;
using rondo_onnx::FunctionProto;
using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;
using NameList = std::vector<std::string_view>;
using NameSet = std::unordered_set<std::string_view>;

// Which outputs of the model's functions are needed.
class FunctionNeeds {
public:
    explicit FunctionNeeds(rondo_onnx::ModelProto& model) : functions_(model) {
        for (auto& function : *model.mutable_functions()) messages_[&function] = &function;
    }

    bool calls(const NodeProto& node) const { return functions_.find(node) != nullptr; }
    /// Output `index` of the function that the node calls.
    void need(const NodeProto& node, int index) {
        const FunctionProto* function = functions_.find(node);
        if (index >= function->output_size()) return;  // the reader refuses the call
        const std::string_view name = function->output(index);
        if (needed_[function].insert(name).second) open_.emplace_back(messages_.at(function), name);
    }
    /// An output that is needed and wasn't returned yet; null and "" if there is none.
    std::pair<FunctionProto*, std::string_view> take() {
        if (open_.empty()) return {};
        const auto last = open_.back();
        open_.pop_back();
        return last;
    }

private:
    LocalFunctions functions_;
    std::map<const FunctionProto*, FunctionProto*> messages_;
    std::map<const FunctionProto*, std::set<std::string_view>> needed_;
    std::vector<std::pair<FunctionProto*, std::string_view>> open_;
};

// What is needed of a graph, of a body or of a function. More may become needed at any time;
// nothing is removed before all is known.
class GraphNeeds {
public:
    GraphNeeds(RepeatedPtrField<NodeProto>& nodes, FunctionNeeds& functions)
        : nodes_(nodes), functions_(functions), readers_(static_cast<std::size_t>(nodes.size())) {
        for (int i = 0; i < nodes.size(); ++i) {
            for (int k = 0; k < nodes[i].output_size(); ++k) {
                if (!nodes[i].output(k).empty()) makers_.emplace(nodes[i].output(k), Place{i, k});
            }
        }
    }
    GraphNeeds(GraphProto& graph, FunctionNeeds& functions)
        : GraphNeeds(*graph.mutable_node(), functions) {
        graph_ = &graph;
        for (int i = 0; i < graph.input_size(); ++i) parameters_.emplace(graph.input(i).name(), i);
        initializers_ = initializer_names(graph);
    }

    /// An output of the graph or function.
    void need(std::string_view name) {
        read(name, nodes_.size());
        while (!open_.empty()) {
            const Place place = open_.back();
            open_.pop_back();
            look_into(place);
        }
    }
    void need_outputs() {
        for (const auto& output : graph_->output()) need(output.name());
    }

    /// What it was found to read of the graph around it since the last call.
    NameList take_free() { return std::exchange(free_, {}); }
    /// Its own inputs, likewise by their numbers.
    std::vector<int> take_parameters() { return std::exchange(read_parameters_, {}); }

    void remove_others(UnneededParts& removed) {
        for (int i = 0; i < nodes_.size(); ++i) {
            if (const auto& reader = reader_of(i)) finish(*nodes_.Mutable(i), i, *reader, removed);
        }
        remove_nodes(removed);
        if (graph_ == nullptr) return;
        remove_inputs(unread(removed, *graph_->mutable_initializer()));
        remove_inputs(unread(removed, *graph_->mutable_sparse_initializer()));
    }

    bool reads(const std::string& name) const { return needed_.contains(name); }

private:
    // An output of a node.
    struct Place {
        int node;
        int output;
    };
    // A needed node.
    struct Reader {
        std::optional<BodyPorts> ports;
        std::vector<bool> is_needed;  // of its outputs, if it has `ports`
        std::vector<std::unique_ptr<GraphNeeds>> bodies;
    };

    std::unique_ptr<Reader>& reader_of(int node) {
        return readers_[static_cast<std::size_t>(node)];
    }

    // By a node, or by the graph's outputs, which come after the last node. A body may read a
    // tensor of the graph around it and then give another one its name. Every maker of a name that
    // several nodes make is needed, so that the reader refuses it.
    void read(std::string_view name, int node) {
        if (name.empty()) return;
        const auto [begin, end] = makers_.equal_range(name);
        const bool is_made =
            std::any_of(begin, end, [&](const auto& maker) { return maker.second.node < node; });
        const auto parameter = parameters_.find(name);
        if (!is_made && parameter == parameters_.end() && !initializers_.contains(name)) {
            free_.push_back(name);
        }
        if (!needed_.insert(name).second) return;
        if (parameter != parameters_.end()) read_parameters_.push_back(parameter->second);
        for (auto maker = begin; maker != end; ++maker) open_.push_back(maker->second);
    }

    void look_into(const Place& place) {
        NodeProto& node = *nodes_.Mutable(place.node);
        if (functions_.calls(node)) functions_.need(node, place.output);
        auto& reader = reader_of(place.node);
        if (reader == nullptr) {
            reader = std::make_unique<Reader>();
            start(node, place.node, *reader);
        }
        if (reader->ports) need_output(node, place, *reader);
    }

    // What the node reads whichever of its outputs is needed.
    void start(NodeProto& node, int index, Reader& reader) {
        if (!functions_.calls(node)) reader.ports = find_body_ports(node);
        const int first = reader.ports ? reader.ports->first_input : 0;
        const int last = reader.ports ? first + reader.ports->carried : 0;
        for (int i = 0; i < node.input_size(); ++i) {
            if (i < first || i >= last) read(node.input(i), index);
        }
        if (reader.ports) {
            reader.is_needed.resize(static_cast<std::size_t>(node.output_size()));
            for (GraphProto* body : reader.ports->bodies) add_body(*body, reader);
            for (int i = 0; i < reader.ports->first_result; ++i) need_result(index, i, reader);
            return;
        }
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) add_body(*attribute.mutable_g(), reader).need_outputs();
            for (auto& body : *attribute.mutable_graphs()) add_body(body, reader).need_outputs();
        }
        for (const auto& body : reader.bodies) read_free(*body, index);
    }

    GraphNeeds& add_body(GraphProto& body, Reader& reader) {
        reader.bodies.push_back(std::make_unique<GraphNeeds>(body, functions_));
        return *reader.bodies.back();
    }

    void read_free(GraphNeeds& body, int index) {
        for (const std::string_view name : body.take_free()) read(name, index);
    }

    void need_output(const NodeProto& node, const Place& place, Reader& reader) {
        auto is_needed = reader.is_needed.begin() + place.output;
        if (*is_needed) return;
        *is_needed = true;
        const BodyPorts& ports = *reader.ports;
        if (place.output < ports.carried) {
            read(node.input(ports.first_input + place.output), place.node);
        }
        need_result(place.node, ports.first_result + place.output, reader);
    }

    // What a body reads of the loop-carried values must be carried.
    void need_result(int index, int result, Reader& reader) {
        const BodyPorts& ports = *reader.ports;
        for (std::size_t i = 0; i < ports.bodies.size(); ++i) {
            GraphNeeds& body = *reader.bodies[i];
            body.need(ports.bodies[i]->output(result).name());
            read_free(body, index);
            const auto& carried = ports.parameters;
            for (const int parameter : body.take_parameters()) {
                const auto at = std::lower_bound(carried.begin(), carried.end(), parameter);
                if (at == carried.end() || *at != parameter) continue;
                open_.push_back({index, static_cast<int>(at - carried.begin())});
            }
        }
    }

    void finish(NodeProto& node, int index, const Reader& reader, UnneededParts& removed) {
        keep_number(node, index);
        const auto& needed = reader.is_needed;
        if (std::find(needed.begin(), needed.end(), false) != needed.end()) {
            remove_outputs(node, *reader.ports, needed);
        }
        for (const auto& body : reader.bodies) body->remove_others(removed);
    }

    void remove_nodes(UnneededParts& removed) {
        for (int i = 0; i < nodes_.size(); ++i) {
            if (reader_of(i) != nullptr) continue;
            const std::string name = shown_name(nodes_[i], i);
            removed.nodes.push_back("'" + name + "' (" + nodes_[i].op_type() + ")");
        }
        keep_if(nodes_, [&](int i) { return reader_of(i) != nullptr; });
    }

    // The names of initializers that are removed.
    template <typename Element>
    std::unordered_set<std::string> unread(UnneededParts& removed,
                                           RepeatedPtrField<Element>& initializers) {
        std::unordered_set<std::string> names;
        for (const auto& tensor : initializers) {
            if (reads(name_of(tensor))) continue;
            names.insert(name_of(tensor));
            removed.initializers.push_back("'" + name_of(tensor) + "'");
        }
        if (names.empty()) return names;
        keep_if(initializers, [&](int i) { return reads(name_of(initializers[i])); });
        return names;
    }

    // Without its initializer such an input would be one that a caller must give.
    void remove_inputs(const std::unordered_set<std::string>& names) {
        if (names.empty()) return;
        auto& inputs = *graph_->mutable_input();
        keep_if(inputs, [&](int i) { return !names.contains(inputs[i].name()); });
    }

    RepeatedPtrField<NodeProto>& nodes_;
    FunctionNeeds& functions_;
    GraphProto* graph_ = nullptr;  // null for a function
    std::unordered_multimap<std::string_view, Place> makers_;
    std::unordered_map<std::string_view, int> parameters_;
    NameSet initializers_;
    NameSet needed_;
    NameList free_;
    std::vector<int> read_parameters_;
    std::vector<Place> open_;                       // needed, and not looked into yet
    std::vector<std::unique_ptr<Reader>> readers_;  // null for nodes that aren't needed
};

// "2 nodes: 'a' (Foo), 'b' (Constant)".
std::string listed(std::vector<std::string> names, std::string_view what) {
    constexpr std::size_t kMostNamed = 20;
    const std::string count = counted(names.size(), what);
    if (names.size() > kMostNamed) {
        names.resize(kMostNamed);
        names.emplace_back("...");
    }
    return count + ": " + join(names, ", ");
}

// Functions that call each other need more of each other, step by step.
void remove_from_functions(FunctionNeeds& functions, UnneededParts& removed) {
    std::map<FunctionProto*, std::unique_ptr<GraphNeeds>> needs;
    while (true) {
        const auto [function, output] = functions.take();
        if (function == nullptr) break;
        auto& nodes = needs[function];
        if (nodes == nullptr) {
            nodes = std::make_unique<GraphNeeds>(*function->mutable_node(), functions);
        }
        nodes->need(output);
    }
    for (const auto& [function, nodes] : needs) nodes->remove_others(removed);
}

// What no parameter can be, such as text.
bool is_readable(const rondo_onnx::ValueInfoProto& input) {
    try {
        make_parameter(input);
    } catch (const UnsupportedError&) {
        return false;
    } catch (const ModelError&) {
        // The reader says what is wrong.
    }
    return true;
}

void remove_unreadable_inputs(GraphProto& graph, const GraphNeeds& needs, UnneededParts& removed) {
    auto& inputs = *graph.mutable_input();
    std::vector<bool> is_kept;
    for (const auto& input : inputs) {
        is_kept.push_back(needs.reads(input.name()) || is_readable(input));
        if (!is_kept.back()) removed.inputs.push_back("'" + input.name() + "'");
    }
    keep_if(inputs, [&](int i) { return is_kept[static_cast<std::size_t>(i)]; });
}

}  // namespace

UnneededParts remove_unneeded(rondo_onnx::ModelProto& model) {
    UnneededParts removed;
    FunctionNeeds functions(model);
    GraphProto& graph = *model.mutable_graph();
    GraphNeeds needs(graph, functions);
    needs.need_outputs();
    remove_from_functions(functions, removed);
    needs.remove_others(removed);
    remove_unreadable_inputs(graph, needs, removed);
    return removed;
}

std::string text_of(const UnneededParts& parts) {
    std::vector<std::string> texts;
    if (!parts.nodes.empty()) texts.push_back(listed(parts.nodes, "node"));
    if (!parts.initializers.empty()) texts.push_back(listed(parts.initializers, "initializer"));
    if (!parts.inputs.empty()) texts.push_back(listed(parts.inputs, "input"));
    return "left out, since no output needs them: " + join(texts, "; ");
}

}  // namespace rondo::onnx
