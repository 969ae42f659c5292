// Gives the nodes of one graph, or of a body, a batch axis.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "transformations/batching/vmap/lift_forms.hpp"
#include "transformations/batching/vmap/lifted_value.hpp"

namespace rondo::passes {

/// Makes new nodes beside those of a graph, which stay as they are.
class LiftedGraph {
public:
    LiftedGraph(const Graph& graph, Rewriter& rewriter, const Dimension& batch)
        : graph_(graph), forms_(rewriter, batch) {}

    /// Sets the value that replaces the parameter's output.
    void set(const NodePtr& parameter, LiftedValue value);
    /// Goes through all other nodes. Throws UnsupportedError that names the first one that mixes
    /// rows or has no rule.
    void run();

    LiftForms& forms() { return forms_; }
    /// The value that replaces an output of one of the graph's nodes.
    LiftedValue& value(const Output& original);
    /// The assignments, in the order of the graph's.
    const std::vector<NodePtr>& sinks() const { return sinks_; }
    /// The new node takes the old one's name before all other nodes that replace it.
    void name_first(const NodePtr& old, const NodePtr& made) { first_.emplace_back(old, made); }
    /// Gives the new nodes the names and facts of the nodes that they replace. To be called once no
    /// result needs the old ones.
    void take_names();

private:
    void visit(const NodePtr& node);
    LiftedValues lifted(const NodePtr& node, const std::vector<LiftedValue*>& inputs);
    LiftedValues same_for_all(const NodePtr& node, const std::vector<LiftedValue*>& inputs);
    LiftedValue variable(const NodePtr& node, const std::vector<LiftedValue*>& inputs);
    Output first_value(const NodePtr& node, const std::vector<LiftedValue*>& inputs);
    void keep(const NodePtr& node, LiftedValues outputs);

    const Graph& graph_;
    LiftForms forms_;
    std::unordered_map<const Node*, LiftedValues> values_;
    std::vector<std::pair<NodePtr, NodePtr>> stands_for_;  // the old node, and the new one
    std::vector<std::pair<NodePtr, NodePtr>> first_;
    std::vector<NodePtr> sinks_;
};

/// The outputs of an op on inputs that have a new axis 0 where `has_rows` says so; at least one
/// has. In that axis they hold, bit for bit, what the op makes of each row. Throws UnsupportedError
/// that names the op where it mixes rows or there is no rule.
std::vector<Output> outputs_over_rows(Rewriter& rewriter, const NodePtr& node,
                                      const std::vector<bool>& has_rows,
                                      const std::vector<Output>& inputs);

/// Adds 1 to the axis of a port's chunks, which its facts name.
void move_time_axis(Node& port);

/// "[N]" in front of a shape.
PartialShape with_batch(const Dimension& batch, const PartialShape& shape);

}  // namespace rondo::passes
