#include "plugins/cpu/kernels/panel_pack.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu::test {
namespace {

// Columns of a row-major [2,3] matrix, for 4 lanes in panels that are 5 apart.
template <typename Bits>
void check_panel() {
    const std::vector<Bits> matrix = {1, 2, 3, 4, 5, 6};
    std::vector<Bits> panel(10, 9);
    pack_panel({matrix.data(), 2, 3, 3, 1}, {panel.data(), 4, 5}, sizeof(Bits));
    EXPECT_EQ(panel, (std::vector<Bits>{1, 2, 3, 0, 9, 4, 5, 6, 0, 9}));
}

TEST(PanelPack, GathersColumnsAndPads) {
    check_panel<std::uint16_t>();
    check_panel<std::uint32_t>();
    check_panel<std::uint64_t>();
}

TEST(PanelPack, OtherSizesAreABug) {
    rondo::test::expect_error<InternalError>([] { pack_panel({}, {}, 3); },
                                             "elements of 2, 4 or 8 bytes");
}

}  // namespace
}  // namespace rondo::cpu::test
