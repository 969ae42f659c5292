#include "plugins/cpu/jit/tile_shape.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::jit::tile_shape_test {
namespace {

TEST(TileShape, EveryTileFitsTheRegisters) {
    for (Isa isa : {Isa::avx2, Isa::avx512}) {
        const int registers = isa == Isa::avx512 ? 32 : 16;
        for (int vectors = 1; vectors <= 4; ++vectors) {
            for (int rows = 1; rows <= kMaxTileRows; ++rows) {
                for (int panels = 1; panels <= kMaxTilePanels; ++panels) {
                    const TileShape shape{rows, panels, vectors};
                    if (!is_tile(isa, shape)) continue;
                    const int held = std::min(rows, panels * vectors) + (rows > 1 ? 1 : 0);
                    EXPECT_LE(shape.accumulators() + held, registers);
                    // Pointers to rows and panels, k and its limit.
                    EXPECT_LE(rows + panels + 2, 13);
                }
            }
        }
    }
}

TEST(TileShape, EveryRowCountHasATileOfOnePanel) {
    for (Isa isa : {Isa::avx2, Isa::avx512}) {
        for (const int sums : {1, 2, 3}) {
            for (int vectors = 1; vectors <= 4; ++vectors) {
                for (int rows = 1; rows <= max_tile_rows(isa, vectors, sums); ++rows) {
                    const TileShape one{rows, 1, vectors, sums};
                    EXPECT_TRUE(is_tile(isa, one));
                    const int panels = tile_panels(isa, one, 100);
                    EXPECT_TRUE(is_tile(isa, {rows, panels, vectors, sums}));
                }
            }
        }
    }
}

TEST(TileShape, OnePanelTakesMoreRows) {
    EXPECT_TRUE(is_tile(Isa::avx512, {8, 1, 1}));
    EXPECT_TRUE(is_tile(Isa::avx2, {8, 1, 1}));
    EXPECT_FALSE(is_tile(Isa::avx512, {8, 2, 1}));
    EXPECT_EQ(max_rows_of_panel(Isa::avx512, 1, 1), 8);
    EXPECT_EQ(max_rows_of_panel(Isa::avx512, 4, 1), max_tile_rows(Isa::avx512, 4, 1));
}

TEST(TileShape, FewRowsTakeSeveralPanels) {
    EXPECT_EQ(tile_panels(Isa::avx512, {1, 1, 4}, 100), 4);
    EXPECT_EQ(tile_panels(Isa::avx512, {1, 1, 4}, 3), 2);
    EXPECT_EQ(tile_panels(Isa::avx512, {6, 1, 4}, 100), 1);
    EXPECT_EQ(tile_panels(Isa::avx2, {1, 1, 4}, 100), 2);
    EXPECT_EQ(tile_panels(Isa::avx512, {1, 1, 1}, 100), 8);
}

TEST(TileShape, InputsComeInFewStreams) {
    EXPECT_EQ(max_fused_panels(4), 2);
    EXPECT_EQ(max_fused_panels(3), 2);
    EXPECT_EQ(max_fused_panels(2), 4);
    EXPECT_EQ(max_fused_panels(1), 8);
}

TEST(TileShape, RowsAreCutEvenly) {
    EXPECT_EQ(even_tile_rows(0, 6), 0);
    EXPECT_EQ(even_tile_rows(6, 6), 6);
    EXPECT_EQ(even_tile_rows(7, 6), 4);
    EXPECT_EQ(even_tile_rows(16, 6), 6);
    EXPECT_EQ(even_tile_rows(13, 6), 5);
}

}  // namespace
}  // namespace rondo::cpu::jit::tile_shape_test
