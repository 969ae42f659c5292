// Makes one pass's changes to a graph: makes nodes under free names, and replaces others by them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/unique_names.hpp"

namespace rondo::passes {

/// Lives as long as one run of a pass. Keeps names unique, and the names that users know (of
/// inputs, outputs and the producers of outputs) where users find them.
class Rewriter {
public:
    explicit Rewriter(Graph& graph);

    /// True once something was replaced.
    bool changed() const { return changed_; }

    /// Calls `visit(std::shared_ptr<T>)` for each node of that type, producers first, leaving out
    /// those that fell out of the graph on the way.
    template <typename T, typename Visit>
    void for_each(Visit&& visit) {
        for (const auto& node : graph_.ordered_nodes()) {
            if (dead_.contains(node)) continue;
            if (const auto op = as<T>(node)) visit(op);
        }
    }

    /// A new, validated node. It is named `name`, with a number appended if that is taken.
    template <typename T, typename... Args>
    std::shared_ptr<T> make(const std::string& name, Args&&... args) {
        auto node = make_node<T>(std::forward<Args>(args)...);
        adopt(*node, name);
        return node;
    }
    /// Names a new node so.
    void adopt(Node& node, const std::string& name);
    /// An i64 constant of rank 1.
    Output make_ints(const std::string& name, const std::vector<std::int64_t>& values);
    /// A constant that holds `value`.
    Output make_constant(const std::string& name, Tensor value);
    /// A constant of rank 0 and of T's element type.
    template <typename T>
    Output make_scalar(const std::string& name, T value) {
        Tensor scalar(element_type_of<T>(), {});
        *scalar.data<T>() = value;
        return make_constant(name, std::move(scalar));
    }
    /// The same op on other inputs.
    NodePtr clone(const Node& node, std::vector<Output> inputs);

    /// False where the replacement would take an output of the model its own name: the old port
    /// feeds a Result, and the new one is an input of the model or feeds another Result.
    bool can_replace(const Output& old, const Output& by) const;
    /// Makes all consumers read `by`. A node made here takes the old one's name, tensor names and
    /// run-time information; an older node takes them if a Result now reads it. New nodes above
    /// `by` get the origin of the old node. What only the old node needed falls out of the graph.
    /// Check can_replace() before.
    void replace(const Output& old, const Output& by);
    /// Gives `made`, a new node, the name of one whose work it does, if that fell out of the graph.
    void inherit_name(const NodePtr& old, Node& made) const;

private:
    bool feeds_result(const Output& output) const;
    bool any_output_feeds_result(const Node& node) const;
    void move_results(const Output& old, const Output& by);
    void hand_over_origin(const Node& old, const Output& by);
    void hand_over_names(const Output& old, const Output& by);
    void drop_if_unused(NodePtr node);
    bool is_kept(const Node& node) const;

    Graph& graph_;
    UniqueNames names_{2};
    std::unordered_set<const Node*> fresh_;
    std::unordered_set<const Node*> sinks_;
    // The ports that Results read, by their nodes.
    std::unordered_map<const Node*, std::set<std::size_t>> result_ports_;
    std::unordered_set<NodePtr> dead_;
    bool changed_ = false;
};

}  // namespace rondo::passes
