#include <cstddef>

#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"

namespace rondo::cpu::jit {
namespace {

// Phase 0: z = f(.), r = f(.); keeps z and r H. Gates zr.
class GruGatesCode final : public CellCode {
public:
    GruGatesCode(Isa isa, const CellConfig& config) : CellCode(isa, config, "_zr", 2) {}

private:
    void emit_update(BundleOps& ops) override {
        const Bundle z = math::gate(ops, config_, config_.f, ops.load(product(0)));
        store_state(offsetof(CellTileArgs, update_gate), ops.load(z));
        Bundle r = math::gate(ops, config_, config_.f, ops.load(product(1)));
        const Bundle reset = ops.mul(std::move(r), state(ops, offsetof(CellTileArgs, h_prev)));
        store_state(offsetof(CellTileArgs, reset_hidden), reset);
    }
};

// Phase 1: h~ = g(x Wh + (r H) Rh + bh), H' = (1 - z) h~ + z H.
class GruCandidateCode final : public CellCode {
public:
    GruCandidateCode(Isa isa, const CellConfig& config) : CellCode(isa, config, "_h", 1, false) {}

private:
    void emit_update(BundleOps& ops) override {
        Bundle candidate = math::gate(ops, config_, config_.g, ops.load(product(0)));
        Bundle z = state(ops, offsetof(CellTileArgs, update_gate));
        store_hidden(math::gru_blend(ops, std::move(z), std::move(candidate),
                                     state(ops, offsetof(CellTileArgs, h_prev))));
    }
};

// h~ = g(x Wh + Wbh + r (H Rh + Rbh)): the third chain starts from Rbh and meets the projected
// input after its end. Gates zrh.
class GruLinearCode final : public CellCode {
public:
    GruLinearCode(Isa isa, const CellConfig& config) : CellCode(isa, config, "", 3) {}

private:
    static constexpr int kCandidate = 2;

    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                    int vector) override {
        if (vector != kCandidate) return CellCode::emit_start(acc, start, panel, vector);
        const Lease bias = take_gpr("recurrent bias");
        mov(gpr(bias), ptr[args_ + offsetof(CellTileArgs, recurrent_bias)]);
        vmovups(acc, ptr[gpr(bias) + panel * vector_bytes()]);
    }

    bool parts(int vector) const override { return vector == kCandidate; }

    void emit_between(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                      int vector) override {
        vmovups(ptr[start + panel * projected_block_bytes() + vector * vector_bytes()], acc);
        emit_start(acc, start, panel, vector);
    }

    void emit_update(BundleOps& ops) override {
        Bundle z = math::gate(ops, config_, config_.f, ops.load(product(0)));
        Bundle r = math::gate(ops, config_, config_.f, ops.load(product(1)));
        Bundle inside = ops.fma(std::move(r), product(kCandidate), projected(kCandidate));
        Bundle candidate = math::gate(ops, config_, config_.g, std::move(inside));
        store_hidden(math::gru_blend(ops, std::move(z), std::move(candidate),
                                     state(ops, offsetof(CellTileArgs, h_prev))));
    }
};

}  // namespace

std::vector<JitCell::Phase> gru_phases(Isa isa, const CellConfig& config) {
    std::vector<JitCell::Phase> phases;
    phases.push_back({std::make_unique<GruGatesCode>(isa, config), 0});
    phases.push_back({std::make_unique<GruCandidateCode>(isa, config), 2});
    return phases;
}

std::vector<JitCell::Phase> gru_linear_phases(Isa isa, const CellConfig& config) {
    std::vector<JitCell::Phase> phases;
    phases.push_back({std::make_unique<GruLinearCode>(isa, config), 0});
    return phases;
}

}  // namespace rondo::cpu::jit
