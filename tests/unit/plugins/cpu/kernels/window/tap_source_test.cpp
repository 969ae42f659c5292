#include "plugins/cpu/kernels/window/tap_source.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu::tap_source_test {
namespace {

using test::uniform_int;

WindowAxis random_axis(test::Rng& rng, std::int64_t most) {
    WindowAxis axis;
    axis.kernel = uniform_int(rng, 1, 3);
    axis.dilation = uniform_int(rng, 1, 3);
    axis.stride = uniform_int(rng, 1, 4);
    axis.pad_begin = uniform_int(rng, -2, 5);
    axis.input = uniform_int(rng, 1, most);
    axis.output = uniform_int(rng, 1, most);
    return axis;
}

// What tap number `number` meets at an output, or the fill.
int met(const std::array<WindowAxis, 3>& axes, const std::vector<std::int32_t>& data,
        const std::array<std::int64_t, 3>& at, std::int64_t number) {
    std::int64_t place = 0, size = 1;
    for (std::size_t i = 3; i-- > 0;) {
        const WindowAxis& axis = axes[i];
        const std::int64_t input =
            at[i] * axis.stride + number % axis.kernel * axis.dilation - axis.pad_begin;
        if (input < 0 || input >= axis.input) return -7;
        place += input * size;
        size *= axis.input;
        number /= axis.kernel;
    }
    return data[static_cast<std::size_t>(place)];
}

void check_tile(const TapSource<std::int32_t>& source, const std::array<WindowAxis, 3>& axes,
                const std::vector<std::int32_t>& data, const TapTile& tile) {
    std::vector<std::int32_t> scratch(static_cast<std::size_t>(source.scratch_elements()));
    source.open(tile, data.data(), scratch.data());
    std::vector<const void*> lines(static_cast<std::size_t>(source.taps()));
    std::vector<std::int64_t> numbers(lines.size());
    for (std::int64_t row = 0; row < tile.rows; ++row) {
        TapList list{lines.data(), numbers.data(), 0};
        source.append(tile, row, data.data(), scratch.data(), list);
        ASSERT_LE(list.count, source.taps());
        for (std::int64_t i = 0; i < list.count; ++i) {
            const auto* line = static_cast<const std::int32_t*>(lines[static_cast<std::size_t>(i)]);
            for (std::int64_t x = 0; x < tile.count; ++x) {
                ASSERT_EQ(line[x], met(axes, data, {tile.z, tile.y + row, tile.x + x},
                                       numbers[static_cast<std::size_t>(i)]));
            }
        }
    }
}

TEST(TapSource, FindsWhatEachTapMeets) {
    auto rng = test::test_rng();
    for (int round = 0; round < 300; ++round) {
        const std::int64_t most = round % 30 == 0 ? 5000 : 20;
        const std::array<WindowAxis, 3> axes{random_axis(rng, 3), random_axis(rng, 6),
                                             random_axis(rng, most)};
        std::vector<std::int32_t> data(
            static_cast<std::size_t>(axes[0].input * axes[1].input * axes[2].input));
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int32_t>(i);
        const TapSource<std::int32_t> source(axes, -7);
        std::int64_t positions = 0;
        for (std::int64_t i = 0; i < source.tiles(); ++i) {
            const TapTile tile = source.tile(i);
            positions += tile.rows * tile.count;
            check_tile(source, axes, data, tile);
        }
        EXPECT_EQ(positions, axes[0].output * axes[1].output * axes[2].output);
    }
}

}  // namespace
}  // namespace rondo::cpu::tap_source_test
