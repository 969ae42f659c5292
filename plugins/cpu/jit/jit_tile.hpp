// The inner loop of every product: a few rows times a few panels, accumulators in registers.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/tile_shape.hpp"

namespace rondo::cpu::jit {

/// What generated tiles read; strides count bytes. Pointers are to the tile's first panel or unit.
struct TileArgs {
    std::int64_t k;
    std::int64_t panel_stride;
    const float* panels;
    const float* rows[kMaxTileRows];   ///< left-hand side: k floats each
    const float* start[kMaxTileRows];  ///< what the chains start from
};

/// Emits, for each accumulator (row r, panel p, vector v):
///   acc = start; for k in order: acc = fma(rows[r][k], panels[p][k][v], acc).
class JitTile : public JitBase {
public:
    using Function = void (*)(void*);

    JitTile(Isa isa, std::string name, int vectors);

    /// Code for all shapes. Called once, by the maker.
    void generate();

    Function function(int rows, int panels) const { return functions_[rows][panels]; }
    int vectors() const { return vectors_; }

protected:
    /// Bytes of stack that store_result() and what follows need, 64-byte aligned at rsp.
    virtual int stack_bytes() const { return 0; }

    /// acc = what the chain starts from; `start` points to the row's start.
    virtual void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                            int vector);

    /// What becomes of a row of accumulators, [panel][vector].
    virtual void emit_result(const TileShape& shape, int row,
                             const std::vector<Lease>& accumulators) = 0;

    /// After all rows of a tile; ends with a jump or emit_exit().
    virtual void emit_end(const TileShape& shape) = 0;

    /// After all tiles: code that they share.
    virtual void emit_shared() {}

    const int vectors_;

private:
    struct Pointers;
    void emit_tile(const TileShape& shape);
    void emit_starts(const TileShape& shape, const std::vector<Lease>& accumulators);
    void emit_products(const TileShape& shape, const std::vector<Lease>& accumulators);
    void emit_loop(const TileShape& shape, const Pointers& at, int unroll,
                   const std::vector<Lease>& accumulators);
    void emit_k(const TileShape& shape, const Pointers& at, int k,
                const std::vector<Lease>& accumulators);

    Function functions_[kMaxTileRows + 1][kMaxTilePanels + 1] = {};
};

}  // namespace rondo::cpu::jit
