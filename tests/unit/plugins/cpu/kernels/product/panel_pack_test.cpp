#include "plugins/cpu/kernels/product/panel_pack.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu::tests::panel_pack_test {
namespace {

constexpr int kUntouched = 9;

// Columns of a row-major [2,3] matrix, for 4 lanes in panels that are 5 apart.
template <typename Bits>
void check_panel() {
    const std::vector<Bits> matrix = {1, 2, 3, 4, 5, 6};
    std::vector<Bits> panel(10, kUntouched);
    pack_panel({matrix.data(), 2, 3, 3, 1}, {panel.data(), 4, 5}, sizeof(Bits));
    EXPECT_EQ(panel, (std::vector<Bits>{1, 2, 3, 0, 9, 4, 5, 6, 0, 9}));
}

TEST(PanelPack, GathersColumnsAndPads) {
    check_panel<std::uint16_t>();
    check_panel<std::uint32_t>();
    check_panel<std::uint64_t>();
}

struct Sizes {
    std::int64_t k, columns, lanes;
};

// How far apart neighbours lie: along k, from column to column, from k to k in the panel.
struct Gaps {
    std::int64_t k, column, out;
};

template <typename Bits>
void expect_like_plain_loops(const Sizes& sizes, const Gaps& gaps) {
    const auto index = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    // Distinct in all their bytes, as far as 16 bits allow; off the grid of vectors.
    std::vector<Bits> matrix(index(sizes.k * gaps.k + sizes.columns * gaps.column + 1));
    std::iota(matrix.begin(), matrix.end(), Bits{100});
    for (Bits& bits : matrix)
        bits = static_cast<Bits>(bits * static_cast<Bits>(0x9e3779b97f4a7c15));
    std::vector<Bits> panel(index(sizes.k * gaps.out + sizes.lanes + 2), kUntouched);
    std::vector<Bits> expected = panel;
    for (std::int64_t k = 0; k < sizes.k; ++k) {
        for (std::int64_t lane = 0; lane < sizes.lanes; ++lane) {
            expected[index(1 + k * gaps.out + lane)] =
                lane < sizes.columns ? matrix[index(1 + k * gaps.k + lane * gaps.column)] : Bits{0};
        }
    }
    pack_panel({matrix.data() + 1, sizes.k, gaps.k, sizes.columns, gaps.column},
               {panel.data() + 1, sizes.lanes, gaps.out}, sizeof(Bits));
    EXPECT_EQ(panel, expected) << sizeof(Bits) << " bytes, " << sizes.k << " x " << sizes.columns
                               << " for " << sizes.lanes << " lanes, " << gaps.k << " and "
                               << gaps.column << " apart, to every " << gaps.out;
}

// Down columns, along rows, and neither; panels side by side and interleaved.
template <typename Bits>
void check_strides(const Sizes& sizes) {
    for (const std::int64_t out : {sizes.lanes, 3 * sizes.lanes}) {
        expect_like_plain_loops<Bits>(sizes, {1, sizes.k, out});
        expect_like_plain_loops<Bits>(sizes, {1, sizes.k + 3, out});
        expect_like_plain_loops<Bits>(sizes, {sizes.columns, 1, out});
        expect_like_plain_loops<Bits>(sizes, {sizes.columns + 2, 1, out});
        expect_like_plain_loops<Bits>(sizes, {2, 2 * sizes.k + 1, out});
    }
}

template <typename Bits>
void check_all_sizes() {
    for (const std::int64_t lanes : {4, 8, 16}) {
        for (std::int64_t columns = 1; columns <= lanes; ++columns) {
            for (const std::int64_t k : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 71}) {
                check_strides<Bits>({k, columns, lanes});
            }
        }
    }
}

TEST(PanelPack, AllTailsAndStridesOf2Bytes) { check_all_sizes<std::uint16_t>(); }
TEST(PanelPack, AllTailsAndStridesOf4Bytes) { check_all_sizes<std::uint32_t>(); }
TEST(PanelPack, AllTailsAndStridesOf8Bytes) { check_all_sizes<std::uint64_t>(); }

TEST(PanelPack, OtherSizesAreABug) {
    rondo::test::expect_error<InternalError>([] { pack_panel({}, {}, 3); },
                                             "elements of 2, 4 or 8 bytes");
}

}  // namespace
}  // namespace rondo::cpu::tests::panel_pack_test
