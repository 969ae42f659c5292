#include "plugins/cpu/jit/tile_shape.hpp"

namespace rondo::cpu::jit {
namespace {

// A single row reads its weights directly from memory: more panels gain nothing.
constexpr int kMaxVectorsAcross = 16;

}  // namespace

int max_tile_rows(Isa isa, int vectors) {
    if (vectors == 3) return isa == Isa::avx512 ? 8 : 4;
    if (vectors == 1) return 6;
    return isa == Isa::avx512 ? 6 : 3;
}

// Fewer accumulators than 8 would wait for each other.
int max_rows_of_panel(Isa isa, int vectors) {
    return vectors == 1 ? kMaxTileRows : max_tile_rows(isa, vectors);
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
    const int most = shape.panels == 1 ? max_rows_of_panel(isa, shape.vectors)
                                       : max_tile_rows(isa, shape.vectors);
    return power && shape.rows >= 1 && shape.rows <= most &&
           shape.panels * shape.vectors <= kMaxVectorsAcross &&
           shape.accumulators() <= max_accumulators(isa);
}

int tile_panels(Isa isa, int rows, int vectors, std::int64_t available) {
    for (int panels = kMaxTilePanels; panels > 1; panels /= 2) {
        if (panels <= available && is_tile(isa, {rows, panels, vectors})) return panels;
    }
    return 1;
}

std::int64_t even_tile_rows(std::int64_t rows, int max_rows) {
    if (rows <= max_rows) return rows;
    const std::int64_t tiles = (rows + max_rows - 1) / max_rows;
    return (rows + tiles - 1) / tiles;
}

}  // namespace rondo::cpu::jit
