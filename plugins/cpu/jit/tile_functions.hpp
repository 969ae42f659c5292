// Generates the inner loop of every product: a few rows times a few panels, sums in registers.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/tile_shape.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"

namespace rondo::cpu::jit {

/// What the functions of one generator compute.
struct TileRequest {
    WeightFormat weights;     ///< of the panels
    int vectors = 1;          ///< of a panel
    bool look_ahead = false;  ///< with look-ahead functions, where registers suffice
    bool prefetch = false;    ///< tiles read TileArgs::prefetched, see prefetches()
    int finish_rows = 0;      ///< up to which functions that finish sums are made
    FusedInputLayout input;   ///< k > 0: with fused-input functions
};

/// Emits the start of a tile's sums and the use of its results.
class TileEnds {
public:
    virtual ~TileEnds() = default;

    /// Bytes of stack that emit_result() and what follows need, 64-byte aligned at rsp.
    virtual int stack_bytes() const { return 0; }

    /// acc = what the chain starts from; `start` points to the row's start.
    virtual void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                            int vector) = 0;

    /// Whether emit_between() has anything to do for this vector of a panel.
    virtual bool has_between(int /*vector*/) const { return false; }
    /// Between the fused input and the tile's own product; `start` points to the row's start.
    virtual void emit_between(const Xbyak::Xmm& /*acc*/, const Xbyak::Reg64& /*start*/,
                              int /*panel*/, int /*vector*/) {}

    /// Uses a row of accumulators, [panel][vector][shape.sums], of kBf16 the first of each vector.
    virtual void emit_result(const TileShape& shape, int row,
                             const std::vector<Lease>& accumulators) = 0;

    /// After all rows of a tile; ends with a jump or emit_exit().
    virtual void emit_end(const TileShape& shape) = 0;

    /// Instead, where TileArgs::sums holds the results of a tile of one panel.
    virtual void emit_finish() {}

    /// After all tiles: code that they share.
    virtual void emit_shared() {}
};

/// Functions of one generator, by shape. Each takes arguments that begin with a TileArgs and
/// computes, for each accumulator (row r, panel p, vector v),
///   acc = start; for k in order: acc = fma(rows[r][k], panels[p][k][v], acc).
struct TileFunctions {
    using Function = void (*)(void*);

    Function plain[kMaxTileRows + 1][kMaxTilePanels + 1] = {};  ///< [rows][panels]
    /// For one row and one or two panels, with panels of a later step's inputs in the same loop;
    /// null where there is none.
    Function look_ahead[kMaxLookAheadTilePanels + 1] = {};
    /// With a fused input: the chains start from FusedInputArgs::start and go on through the
    /// inputs, then through the rows. Up to kMaxFusedRows rows and max_fused_panels(); else null.
    Function fused[kMaxTileRows + 1][kMaxTilePanels + 1] = {};
    /// Take the accumulators from TileArgs::sums instead: products of integers that are done.
    Function finish[kMaxTileRows + 1][kMaxTilePanels + 1] = {};
    /// The same of kBf16, of one panel and up to kMaxTileRows rows.
    Function finish_floats = nullptr;
};

/// Emits functions for all shapes, then `ends.emit_shared()`, and finishes `code`.
TileFunctions generate_tiles(JitBase& code, const TileRequest& request, TileEnds& ends);

}  // namespace rondo::cpu::jit
