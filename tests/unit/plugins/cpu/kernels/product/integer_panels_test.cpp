// Tests a part of plugins/cpu/kernels/product/panel_pack.hpp.
#include "plugins/cpu/kernels/product/panel_pack.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::integer_panels_test {
namespace {

constexpr std::int64_t kLanes = 8, kStride = 2 * kLanes;  // the second half belongs to others

// Whole steps and the rest of one, columns side by side and apart.
void expect_packed(const IntegerColumns& sizes, int together, Random& random) {
    std::vector<std::int8_t> matrix;
    for (const double value : random.doubles(sizes.columns * sizes.stride, 127)) {
        matrix.push_back(static_cast<std::int8_t>(value));
    }
    const std::int64_t steps = whole_steps(sizes.k, together) / together;
    std::vector<std::int8_t> panel(static_cast<std::size_t>(steps * kStride * together), 77);
    std::vector<std::int32_t> sums(kLanes + 1, 77);
    pack_integers({matrix.data(), sizes.k, sizes.columns, sizes.stride},
                  {panel.data(), kLanes, kStride}, together, sums.data());
    const auto at = [&](std::int64_t k, std::int64_t lane) {
        const std::int64_t place = (k / together * kStride + lane) * together + k % together;
        return panel[static_cast<std::size_t>(place)];
    };
    for (std::int64_t lane = 0; lane < kStride; ++lane) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < steps * together; ++k) {
            const bool there = lane < sizes.columns && k < sizes.k;
            const auto from = static_cast<std::size_t>(lane * sizes.stride + k);
            const int expected = lane >= kLanes ? 77 : there ? matrix[from] : 0;
            ASSERT_EQ(at(k, lane), expected) << "k=" << k << " lane=" << lane;
            sum += expected;
        }
        if (lane < kLanes) {
            EXPECT_EQ(sums[static_cast<std::size_t>(lane)], sum);
        }
    }
    EXPECT_EQ(sums.back(), 77);
}

TEST(IntegerPanels, PadStepsAndLanes) {
    Random random;
    for (const int together : {2, 4}) {
        for (const std::int64_t k : {0, 1, 3, 4, 16, 37}) {
            for (const std::int64_t columns : {1, 5, 8}) {
                for (const std::int64_t gap : {0, 3, 4}) {
                    expect_packed({nullptr, k, columns, k + gap}, together, random);
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::integer_panels_test
