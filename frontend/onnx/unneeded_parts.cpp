#include "frontend/onnx/unneeded_parts.hpp"

#include <rondo_onnx.pb.h>

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/support/strings.hpp"
#include "frontend/onnx/local_functions.hpp"
#include "frontend/onnx/messages/message_lists.hpp"
#include "frontend/onnx/node_places.hpp"

namespace rondo::onnx {
namespace {

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
        if (needed_[function].insert(function->output(index)).second) changed_.insert(function);
    }
    /// A function of which more is needed since it was returned last, or null.
    FunctionProto* take_changed() {
        if (changed_.empty()) return nullptr;
        FunctionProto* function = messages_.at(*changed_.begin());
        changed_.erase(changed_.begin());
        return function;
    }
    /// The names of the outputs that are needed; none for a function that no needed node calls.
    NameList needed(const FunctionProto& function) const {
        const auto at = needed_.find(&function);
        return at == needed_.end() ? NameList() : NameList(at->second.begin(), at->second.end());
    }

private:
    LocalFunctions functions_;
    std::map<const FunctionProto*, FunctionProto*> messages_;
    std::map<const FunctionProto*, std::set<std::string_view>> needed_;
    std::set<const FunctionProto*> changed_;
};

// What the walk finds.
struct Findings {
    UnneededParts& removed;
    FunctionNeeds& functions;
};

NameList remove_from(GraphProto& graph, const Findings& found);

// The nodes of a graph, or of a function.
class Nodes {
public:
    Nodes(RepeatedPtrField<NodeProto>& nodes, const Findings& found)
        : nodes_(nodes),
          found_(found),
          is_needed_(static_cast<std::size_t>(nodes.size())),
          reads_(static_cast<std::size_t>(nodes.size())) {
        for (int i = 0; i < nodes.size(); ++i) {
            for (const auto& name : nodes[i].output()) {
                if (!name.empty()) makers_.emplace(name, i);
            }
        }
    }

    /// Every maker of a name that several nodes make is needed, so that the reader refuses it.
    void need(const NameList& names) {
        take(names);
        while (!open_.empty()) {
            const int node = open_.back();
            open_.pop_back();
            look_into(node);
        }
        for (int i = 0; i < nodes_.size(); ++i) {
            if (is_needed(i) && found_.functions.calls(nodes_[i])) need_outputs(nodes_[i]);
        }
    }

    bool reads(const std::string& name) const { return needed_.contains(name); }

    void remove_others() {
        for (int i = 0; i < nodes_.size(); ++i) {
            if (is_needed(i)) continue;
            const std::string name = shown_name(nodes_[i], i);
            found_.removed.nodes.push_back("'" + name + "' (" + nodes_[i].op_type() + ")");
        }
        makers_.clear();  // views of what is removed
        keep_if(nodes_, [&](int i) { return is_needed(i); });
    }

    /// Names that needed nodes read and that aren't in `defined` by then. A body may read a tensor
    /// of the graph around it and then give another one its name.
    NameList free_names(NameSet defined) const {
        NameList free;
        std::size_t next = 0;
        for (std::size_t i = 0; i < reads_.size(); ++i) {
            if (!is_needed_[i]) continue;
            for (const auto name : reads_[i]) {
                if (!defined.contains(name)) free.push_back(name);
            }
            const auto& outputs = nodes_[static_cast<int>(next++)].output();
            defined.insert(outputs.begin(), outputs.end());
        }
        return free;
    }

private:
    bool is_needed(int node) const { return is_needed_[static_cast<std::size_t>(node)]; }

    void take(const NameList& names) {
        for (const std::string_view name : names) {
            if (!needed_.insert(name).second) continue;
            const auto [first, last] = makers_.equal_range(name);
            for (auto maker = first; maker != last; ++maker) {
                if (is_needed(maker->second)) continue;
                is_needed_[static_cast<std::size_t>(maker->second)] = true;
                open_.push_back(maker->second);
            }
        }
    }

