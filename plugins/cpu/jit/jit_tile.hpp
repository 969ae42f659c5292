// The inner loop of every product: a few rows times a few panels, accumulators in registers.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/tile_shape.hpp"
#include "plugins/cpu/kernels/cell/cell_kernel.hpp"

namespace rondo::cpu::jit {

/// kSidePanels panels of another product that a tile computes on the side: kSideRows rows of K
/// scalars, with strides in bytes.
struct SideTileArgs {
    std::int64_t k;
    const void* panel;
    std::int64_t panel_stride;
    const void* start;  ///< a vector for each panel, the same for all rows
    const void* rows;
    std::int64_t row_stride;
    void* out;
    std::int64_t out_stride;
};

/// A product ahead of the tile's own, into the same accumulators.
struct InputTileArgs {
    const void* panels;              ///< at the tile's first; one for each vector
    const void* start;               ///< what the chains of all rows start from
    const void* rows[kMaxTileRows];  ///< left-hand side: as many scalars each as the code says
};

/// Where a product of inputs finds what a tile needs of it: vector v of panel p of the tile is
/// panel p * stride + v of the inputs'.
struct InputLayout {
    std::int64_t k = 0;
    int stride = 1;
};

/// What generated tiles read; strides count bytes. Pointers are to the tile's first panel or unit.
struct TileArgs {
    std::int64_t k;
    std::int64_t panel_stride;
    const void* panels;
    const void* rows[kMaxTileRows];  ///< left-hand side: k scalars each
    /// What the chains start from; joint functions may put sums of the inputs there instead.
    const void* start[kMaxTileRows];
    const void* prefetched;  ///< k * kPrefetchedBytes that a later tile needs
    SideTileArgs side;       ///< read by side functions alone
    InputTileArgs input;     ///< read by joint functions alone
};

/// Emits, for each accumulator (row r, panel p, vector v):
///   acc = start; for k in order: acc = fma(rows[r][k], panels[p][k][v], acc).
/// Scalars are f64 where the panels are, else f32; panels of f16 and bf16 are widened on the way.
class JitTile : public JitBase {
public:
    using Function = void (*)(void*);

    /// `with_side`: with side functions, where registers suffice.
    JitTile(Isa isa, ElementType weights, std::string name, int vectors, bool with_side = false);

    /// With joint functions too; called before generate().
    void add_inputs(const InputLayout& inputs) { inputs_ = inputs; }

    /// Code for all shapes. Called once, by the maker.
    void generate();

    Function function(int rows, int panels) const { return functions_[rows][panels]; }
    /// The same for one row and one or two panels, with a panel of another product on the side;
    /// null where there is none.
    Function side_function(int panels) const { return side_functions_[panels]; }
    /// The same with a product of inputs ahead: the chains start from InputTileArgs::start and go
    /// on through the inputs, then through the rows. Up to kMostJointRows and max_joint_panels();
    /// else, and without add_inputs(), null.
    Function joint_function(int rows, int panels) const { return joint_functions_[rows][panels]; }
    int vectors() const { return vectors_; }

protected:
    /// Bytes of stack that store_result() and what follows need, 64-byte aligned at rsp.
    virtual int stack_bytes() const { return 0; }

    /// acc = what the chain starts from; `start` points to the row's start.
    virtual void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                            int vector);

    /// Whether emit_between() has anything to do for this vector of a panel.
    virtual bool parts(int /*vector*/) const { return false; }

    /// Between the product of inputs and the tile's own; `start` points to the row's start.
    virtual void emit_between(const Xbyak::Xmm& /*acc*/, const Xbyak::Reg64& /*start*/,
                              int /*panel*/, int /*vector*/) {}

    /// What becomes of a row of accumulators, [panel][vector].
    virtual void emit_result(const TileShape& shape, int row,
                             const std::vector<Lease>& accumulators) = 0;

    /// After all rows of a tile; ends with a jump or emit_exit().
    virtual void emit_end(const TileShape& shape) = 0;

    /// After all tiles: code that they share.
    virtual void emit_shared() {}

    Precision precision() const { return precision_of(weights_); }
    int scalar_bytes() const { return static_cast<int>(bytes_of(precision())); }
    /// Scalars in a vector register.
    int scalars() const { return vector_bytes() / scalar_bytes(); }

    const int vectors_;

private:
    struct Pointers;
    bool widens() const { return size_of(weights_) == 2; }
    int panel_vector_bytes() const { return scalars() * static_cast<int>(size_of(weights_)); }
    Xbyak::Address weight(const Pointers& at, int k, int i) const;
    Xbyak::Address value(const Pointers& at, int k, int row) const;
    void emit_broadcast(const Xbyak::Xmm& to, const Xbyak::Address& scalar);
    void emit_load_weights(const Xbyak::Xmm& to, const Xbyak::Address& weights);
    void emit_fma(const Xbyak::Xmm& sum, const Xbyak::Xmm& a, const Xbyak::Operand& b);
    enum class Side { without, with, alone };
    void emit_tile(const TileShape& shape, Side side, bool joint = false);
    template <typename Emit>
    void for_each_start(const TileShape& shape, const std::vector<Lease>& accumulators, Emit emit);
    void emit_inputs(const TileShape& shape, const std::vector<Lease>& accumulators);
    void emit_products(const TileShape& shape, const std::vector<Lease>& accumulators, Side side);
    void emit_pointers(const TileShape& shape, Pointers& at);
    void emit_loops(const TileShape& shape, const Pointers& at, Side side,
                    const std::vector<Lease>& accumulators);
    void emit_loop(const TileShape& shape, const Pointers& at, Side side, int unroll,
                   const std::vector<Lease>& accumulators);
    void emit_prefetch(const Pointers& at, int k);
    void emit_side_starts(Pointers& at);
    void emit_side_k(const Pointers& at, int k);
    void emit_side_results(const Pointers& at);
    Xbyak::RegExp side_row(const Pointers& at, int row) const;
    void emit_k(const TileShape& shape, const Pointers& at, int k,
                const std::vector<Lease>& accumulators);

    ElementType weights_;
    bool with_side_;
    Function functions_[kMaxTileRows + 1][kMaxTilePanels + 1] = {};
    Function side_functions_[kMaxSidePanels + 1] = {};
    Function joint_functions_[kMaxTileRows + 1][kMaxTilePanels + 1] = {};
    InputLayout inputs_;
};

}  // namespace rondo::cpu::jit
