// Tests a part of plugins/cpu/kernels/product/panel_pack.hpp.
#include "plugins/cpu/kernels/product/panel_pack.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::integer_panels_test {
namespace {

constexpr std::int64_t kLanes = 8, kStride = 2 * kLanes;  // the second half belongs to others

// The number at k of a lane, out of its planes.
int packed_at(const std::vector<std::int8_t>& panel, std::int64_t k, std::int64_t lane, int planes,
              int together) {
    const auto plane_at = [&](int plane) {
        const std::int64_t vector = k / together * kStride * planes + plane * kLanes + lane;
        return static_cast<int>(panel[static_cast<std::size_t>(vector * together + k % together)]);
    };
    return planes == 1 ? plane_at(0) : 256 * plane_at(1) + plane_at(0);
}

// Whole steps and the rest of one, columns side by side and apart.
template <typename T>
void expect_packed(const PanelSource& sizes, const WeightFormat& format, int together,
                   Random& random) {
    const int planes = format.weight_planes();
    std::vector<T> matrix;
    const double most = planes == 1 ? 128 : kMostOfI16Weights;
    for (const double value : random.doubles(sizes.columns * sizes.column_stride, most)) {
        matrix.push_back(static_cast<T>(value));
    }
    const std::int64_t steps = whole_steps(sizes.k, together) / together;
    std::vector<std::int8_t> panel(static_cast<std::size_t>(steps * kStride * planes * together),
                                   77);
    std::vector<std::int32_t> sums(static_cast<std::size_t>(planes * kLanes + 1), 77);
    pack_steps({matrix.data(), sizes.k, 1, sizes.columns, sizes.column_stride},
               {panel.data(), kLanes, kStride}, format, together, sums.data());
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < steps * together; ++k) {
            const bool there = lane < sizes.columns && k < sizes.k;
            const auto from = static_cast<std::size_t>(lane * sizes.column_stride + k);
            const int expected = there ? matrix[from] : 0;
            ASSERT_EQ(packed_at(panel, k, lane, planes, together), expected) << k << " " << lane;
            sum += expected;
        }
        const auto place = static_cast<std::size_t>(lane);
        const int upper = planes == 1 ? 0 : 256 * sums[place + kLanes];
        EXPECT_EQ(upper + sums[place], sum);
    }
    for (std::int64_t step = 0; step < steps; ++step) {
        for (std::int64_t i = planes * kLanes; i < planes * kStride; ++i) {
            const std::int64_t place = (step * planes * kStride + i) * together;
            ASSERT_EQ(panel[static_cast<std::size_t>(place)], 77);
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
                    const PanelSource sizes{nullptr, k, 1, columns, k + gap};
                    expect_packed<std::int8_t>(sizes, kW8R16, together, random);
                    expect_packed<std::int16_t>(sizes, kW16R16, together, random);
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::integer_panels_test