    void look_into(int index) {
        NodeProto& node = *nodes_.Mutable(index);
        keep_number(node, index);
        NameList& reads = reads_[static_cast<std::size_t>(index)];
        reads.assign(node.input().begin(), node.input().end());
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) add_reads(*attribute.mutable_g(), reads);
            for (auto& body : *attribute.mutable_graphs()) add_reads(body, reads);
        }
        take(reads);
    }

    void add_reads(GraphProto& body, NameList& reads) {
        const NameList free = remove_from(body, found_);
        reads.insert(reads.end(), free.begin(), free.end());
    }

    void need_outputs(const NodeProto& call) {
        for (int i = 0; i < call.output_size(); ++i) {
            if (reads(call.output(i))) found_.functions.need(call, i);
        }
    }

    RepeatedPtrField<NodeProto>& nodes_;
    Findings found_;
    std::unordered_multimap<std::string_view, int> makers_;
    NameSet needed_;
    std::vector<int> open_;  // needed, and not looked into yet
    std::vector<bool> is_needed_;
    std::vector<NameList> reads_;  // of needed nodes, by their places in the file
};

// Their names are given back.
template <typename Element>
std::unordered_set<std::string> remove_unread(const Nodes& nodes, UnneededParts& removed,
                                              RepeatedPtrField<Element>& initializers) {
    std::unordered_set<std::string> names;
    for (const auto& tensor : initializers) {
        if (nodes.reads(name_of(tensor))) continue;
        names.insert(name_of(tensor));
        removed.initializers.push_back("'" + name_of(tensor) + "'");
    }
    if (names.empty()) return names;
    keep_if(initializers, [&](int i) { return nodes.reads(name_of(initializers[i])); });
    return names;
}

// Without its initializer such an input would be one that a caller must give.
void remove_inputs(const std::unordered_set<std::string>& names, GraphProto& graph) {
    if (names.empty()) return;
    auto& inputs = *graph.mutable_input();
    keep_if(inputs, [&](int i) { return !names.contains(inputs[i].name()); });
}

NameSet defined_before_nodes(const GraphProto& graph) {
    NameSet names;
    for (const auto& input : graph.input()) names.insert(input.name());
    for (const auto& tensor : graph.initializer()) names.insert(name_of(tensor));
    for (const auto& tensor : graph.sparse_initializer()) names.insert(name_of(tensor));
    return names;
}

// Returns what a body reads of the graph around it.
NameList remove_from(GraphProto& graph, const Findings& found) {
    Nodes nodes(*graph.mutable_node(), found);
    NameList outputs;
    for (const auto& output : graph.output()) outputs.push_back(output.name());
    nodes.need(outputs);
    nodes.remove_others();
    UnneededParts& removed = found.removed;
    remove_inputs(remove_unread(nodes, removed, *graph.mutable_initializer()), graph);
    remove_inputs(remove_unread(nodes, removed, *graph.mutable_sparse_initializer()), graph);
    NameSet defined = defined_before_nodes(graph);
    NameList free = nodes.free_names(defined);
    for (const auto& node : graph.node()) {
        defined.insert(node.output().begin(), node.output().end());
    }
    for (const std::string_view name : outputs) {
        if (!defined.contains(name)) free.push_back(name);
    }
    return free;
}

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
void remove_from_functions(rondo_onnx::ModelProto& model, const Findings& found) {
    const auto look_into = [&](FunctionProto& function) {
        Nodes nodes(*function.mutable_node(), found);
        nodes.need(found.functions.needed(function));
        return nodes;
    };
    while (FunctionProto* function = found.functions.take_changed()) look_into(*function);
    for (auto& function : *model.mutable_functions()) {
        if (!found.functions.needed(function).empty()) look_into(function).remove_others();
    }
}

}  // namespace

UnneededParts remove_unneeded(rondo_onnx::ModelProto& model) {
    UnneededParts removed;
    FunctionNeeds functions(model);
    remove_from(*model.mutable_graph(), {removed, functions});
    remove_from_functions(model, {removed, functions});
    return removed;
}

std::string text_of(const UnneededParts& parts) {
    std::vector<std::string> texts;
    if (!parts.nodes.empty()) texts.push_back(listed(parts.nodes, "node"));
    if (!parts.initializers.empty()) texts.push_back(listed(parts.initializers, "initializer"));
    return "left out, since no output needs them: " + join(texts, "; ");
}

}  // namespace rondo::onnx
