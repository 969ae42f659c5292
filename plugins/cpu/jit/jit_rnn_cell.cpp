#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"

namespace rondo::cpu::jit {
namespace {

// H' = f(x W + H R + b).
class RnnCode final : public CellCode {
public:
    RnnCode(Isa isa, const CellConfig& config) : CellCode(isa, config, "", 1) {}

private:
    void emit_update(BundleOps& ops) override {
        store_hidden(ops.load(math::gate(ops, config_, config_.f, ops.load(product(0)))));
    }
};

}  // namespace

std::vector<JitCell::Phase> rnn_phases(Isa isa, const CellConfig& config) {
    std::vector<JitCell::Phase> phases;
    phases.push_back({std::make_unique<RnnCode>(isa, config), 0});
    return phases;
}

}  // namespace rondo::cpu::jit
