// One step of a recurrent cell for one row, in double: the reference for every kernel.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::reference {

/// A cell of one direction. W: [G*H,I], R: [G*H,H], B: [G*H] ([4H] for GRU with
/// linear_before_reset), P: [3H] or null; borrowed. Gate orders as in RecurrentOp.
struct RecurrentCell {
    ops::CellType type = ops::CellType::lstm;
    std::size_t input_size = 0;
    std::size_t hidden_size = 0;
    std::vector<ops::ActivationFunction> functions;
    double clip = 0;
    bool linear_before_reset = false;
    bool input_forget = false;
    const double* w = nullptr;
    const double* r = nullptr;
    const double* b = nullptr;
    const double* p = nullptr;
};

/// x: [I]; h: [H] and, for LSTM, c: [H] are replaced by the next state.
void step(const RecurrentCell& cell, const double* x, double* h, double* c);

}  // namespace rondo::reference
