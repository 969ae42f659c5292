// Finds the states that the elements of an input go to, and those that an output's come from.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// A place in the graph that holds a state from one step to the next.
struct StateUse {
    enum class Kind {
        state,  ///< H or C of a recurrent op, or a loop-carried value of a TensorIterator
        window  ///< rows that a Concat puts before new ones
    };
    const Node* op = nullptr;
    Kind kind = Kind::state;
    std::size_t last = 0;  ///< which state: as in OpState

    friend auto operator<=>(const StateUse&, const StateUse&) = default;
};

using StateUses = std::set<StateUse>;

/// Where the elements of a graph's input go as they are, only moved or converted: to initial states
/// of recurrent ops and TensorIterators, and into Concats before other rows; also in the branches
/// of an If. None for an input over whose elements a layer or loop also walks: it is data.
StateUses uses_of_input(const Output& input);

/// Where the elements of a graph's output come from as they are: last states of recurrent ops and
/// TensorIterators, and Concats of which a part along their axis was taken, or of an operand of
/// such a one.
StateUses uses_of_output(const Graph& graph, const Output& output);

// Finds states of recurrent cells that are written out op by op.

/// The states of one LSTM or GRU cell that an input of the graph holds as its parts: H of both, and
/// C of an LSTM. The graph doesn't change while it lives.
class MatchedCell {
public:
    MatchedCell(const Graph& graph, const Output& input);

    /// True where the output holds the next states in the same order. The cell's X depends on none
    /// of them.
    bool ends_in(const Output& output);

private:
    bool is_cell(const std::vector<Output>& next) const;

    const Graph& graph_;
    const Node& parameter_;
    std::vector<Output> states_;
    std::optional<std::set<const Node*>> behind_;  ///< nodes that depend on them, once asked for
};

}  // namespace rondo::passes
