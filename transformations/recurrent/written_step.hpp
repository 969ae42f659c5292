// Finds the arithmetic of a recurrent step that stands alone.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/graph/node.hpp"
#include "transformations/cells/cell_formula.hpp"

namespace rondo::passes {

/// A cell that is written out once. Values have their rows in one axis and their units in the last.
struct WrittenStep {
    CellFormula cell;
    std::vector<Output> inputs;    ///< by the formula's numbers
    std::vector<Output> now;       ///< states before, by number
    std::vector<Output> next;      ///< states after it
    std::set<const Node*> inside;  ///< all that is computed for it
    bool joins_rows = false;       ///< whether a Concat has inputs and H side by side
    bool joins_some = false;       ///< whether some inputs stand beside no H
    bool moves_rows = false;       ///< whether a view changes the axes that hold rows
};

/// The step by which a value is the next H; nothing where it isn't that of an LSTM, GRU or RNN
/// cell, or where something else reads what lies inside of the step.
std::optional<WrittenStep> read_written_step(const Output& hidden);

}  // namespace rondo::passes
