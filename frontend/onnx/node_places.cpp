#include "frontend/onnx/node_places.hpp"

#include <rondo_onnx.pb.h>
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/messages/message_lists.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr char kMark = '\1';  // of a number in a node's doc_string, which is read for nothing else

bool has_kept_number(const rondo_onnx::NodeProto& node) {
    return !node.doc_string().empty() && node.doc_string()[0] == kMark;
}

}  // namespace

std::string shown_name(const rondo_onnx::NodeProto& node, int index) {
    if (!node.name().empty()) return node.name();
    const std::string number =
        has_kept_number(node) ? node.doc_string().substr(1) : std::to_string(index);
    return node.op_type() + "_" + number;
}

void keep_number(rondo_onnx::NodeProto& node, int index) {
    if (!node.name().empty() || has_kept_number(node)) return;
    node.set_doc_string(kMark + std::to_string(index));
}

std::string shown_name(const rondo_onnx::GraphProto& graph, int index) {
    return shown_name(graph.node(index), index);
}

std::string node_place(const rondo_onnx::GraphProto& graph, int index) {
    const auto origin = node_origin(graph.node(index), shown_name(graph, index));
    return describe(origin.get(), origin->name, origin->type);
}

void fail_missing_tensor(const rondo_onnx::GraphProto& graph, const std::string& name) {
    for (int i = 0; i < graph.node_size(); ++i) {
        const auto& made = graph.node(i).output();
        if (std::find(made.begin(), made.end(), name) == made.end()) continue;
        throw UnsupportedError("the tensor '" + name + "' is an output of " + node_place(graph, i) +
                               " that is not supported");
    }
    throw ModelError("there is no tensor '" + name +
                     "': neither an input, nor an initializer, nor an output of a node");
}

namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;
using Names = std::unordered_set<std::string_view>;

Names defined_in(const GraphProto& body) {
    Names names = initializer_names(body);
    for (const auto& input : body.input()) names.insert(input.name());
    for (const auto& node : body.node()) names.insert(node.output().begin(), node.output().end());
    return names;
}

void add_captures(const GraphProto& body, std::vector<std::string_view>& reads);

void add_reads(const NodeProto& node, std::vector<std::string_view>& reads) {
    reads.insert(reads.end(), node.input().begin(), node.input().end());
    for_each_body(node, [&](const GraphProto& body) { add_captures(body, reads); });
}

// What a body takes from the graph around it.
void add_captures(const GraphProto& body, std::vector<std::string_view>& reads) {
    std::vector<std::string_view> all;
    for (const auto& node : body.node()) add_reads(node, all);
    for (const auto& output : body.output()) all.push_back(output.name());
    const Names own = defined_in(body);
    for (const std::string_view name : all) {
        if (!own.contains(name)) reads.push_back(name);
    }
}

class Sorter {
public:
    explicit Sorter(const GraphProto& graph)
        : graph_(graph), states_(static_cast<std::size_t>(graph.node_size()), State::untouched) {
        for (int i = 0; i < graph.node_size(); ++i) {
            for (const auto& name : graph.node(i).output()) {
                if (!name.empty()) makers_.try_emplace(name, i);
            }
        }
    }

    std::vector<int> sorted() {
        for (int i = 0; i < graph_.node_size(); ++i) {
            if (state(i) == State::untouched) place(i);
        }
        return std::move(order_);
    }

private:
    enum class State : std::uint8_t { untouched, open, placed };
    struct Entry {
        int node = 0;
        std::vector<std::string_view> reads;
        std::size_t next = 0;
    };

    State& state(int node) { return states_[static_cast<std::size_t>(node)]; }

    // After all that it depends on. A chain of nodes may be long: the stack is ours.
    void place(int node) {
        std::vector<Entry> open;
        begin(node, open);
        while (!open.empty()) {
            Entry& last = open.back();
            if (last.next == last.reads.size()) {
                state(last.node) = State::placed;
                order_.push_back(last.node);
                open.pop_back();
                continue;
            }
            const std::string_view name = last.reads[last.next++];
            const auto maker = makers_.find(name);
            if (maker == makers_.end() || state(maker->second) == State::placed) continue;
            if (state(maker->second) == State::open) fail_circle(last.node, name);
            begin(maker->second, open);
        }
    }

    void begin(int node, std::vector<Entry>& open) {
        state(node) = State::open;
        Entry entry{node, {}, 0};
        add_reads(graph_.node(node), entry.reads);
        open.push_back(std::move(entry));
    }

    [[noreturn]] void fail_circle(int node, std::string_view name) const {
        throw ModelError(node_place(graph_, node) + ": it reads the tensor '" + std::string(name) +
                         "', which is made from its own outputs; nodes may not form a circle");
    }

    const GraphProto& graph_;
    std::vector<State> states_;
    std::unordered_map<std::string_view, int> makers_;
    std::vector<int> order_;
};

}  // namespace

std::vector<int> node_order(const GraphProto& graph, bool is_body) {
    try {
        return Sorter(graph).sorted();
    } catch (const ModelError&) {
        if (!is_body) throw;
        std::vector<int> order(static_cast<std::size_t>(graph.node_size()));
        std::iota(order.begin(), order.end(), 0);
        return order;
    }
}

namespace {

using Kind = NodeOrigin::Kind;

NodeOriginPtr make_origin(Kind kind, const std::string& name, std::string_view type) {
    return std::make_shared<NodeOrigin>(NodeOrigin{kind, name, std::string(type)});
}

}  // namespace

NodeOriginPtr node_origin(const rondo_onnx::NodeProto& node, const std::string& shown_name) {
    if (!node.name().empty()) return make_origin(Kind::node, node.name(), node.op_type());
    for (const std::string& output : node.output()) {
        if (!output.empty()) return make_origin(Kind::node_of, output, node.op_type());
    }
    return make_origin(Kind::node, shown_name, node.op_type());
}

NodeOriginPtr input_origin(const std::string& name) {
    return make_origin(Kind::input, name, ops::Parameter::kType.name);
}

NodeOriginPtr output_origin(const std::string& name) {
    return make_origin(Kind::output, name, ops::Result::kType.name);
}

NodeOriginPtr tensor_origin(const std::string& name) {
    return make_origin(Kind::tensor, name, ops::Constant::kType.name);
}

}  // namespace rondo::onnx
