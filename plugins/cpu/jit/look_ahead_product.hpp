// The product of later inputs that a step of one row computes in the loop of its own product.
#pragma once

#include <vector>

#include "plugins/cpu/jit/product_loop.hpp"

namespace rondo::cpu::jit {

/// Whether code can look ahead: it needs 16 vector registers beside those of the tile, and
/// operands that are broadcast from memory.
bool can_look_ahead(Isa isa, ElementType weights);

/// kLookAheadSteps rows times kLookAheadPanels panels of one vector each; LookAheadArgs.
class LookAheadProduct final : public LoopProduct {
public:
    /// Also emits what the sums start from.
    explicit LookAheadProduct(JitBase& code);

    void emit_step(const Xbyak::Reg64& k, int offset) override;
    void emit_advance(int steps) override;
    /// Stores the sums; after the loop.
    void emit_results();

private:
    void load(Lease& to, const char* role, std::size_t member);
    Xbyak::RegExp row_address(int row) const;

    JitBase& code_;
    const ProductMath math_;
    Lease panels_[kLookAheadPanels];
    Lease row_0_, row_4_, stride_, stride_3_;  // rows 0 and 4; once and three times the stride
    std::vector<Lease> sums_;                  // [row][panel]
};

}  // namespace rondo::cpu::jit
