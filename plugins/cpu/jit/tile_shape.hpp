// How rows and panels are grouped so that accumulators fill the register file.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu::jit {

constexpr int kMaxTileRows = 8;
constexpr int kMaxTilePanels = 8;
constexpr int kMaxLookAheadTilePanels = 2;  ///< panels of a tile whose loop looks ahead
constexpr int kLookAheadPanels = 2;         ///< panels of the later inputs' product in that loop

/// A tile multiplies `rows` rows with `panels` panels of `vectors` vectors each: rows * panels *
/// vectors * sums accumulators, where products of integers have up to three sums. Enough of them
/// are in flight to hide the latency of fused multiply-adds (4 cycles, 2 a cycle); few enough that
/// operands find a register too.
struct TileShape {
    int rows = 1;
    int panels = 1;
    int vectors = 1;
    int sums = 1;  ///< see WeightFormat::sums()

    int accumulators() const { return rows * panels * vectors * sums; }
};

/// Whether a tile prefetches memory for a later one: it does enough with each weight to have time
/// for that, and has a register left.
inline bool prefetches(const TileShape& shape) { return shape.rows >= 4 && shape.panels == 1; }
constexpr int kPrefetchedBytes = 128;  ///< a step of k

/// The most accumulators of a tile: 24 of 32 or 12 of 16 registers. The rest hold one side of the
/// product and what streams past it.
inline int max_accumulators(Isa isa) { return isa == Isa::avx512 ? 24 : 12; }

/// Whether code for this shape is generated.
bool is_tile(Isa isa, const TileShape& shape);

/// The most panels of a tile with a fused input: 8, 4, 2 or 1. The product of the input reads each
/// vector from a panel of its own, and a processor follows only so many streams.
int max_fused_panels(int vectors);

/// The most rows of tiles of several panels, which have `vectors` vectors each.
int max_tile_rows(Isa isa, int vectors, int sums);

/// The most rows of a tile of one panel.
int max_rows_of_panel(Isa isa, int vectors, int sums);

/// The most rows of a tile of so many panels and vectors.
int most_tile_rows(Isa isa, int panels, int vectors, int sums);

/// The most panels that a tile like `shape` can have, at most `available`: 8, 4, 2 or 1.
int tile_panels(Isa isa, const TileShape& shape, std::int64_t available);

/// `rows` rows cut into tiles of nearly equal size: rows of the larger ones.
std::int64_t even_tile_rows(std::int64_t rows, int max_rows);

/// kLookAheadPanels panels of another product, for later steps, which a tile computes in the same
/// loop: kLookAheadSteps rows of k scalars.
struct LookAheadArgs {
    std::int64_t k;
    const void* panel;
    std::int64_t panel_stride;
    const void* start;  ///< one vector for each panel, the same for all rows
    const void* rows;
    std::int64_t row_stride;
    void* out;
    std::int64_t out_stride;
};

/// The fused input: a product that the same accumulators take ahead of the tile's own.
struct FusedInputArgs {
    const void* panels;              ///< at the tile's first; one for each vector
    const void* start;               ///< what the chains of all rows start from
    const void* rows[kMaxTileRows];  ///< left-hand side: FusedInputLayout::k scalars each
};

/// Pointers are to the tile's first panel or unit.
struct TileArgs {
    std::int64_t k;
    std::int64_t panel_stride;
    const void* panels;
    const void* rows[kMaxTileRows];  ///< left-hand side: k scalars each
    /// What the chains start from. A tile with a fused input may store sums of the input there.
    const void* start[kMaxTileRows];
    const void* prefetched;    ///< k * kPrefetchedBytes that a later tile needs
    const std::int32_t* sums;  ///< read by functions that finish sums: [row][panel][vector][sum]
    std::int64_t sums_stride;  ///< from row to row
    LookAheadArgs ahead;       ///< read by look-ahead functions only
    FusedInputArgs input;      ///< read by fused-input functions only
};

/// The panels of the fused input that a tile needs: vector v of panel p of the tile is panel
/// p * stride + v of the input's weights. k = 0: the code has no fused input.
struct FusedInputLayout {
    std::int64_t k = 0;
    int stride = 1;
};

}  // namespace rondo::cpu::jit
