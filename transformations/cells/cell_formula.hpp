// A recurrent cell with its weights.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/tensor.hpp"

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
};

}  // namespace rondo::passes
