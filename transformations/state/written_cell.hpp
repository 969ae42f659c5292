// Finds states of recurrent cells that are written out op by op.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The states of one LSTM or GRU cell that an input of the graph holds as its parts: H of both, and
/// C of an LSTM. The graph doesn't change while it lives.
class WrittenCell {
public:
    WrittenCell(const Graph& graph, const Node& parameter);

    /// True where the output holds the next states in the same order. The cell's X depends on none
    /// of them.
    bool ends_in(const Node& result);

private:
    const Graph& graph_;
    const Node& parameter_;
    std::vector<Output> states_;
    std::optional<std::set<const Node*>> behind_;  ///< nodes that depend on them, once asked for
};

}  // namespace rondo::passes
