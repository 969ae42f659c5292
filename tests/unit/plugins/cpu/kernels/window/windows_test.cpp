#include "plugins/cpu/kernels/window/windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu::windows_test {
namespace {

// One line of 5 elements, a filter of 3, padded by 1.
ConvolutionSizes line(std::int64_t stride, std::int64_t dilation) {
    ConvolutionSizes sizes;
    sizes.channels = 2;
    const std::int64_t reach = (3 - 1) * dilation + 1;
    sizes.axes[2] = {5, 3, (5 + 2 - reach) / stride + 1, stride, dilation, 1};
    return sizes;
}

// Element k of each window, from panels of 4 lanes.
template <typename T>
std::vector<T> gathered(const Windows& windows, std::int64_t k, const std::vector<T>& data) {
    constexpr std::int64_t kLanes = 4;
    std::vector<T> out, panel(static_cast<std::size_t>(windows.size() * kLanes));
    for (std::int64_t first = 0; first < windows.positions(); first += kLanes) {
        const std::int64_t count = std::min(kLanes, windows.positions() - first);
        std::fill(panel.begin(), panel.end(), T{-1});
        windows.gather_panel(data.data(), first, count, kLanes, panel.data());
        const auto row = panel.begin() + k * kLanes;
        out.insert(out.end(), row, row + count);
        EXPECT_EQ(std::count(row + count, row + kLanes, T{0}), kLanes - count);
    }
    return out;
}

template <typename T>
std::vector<T> gathered(const Windows& windows, std::int64_t k) {
    std::vector<T> data(static_cast<std::size_t>(windows.image()));
    std::iota(data.begin(), data.end(), T{1});
    return gathered(windows, k, data);
}

TEST(Windows, KnowTheirSizes) {
    const Windows windows(line(1, 1));
    EXPECT_EQ(windows.size(), 6);
    EXPECT_EQ(windows.positions(), 5);
    EXPECT_EQ(windows.image(), 10);
    EXPECT_FALSE(windows.is_data());
    EXPECT_TRUE(Windows(ConvolutionSizes{3, 4, 5, {}}).is_data());
}

TEST(Windows, KnowWhenTheyLieInTheData) {
    ConvolutionSizes sizes;
    sizes.axes[2] = {9, 3, 4, 2, 1, 0};
    EXPECT_TRUE(Windows(sizes).lie_in_data());
    std::vector<float> data(9);
    const void* rows[4];
    Windows(sizes).point_to_rows(data.data(), rows);
    EXPECT_EQ(rows[3], data.data() + 6);
    for (const auto& change :
         {WindowAxis{9, 3, 4, 2, 2, 0}, {9, 3, 4, 2, 1, 1}, {8, 3, 4, 2, 1, 0}}) {
        sizes.axes[2] = change;
        EXPECT_FALSE(Windows(sizes).lie_in_data());
    }
    sizes.axes[2] = {9, 3, 4, 2, 1, 0};
    sizes.channels = 2;
    EXPECT_FALSE(Windows(sizes).lie_in_data());
}

TEST(Windows, ThePaddingIsZero) {
    using Row = std::vector<float>;
    const Windows windows(line(1, 1));
    EXPECT_EQ(gathered<float>(windows, 0), (Row{0, 1, 2, 3, 4}));
    EXPECT_EQ(gathered<float>(windows, 1), (Row{1, 2, 3, 4, 5}));
    EXPECT_EQ(gathered<float>(windows, 2), (Row{2, 3, 4, 5, 0}));
    EXPECT_EQ(gathered<float>(windows, 3), (Row{0, 6, 7, 8, 9}));
}

TEST(Windows, StridesAndDilations) {
    using Row = std::vector<double>;
    EXPECT_EQ(gathered<double>(Windows(line(2, 1)), 2), (Row{2, 4, 0}));
    EXPECT_EQ(gathered<double>(Windows(line(1, 2)), 0), (Row{0, 1, 2}));
    EXPECT_EQ(gathered<double>(Windows(line(1, 2)), 2), (Row{4, 5, 0}));
}

// What a position meets, axis by axis.
float element(const ConvolutionSizes& sizes, const std::vector<float>& data, std::int64_t position,
              std::int64_t k) {
    std::int64_t place = 0, size = 1;
    for (int i = 2; i >= 0; --i) {
        const WindowAxis& axis = sizes.axes[static_cast<std::size_t>(i)];
        const std::int64_t at =
            position % axis.output * axis.stride + k % axis.kernel * axis.dilation - axis.pad_begin;
        if (at < 0 || at >= axis.input) return 0;
        place += at * size;
        size *= axis.input;
        position /= axis.output;
        k /= axis.kernel;
    }
    return data[static_cast<std::size_t>(k * size + place)];
}

TEST(Windows, PanelsAndRowsHoldWhatPositionsMeet) {
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
        std::vector<float> rows(static_cast<std::size_t>(windows.positions() * windows.size()));
        windows.gather_rows(data.data(), rows.data());
        std::vector<const void*> starts(static_cast<std::size_t>(windows.positions()));
        if (windows.lie_in_data()) windows.point_to_rows(data.data(), starts.data());
        for (std::int64_t i = 0; i < windows.size(); ++i) {
            const auto column = gathered(windows, i, data);
            for (std::int64_t p = 0; p < windows.positions(); ++p) {
                const float expected = element(sizes, data, p, i);
                ASSERT_EQ(column[static_cast<std::size_t>(p)], expected) << "windows " << k;
                ASSERT_EQ(rows[static_cast<std::size_t>(p * windows.size() + i)], expected)
                    << "windows " << k;
                if (!windows.lie_in_data()) continue;
                ASSERT_EQ(static_cast<const float*>(starts[static_cast<std::size_t>(p)])[i],
                          expected)
                    << "windows " << k;
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::windows_test
