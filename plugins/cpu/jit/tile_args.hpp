// What generated tiles read. Strides count bytes.
#pragma once

#include <cstdint>

#include "plugins/cpu/jit/tile_shape.hpp"

namespace rondo::cpu::jit {

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
