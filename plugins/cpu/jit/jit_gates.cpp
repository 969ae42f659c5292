// The updates of the cells. LSTM: C' = f C + i c~, H' = o h(C'), gates fico; both kinds of GRU,
// gates zrh; a plain RNN: H' = f(x W + H R + b).
#include <cstddef>
#include <utility>

#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"
#include "plugins/cpu/kernels/math/function_math.hpp"

namespace rondo::cpu::jit {

void emit_lstm_update(CellCode& code, BundleOps& ops) {
    math::LstmInput<Bundle> in;
    in.f = code.product(0);
    in.i = code.product(1);
    in.c = code.product(2);
    in.o = code.product(3);
    in.cell_state = code.state(ops, offsetof(CellTileArgs, c));
    if (code.config().peephole) {
        in.peephole_f = code.peephole(0);
        in.peephole_i = code.peephole(1);
        in.peephole_o = code.peephole(2);
    }
    const auto out = math::lstm_update(ops, code.config(), std::move(in));
    code.store_state(offsetof(CellTileArgs, c), out.cell_state);
    code.store_hidden(out.hidden);
}

// Phase 0: z = f(.), r = f(.); keeps z and r H.
void emit_gru_gates_update(CellCode& code, BundleOps& ops) {
    const CellConfig& cell = code.config();
    const Bundle z = math::gate(ops, cell, cell.f, ops.load(code.product(0)));
    code.store_state(offsetof(CellTileArgs, update_gate), ops.load(z));
    Bundle sum = ops.load(code.product(cell.reset == ResetSum::own ? 1 : 0));
    if (cell.reset == ResetSum::negative_of_z) sum = math::negative(ops, std::move(sum));
    Bundle r = math::gate(ops, cell, cell.f, std::move(sum));
    const Bundle reset = ops.mul(std::move(r), code.state(ops, offsetof(CellTileArgs, h_prev)));
    code.store_state(offsetof(CellTileArgs, reset_hidden), reset);
}

// Phase 1: h~ = g(x Wh + (r H) Rh + bh), H' = (1 - z) h~ + z H.
void emit_gru_candidate_update(CellCode& code, BundleOps& ops) {
    const CellConfig& cell = code.config();
    Bundle candidate = math::gate(ops, cell, cell.g, ops.load(code.product(0)));
    Bundle z = code.state(ops, offsetof(CellTileArgs, update_gate));
    code.store_hidden(math::gru_blend(ops, std::move(z), std::move(candidate),
                                      code.state(ops, offsetof(CellTileArgs, h_prev))));
}

// h~ = g(x Wh + Wbh + r (H Rh + Rbh)): product 2 is H Rh + Rbh.
void emit_gru_linear_update(CellCode& code, BundleOps& ops) {
    const CellConfig& cell = code.config();
    Bundle z = math::gate(ops, cell, cell.f, ops.load(code.product(0)));
    Bundle r = math::gate(ops, cell, cell.f, ops.load(code.product(1)));
    Bundle inside = ops.fma(std::move(r), code.product(2), code.projected(2));
    Bundle candidate = math::gate(ops, cell, cell.g, std::move(inside));
    code.store_hidden(math::gru_blend(ops, std::move(z), std::move(candidate),
                                      code.state(ops, offsetof(CellTileArgs, h_prev))));
}

void emit_rnn_update(CellCode& code, BundleOps& ops) {
    const CellConfig& cell = code.config();
    code.store_hidden(ops.load(math::gate(ops, cell, cell.f, ops.load(code.product(0)))));
}

}  // namespace rondo::cpu::jit
