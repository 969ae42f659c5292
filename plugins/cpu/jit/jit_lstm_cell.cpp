#include <cstddef>

#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"

namespace rondo::cpu::jit {
namespace {

// C' = f C + i c~, H' = o h(C'); gates fico.
class LstmCode final : public CellCode {
public:
    LstmCode(Isa isa, const CellConfig& config) : CellCode(isa, config, "", 4) {}

private:
    void emit_update(BundleOps& ops) override {
        math::LstmInput<Bundle> in;
        in.f = product(0);
        in.i = product(1);
        in.c = product(2);
        in.o = product(3);
        in.cell_state = state(ops, offsetof(CellTileArgs, c));
        if (config_.peephole) {
            in.peephole_f = peephole(0);
            in.peephole_i = peephole(1);
            in.peephole_o = peephole(2);
        }
        const auto out = math::lstm_update(ops, config_, std::move(in));
        store_state(offsetof(CellTileArgs, c), out.cell_state);
        store_hidden(out.hidden);
    }
};

}  // namespace

std::vector<JitCell::Phase> lstm_phases(Isa isa, const CellConfig& config) {
    std::vector<JitCell::Phase> phases;
    phases.push_back({std::make_unique<LstmCode>(isa, config), 0});
    return phases;
}

}  // namespace rondo::cpu::jit
