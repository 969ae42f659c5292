// The update of a plain RNN: H' = f(x W + H R + b).
#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"

namespace rondo::cpu::jit {

void emit_rnn_update(CellCode& code, BundleOps& ops) {
    const CellConfig& cell = code.config();
    code.store_hidden(ops.load(math::gate(ops, cell, cell.f, ops.load(code.product(0)))));
}

}  // namespace rondo::cpu::jit
