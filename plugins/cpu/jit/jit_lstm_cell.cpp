// The update of an LSTM: C' = f C + i c~, H' = o h(C'); gates fico.
#include <cstddef>

#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"

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

}  // namespace rondo::cpu::jit
