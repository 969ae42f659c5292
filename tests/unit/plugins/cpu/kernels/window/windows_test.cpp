#include "plugins/cpu/kernels/window/windows.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu {
namespace {

// One line of 5 elements, a filter of 3, padded by 1.
ConvolutionSizes line(std::int64_t stride, std::int64_t dilation) {
    ConvolutionSizes sizes;
    sizes.channels = 2;
    const std::int64_t reach = (3 - 1) * dilation + 1;
    sizes.axes[2] = {5, 3, (5 + 2 - reach) / stride + 1, stride, dilation, 1};
    return sizes;
}

template <typename T>
std::vector<T> gathered(const Windows& windows, std::int64_t k, std::int64_t first,
                        std::int64_t count) {
    std::vector<T> data(static_cast<std::size_t>(windows.image()));
    std::iota(data.begin(), data.end(), T{1});
    std::vector<T> out(static_cast<std::size_t>(count), T{-1});
    windows.gather<T>(data.data(), k, first, count, {out.data(), count, 0, 1});
    return out;
}

TEST(Windows, KnowTheirSizes) {
    const Windows windows(line(1, 1));
    EXPECT_EQ(windows.size(), 6);
    EXPECT_EQ(windows.positions(), 5);
    EXPECT_EQ(windows.image(), 10);
    EXPECT_FALSE(windows.is_data());
    EXPECT_TRUE(Windows(ConvolutionSizes{3, 4, 5, {}}).is_data());
}

TEST(Windows, ThePaddingIsZero) {
    using Row = std::vector<float>;
    const Windows windows(line(1, 1));
    EXPECT_EQ(gathered<float>(windows, 0, 0, 5), (Row{0, 1, 2, 3, 4}));
    EXPECT_EQ(gathered<float>(windows, 1, 0, 5), (Row{1, 2, 3, 4, 5}));
    EXPECT_EQ(gathered<float>(windows, 2, 0, 5), (Row{2, 3, 4, 5, 0}));
    EXPECT_EQ(gathered<float>(windows, 3, 0, 5), (Row{0, 6, 7, 8, 9}));
    EXPECT_EQ(gathered<float>(windows, 2, 3, 2), (Row{5, 0}));
}

TEST(Windows, StridesAndDilations) {
    using Row = std::vector<double>;
    EXPECT_EQ(gathered<double>(Windows(line(2, 1)), 2, 0, 3), (Row{2, 4, 0}));
    EXPECT_EQ(gathered<double>(Windows(line(1, 2)), 0, 0, 3), (Row{0, 1, 2}));
    EXPECT_EQ(gathered<double>(Windows(line(1, 2)), 2, 0, 3), (Row{4, 5, 0}));
}

// Element by element, by gather().
std::vector<float> rows_by_elements(const Windows& windows, const std::vector<float>& data) {
    std::vector<float> rows(static_cast<std::size_t>(windows.positions() * windows.size()));
    for (std::int64_t k = 0; k < windows.size(); ++k) {
        windows.gather<float>(data.data(), k, 0, windows.positions(),
                              {rows.data() + k, windows.positions(), 0, windows.size()});
    }
    return rows;
}

TEST(Windows, RowsAreTheSameElements) {
    test::Rng rng = test::test_rng();
    const auto number = [&](std::int64_t lo, std::int64_t hi) {
        return test::uniform_int(rng, lo, hi);
    };
    for (int k = 0; k < 500; ++k) {
        ConvolutionSizes sizes;
        sizes.channels = number(1, 3);
        for (auto& axis : sizes.axes) {
            if (number(0, 2) == 0) continue;
            axis = {number(1, 6), number(1, 4), number(1, 4),
                    number(1, 3), number(1, 3), number(0, 5)};
        }
        const Windows windows(sizes);
        std::vector<float> data(static_cast<std::size_t>(windows.image()));
        std::iota(data.begin(), data.end(), 1.0F);
        const auto expected = rows_by_elements(windows, data);
        std::vector<float> rows(expected.size(), -1.0F);
        windows.gather_rows(data.data(), rows.data());
        ASSERT_EQ(rows, expected) << "windows " << k;
    }
}

TEST(Windows, WriteIntoPanels) {
    const Windows windows(line(1, 1));
    std::vector<float> data(10);
    std::iota(data.begin(), data.end(), 1.0f);
    std::vector<float> panels(12, -1.0f);
    windows.gather<float>(data.data(), 1, 0, 5, {panels.data(), 2, 4, 1});
    EXPECT_EQ(panels, (std::vector<float>{1, 2, -1, -1, 3, 4, -1, -1, 5, -1, -1, -1}));
    put_zeros<float>({panels.data(), 2, 4, 1}, 5, 1);
    EXPECT_EQ(panels[9], 0.0f);
}

}  // namespace
}  // namespace rondo::cpu
