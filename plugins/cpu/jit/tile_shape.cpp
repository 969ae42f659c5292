#include "plugins/cpu/jit/tile_shape.hpp"

#include <algorithm>

namespace rondo::cpu::jit {
namespace {

// A single row reads its weights directly from memory: more panels gain nothing.
constexpr int kMaxVectorsAcross = 16;

}  // namespace

int max_tile_rows(Isa isa, int vectors, int sums) {
    if (sums > 1) return std::clamp(max_accumulators(isa) / (vectors * sums), 1, 6);
    if (vectors == 3) return isa == Isa::avx512 ? 8 : 4;
    if (vectors == 1) return 6;
    return isa == Isa::avx512 ? 6 : 3;
}

// Fewer accumulators than 8 would wait for each other.
int max_rows_of_panel(Isa isa, int vectors, int sums) {
    if (vectors > 1) return max_tile_rows(isa, vectors, sums);
    return std::min(kMaxTileRows, max_accumulators(isa) / sums);
}

int max_fused_panels(int vectors) {
    constexpr int kMostStreams = 8;
    int panels = kMaxTilePanels;
    while (panels > 1 && panels * vectors > kMostStreams) panels /= 2;
    return panels;
}

bool is_tile(Isa isa, const TileShape& shape) {
    const bool power = shape.panels == 1 || shape.panels == 2 || shape.panels == 4 ||
                       shape.panels == kMaxTilePanels;
    const int most = shape.panels == 1 ? max_rows_of_panel(isa, shape.vectors, shape.sums)
                                       : max_tile_rows(isa, shape.vectors, shape.sums);
    return power && shape.rows >= 1 && shape.rows <= most &&
           shape.panels * shape.vectors <= kMaxVectorsAcross &&
           shape.accumulators() <= max_accumulators(isa);
}

int most_tile_rows(Isa isa, int panels, int vectors, int sums) {
    int rows = kMaxTileRows;
    while (rows > 1 && !is_tile(isa, {rows, panels, vectors, sums})) --rows;
    return rows;
}

int tile_panels(Isa isa, const TileShape& shape, std::int64_t available) {
    for (int panels = kMaxTilePanels; panels > 1; panels /= 2) {
        if (panels > available) continue;
        if (is_tile(isa, {shape.rows, panels, shape.vectors, shape.sums})) return panels;
    }
    return 1;
}

std::int64_t even_tile_rows(std::int64_t rows, int max_rows) {
    if (rows <= max_rows) return rows;
    const std::int64_t tiles = (rows + max_rows - 1) / max_rows;
    return (rows + tiles - 1) / tiles;
}

}  // namespace rondo::cpu::jit
