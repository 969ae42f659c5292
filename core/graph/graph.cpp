#include "core/graph/graph.hpp"

#include <unordered_map>
#include <unordered_set>

#include "core/graph/infer_context.hpp"
#include "core/support/errors.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

// Depth first without recursion, because hostile files contain chains of any length.
class Sorter {
public:
    std::vector<NodePtr> take() { return std::move(order_); }

    void add(const NodePtr& node) {
        if (state_.contains(node.get())) return;
        open(node);
        while (!stack_.empty()) step();
    }

private:
    struct Frame {
        NodePtr node;
        std::size_t next_input = 0;
    };

    void open(const NodePtr& node) {
        state_[node.get()] = false;
        stack_.push_back({node});
    }

    void step() {
        Frame& frame = stack_.back();
        if (frame.next_input == frame.node->input_count()) {
            state_[frame.node.get()] = true;
            order_.push_back(frame.node);
            stack_.pop_back();
            return;
        }
        const NodePtr& source = frame.node->input(frame.next_input++).node_ptr();
        const auto seen = state_.find(source.get());
        if (seen == state_.end()) {
            open(source);
        } else if (!seen->second) {
            throw ModelError(describe(*source) + ": the graph has a cycle through this node");
        }
    }

    std::unordered_map<const Node*, bool> state_;  // false: open, true: done
    std::vector<Frame> stack_;
    std::vector<NodePtr> order_;
};

}  // namespace

Graph::Graph(std::string name, std::vector<NodePtr> parameters, std::vector<NodePtr> results,
             std::vector<NodePtr> sinks)
    : name_(std::move(name)),
      parameters_(std::move(parameters)),
      results_(std::move(results)),
      sinks_(std::move(sinks)) {}

// Its nodes see to it that chains of any length need no deep stack.
Graph::~Graph() = default;

void Graph::set_ends(std::vector<NodePtr> parameters, std::vector<NodePtr> results,
                     std::vector<NodePtr> sinks) {
    const Graph old(name_, std::move(parameters_), std::move(results_), std::move(sinks_));
    parameters_ = std::move(parameters);
    results_ = std::move(results);
    sinks_ = std::move(sinks);
}

void Graph::take(const Graph& changed) {
    set_ends(changed.parameters_, changed.results_, changed.sinks_);
    rt_info_ = changed.rt_info_;
    constants_limit_ = changed.constants_limit_;
}

std::vector<NodePtr> Graph::ordered_nodes() const {
    Sorter sorter;
    for (const auto& node : parameters_) sorter.add(node);
    for (const auto& group : {&sinks_, &results_}) {
        for (const auto& node : *group) {
            for (const auto& source : node->inputs()) sorter.add(source.node_ptr());
        }
    }
    for (const auto& node : sinks_) sorter.add(node);
    for (const auto& node : results_) sorter.add(node);
    return sorter.take();
}

void Graph::validate() {
    for (const auto& node : ordered_nodes()) node->validate();
}

std::shared_ptr<Graph> Graph::clone() const {
    std::unordered_map<const Node*, NodePtr> copies;
    for (const auto& node : ordered_nodes()) {
        std::vector<Output> inputs;
        for (const auto& source : node->inputs()) {
            inputs.emplace_back(copies.at(&source.node()), source.index());
        }
        auto copy = node->clone_with(std::move(inputs));
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            copy->output(i).set_names(node->output(i).names());
        }
        copies.emplace(node.get(), std::move(copy));
    }
    const auto mapped = [&](const std::vector<NodePtr>& nodes) {
        std::vector<NodePtr> result;
        for (const auto& node : nodes) result.push_back(copies.at(node.get()));
        return result;
    };
    auto result =
        std::make_shared<Graph>(name_, mapped(parameters_), mapped(results_), mapped(sinks_));
    result->rt_info_ = rt_info_;
    result->constants_limit_ = constants_limit_;
    return result;
}

void for_each_graph(const Graph& graph, FunctionRef<void(const Graph&)> visit) {
    visit(graph);
    for (const auto& node : graph.ordered_nodes()) {
        for (const GraphPtr& body : node->bodies()) {
            for_each_graph(static_cast<const Graph&>(*body), visit);
        }
    }
}

void for_each_graph(Graph& graph, FunctionRef<void(Graph&)> visit) {
    visit(graph);
    for (const auto& node : graph.ordered_nodes()) {
        for (const GraphPtr& body : node->bodies()) for_each_graph(*body, visit);
    }
}

}  // namespace rondo
