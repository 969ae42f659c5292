// Reads some of the states of a loop as those of one cell.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "transformations/cells/cell_formula.hpp"
#include "transformations/recurrent/loop_run.hpp"

namespace rondo::passes {

/// A value that goes round, which a cell has as a state.
struct LoopState {
    Output first;  ///< around the loop
    Output now;    ///< in the body: the parameter
    Output next;   ///< in the body
    Output taken;  ///< the same without a mask: what the cell computes
    Output reset;  ///< around the loop: what a mask makes of it, rather than keep it; or empty
};

/// What a cell reads in each step: a part of a tensor, or what another cell has just computed.
struct CellSource {
    StepInput part;                   ///< its tensor is empty where there is a cell
    std::optional<std::size_t> cell;  ///< by number
    friend bool operator==(const CellSource&, const CellSource&) = default;
};

struct LoopCell {
    CellFormula formula;
    std::vector<CellSource> inputs;   ///< by the formula's numbers
    std::vector<std::size_t> states;  ///< of the loop, by the formula's numbers

    /// The state that is the cell's output.
    std::size_t hidden() const { return states[formula.hidden_state]; }
};

/// The cell whose states are these ones of the loop, in this order; it may read the outputs of
/// `before`. Nothing where they are no cell's; `why`, if it isn't null, then says what kept them
/// from it.
std::optional<LoopCell> read_loop_cell(const LoopRun& run, std::span<const LoopState> loop_states,
                                       std::vector<std::size_t> states,
                                       std::span<const LoopCell> before, std::string* why);

/// The value behind views that only add and remove axes of extent 1.
Output behind_views(Output value);

/// The last extent of a shape; 0 where it isn't known.
std::size_t units_of(const PartialShape& shape);

/// The cell whose states these ones of the loop are, where an LSTMCell, GRUCell, RNNCell or a
/// sequence of one step computes them. As read_loop_cell() otherwise.
std::optional<LoopCell> read_layer_cell(const LoopRun& run, std::span<const LoopState> loop_states,
                                        const std::vector<std::size_t>& states,
                                        std::span<const LoopCell> before);

}  // namespace rondo::passes
