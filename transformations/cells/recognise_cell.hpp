// Recognises LSTM, GRU and RNN cells in the formulas of a step.
#pragma once

#include <optional>
#include <vector>

#include "transformations/cells/cell_formula.hpp"
#include "transformations/cells/gate_algebra.hpp"

namespace rondo::passes {

/// The cell whose next states are `next`, one formula a state: of two states an LSTM, of one a GRU
/// or RNN. Nothing for what isn't one of them.
std::optional<CellFormula> recognise_cell(const GateAlgebra& algebra,
                                          const std::vector<GateFormula>& next);

}  // namespace rondo::passes
