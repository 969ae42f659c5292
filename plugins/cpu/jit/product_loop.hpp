// Emits the loop over k that every product runs in, and the products that add to a tile's sums.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "plugins/cpu/jit/product_math.hpp"
#include "plugins/cpu/jit/tile_shape.hpp"

namespace rondo::cpu::jit {

/// One of the products that a loop over k computes. It holds its registers while it lives.
class LoopProduct {
public:
    virtual ~LoopProduct() = default;

    /// The products of step k + offset; `k`: a register.
    virtual void emit_step(const Xbyak::Reg64& k, int offset) = 0;
    /// Moves the pointers that k isn't added to.
    virtual void emit_advance(int steps) = 0;
};

/// Emits `while (k < limit)` around the steps of `products`: most steps in groups, the rest one by
/// one. `k` and `limit` are registers; `limit` keeps its value.
void emit_product_loop(JitBase& code, const Xbyak::Reg64& k, const Xbyak::Reg64& limit,
                       std::initializer_list<LoopProduct*> products);

/// rows[r][k] * vector i of the weights at k, for all r and i, into accumulators [row][i]. Of
/// integers each plane of a row meets each plane of a vector; accumulators are [row][i][sum], or,
/// of kBf16, [row][i][the sum so far, even, odd].
class TileProduct : public LoopProduct {
public:
    TileProduct(JitBase& code, const WeightFormat& format, const TileShape& shape,
                const std::vector<Lease>& accumulators)
        : code_(code), math_(code, format), shape_(shape), accumulators_(accumulators) {}

    void emit_step(const Xbyak::Reg64& k, int offset) override;
    /// Adds the chains of kBf16 to the sums so far, and starts them again.
    void emit_join();

protected:
    /// Points to the rows, an array at `offset` in the arguments.
    void take_rows(const char* role, std::size_t offset);
    /// Vector `i` of step k, counted over the panels and planes; `offset` steps after the
    /// pointers.
    virtual Xbyak::Address weight(int offset, int i) const = 0;

    JitBase& code_;
    const ProductMath math_;
    const TileShape shape_;

private:
    /// Scalars of a step, [row][plane], and vectors of weights, [i][plane].
    int values() const { return shape_.rows * math_.format().row_planes(); }
    int across() const { return shape_.panels * shape_.vectors * math_.format().weight_planes(); }
    void emit_apart(const Xbyak::Reg64& k, int offset);
    void emit_pairs(const Xbyak::Reg64& k, int offset);
    /// Where the product of such a scalar and such a vector is added.
    Xbyak::Xmm accumulator(int value, int i) const;
    Xbyak::Address value(const Xbyak::Reg64& k, int offset, int index) const;

    const std::vector<Lease>& accumulators_;
    std::vector<Lease> rows_;
};

/// The tile's own product: panels [k][vectors], each with a pointer of its own.
class PanelProduct final : public TileProduct {
public:
    /// `prefetch`: with TileArgs::prefetched, where the shape allows it.
    PanelProduct(JitBase& code, const WeightFormat& format, const TileShape& shape,
                 const std::vector<Lease>& accumulators, bool prefetch);

    void emit_step(const Xbyak::Reg64& k, int offset) override;
    void emit_advance(int steps) override;

private:
    Xbyak::Address weight(int offset, int i) const override;
    void emit_prefetch(int offset);
    int vectors_of_step() const { return shape_.vectors * math_.format().weight_planes(); }

    std::vector<Lease> panels_;
    Lease prefetched_;  // empty where the tile prefetches nothing
};

/// The fused input: a panel for each vector, all reached from one pointer, since their distances
/// are known.
class FusedInputProduct final : public TileProduct {
public:
    /// Also emits what the chains start from.
    FusedInputProduct(JitBase& code, const WeightFormat& format, const TileShape& shape,
                      const FusedInputLayout& layout, const std::vector<Lease>& accumulators);

    void emit_advance(int steps) override;

private:
    Xbyak::Address weight(int offset, int i) const override;
    int panel_of(int i) const { return i / shape_.vectors * layout_.stride + i % shape_.vectors; }

    const FusedInputLayout layout_;
    Lease panels_;
};

/// Whether code can look ahead: it needs 16 vector registers beside those of the tile, and
/// operands that are broadcast from memory.
bool can_look_ahead(Isa isa, const WeightFormat& format);

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
