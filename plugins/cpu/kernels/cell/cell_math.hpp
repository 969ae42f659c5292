// What happens after the dot products of a cell: one sequence of operations for every width.
#pragma once

#include <utility>

#include "plugins/cpu/kernels/cell/cell_config.hpp"
#include "plugins/cpu/kernels/math/vector_math.hpp"

namespace rondo::cpu::math {

/// Pre-activation bounded to [-clip, clip] where the cell has a clip.
template <typename Ops>
typename Ops::Value clipped(Ops& o, const CellConfig& cell, typename Ops::Value x) {
    if (cell.clip == 0.0f) return x;
    return bound(o, std::move(x), -cell.clip, cell.clip);
}

/// `function` of the clipped pre-activation.
template <typename Ops>
typename Ops::Value gate(Ops& o, const CellConfig& cell, const Activation& function,
                         typename Ops::Value x) {
    return activate(o, function, clipped(o, cell, std::move(x)));
}

/// One vector of hidden units: pre-activations, old cell state, peepholes (used where the cell has
/// them).
template <typename Value>
struct LstmInput {
    Value f, i, c, o;
    Value cell_state;
    Value peephole_f, peephole_i, peephole_o;
};

template <typename Value>
struct LstmOutput {
    Value cell_state, hidden;
};

/// i = F(i + Pi C), f = F(f + Pf C) or 1 - i, C' = f C + (i G(c)), H' = F(o + Po C') h(C').
template <typename Ops>
LstmOutput<typename Ops::Value> lstm_update(Ops& op, const CellConfig& cell,
                                            LstmInput<typename Ops::Value> in) {
    auto& old = in.cell_state;
    if (cell.peephole) in.i = op.fma(std::move(in.peephole_i), old, std::move(in.i));
    auto i = gate(op, cell, cell.f, std::move(in.i));
    auto candidate = gate(op, cell, cell.g, std::move(in.c));
    auto added = op.mul(i, std::move(candidate));
    auto f = op.constant(0.0);
    if (cell.input_forget) {
        f = op.sub(op.constant(1.0), std::move(i));
    } else {
        if (cell.peephole) in.f = op.fma(std::move(in.peephole_f), old, std::move(in.f));
        f = gate(op, cell, cell.f, std::move(in.f));
    }
    auto state = op.fma(std::move(f), std::move(old), std::move(added));
    if (cell.peephole) in.o = op.fma(std::move(in.peephole_o), state, std::move(in.o));
    auto o = gate(op, cell, cell.f, std::move(in.o));
    auto hidden = op.mul(std::move(o), activate(op, cell.h, state));
    return {std::move(state), std::move(hidden)};
}

/// H' = (1 - z) h~ + z H; z = 1 keeps H to the bit.
template <typename Ops>
typename Ops::Value gru_blend(Ops& o, typename Ops::Value z, typename Ops::Value candidate,
                              typename Ops::Value hidden) {
    auto rest = o.mul(o.sub(o.constant(1.0), z), std::move(candidate));
    return o.fma(std::move(z), std::move(hidden), std::move(rest));
}

}  // namespace rondo::cpu::math
