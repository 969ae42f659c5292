#include "frontend/onnx/node_order.hpp"

#include <rondo_onnx.pb.h>

#include <cstdint>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "frontend/onnx/node_places.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;
using Names = std::unordered_set<std::string_view>;

Names defined_in(const GraphProto& body) {
    Names names;
    for (const auto& input : body.input()) names.insert(input.name());
    for (const auto& tensor : body.initializer()) names.insert(tensor.name());
    for (const auto& tensor : body.sparse_initializer()) names.insert(tensor.values().name());
    for (const auto& node : body.node()) names.insert(node.output().begin(), node.output().end());
    return names;
}

void add_captures(const GraphProto& body, std::vector<std::string_view>& reads);

void add_reads(const NodeProto& node, std::vector<std::string_view>& reads) {
    reads.insert(reads.end(), node.input().begin(), node.input().end());
    for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) add_captures(attribute.g(), reads);
        for (const auto& body : attribute.graphs()) add_captures(body, reads);
    }
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

    // Behind all that it hangs on. A chain of nodes may be long: the stack is ours.
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

}  // namespace rondo::onnx
