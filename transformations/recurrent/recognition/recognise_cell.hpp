// LSTM, GRU and RNN cells with their weights, recognised in the formulas of a step.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/tensor.hpp"
#include "transformations/recurrent/recognition/gate_algebra.hpp"

namespace rondo::passes {

/// A cell with its weights in the IR's form, of one direction.
struct CellFormula {
    ops::CellType type = ops::CellType::lstm;
    ops::RecurrentAttributes attributes;  ///< without a direction
    std::size_t hidden_state = 0;         ///< which state is H
    std::size_t cell_state = 0;           ///< which state is C; LSTM only
    std::vector<std::size_t> inputs;      ///< numbers of the inputs that make X, side by side
    std::vector<std::size_t> input_sizes;
    Tensor w, r, b;  ///< [1,G*H,I], [1,G*H,H], [1,B*H]
    Tensor p;        ///< [1,3H] where there are peepholes

    bool is_lstm() const { return type == ops::CellType::lstm; }
};

/// The cell whose next states are `next`, one formula a state: of two states an LSTM, of one a GRU
/// or RNN. Nothing for what isn't one of them.
std::optional<CellFormula> recognise_cell(const GateAlgebra& algebra,
                                          const std::vector<GateFormula>& next);

/// Gives the attributes the names and parameters of functions, in the IR's form.
void set_activations(ops::RecurrentAttributes& attributes,
                     const std::vector<ops::ActivationFunction>& functions);

}  // namespace rondo::passes
