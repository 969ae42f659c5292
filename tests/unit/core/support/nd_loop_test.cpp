#include "core/support/nd_loop.hpp"

#include <gtest/gtest.h>

#include "tests/support/rng.hpp"

namespace rondo::nd_loop_test {
namespace {

using Axes = std::vector<NdAxis<2>>;
using Offsets = NdLoop<2>::Offsets;

// Every element's offsets, one loop an axis.
void naive(const Axes& axes, std::size_t axis, Offsets at, std::vector<Offsets>& all) {
    if (axis == axes.size()) {
        all.push_back(at);
        return;
    }
    for (std::int64_t i = 0; i < axes[axis].count; ++i) {
        naive(axes, axis + 1, at, all);
        for (std::size_t k = 0; k < 2; ++k) at[k] += axes[axis].steps[k];
    }
}

// The offsets of the elements of the runs in [begin, end).
std::vector<Offsets> walked(const NdLoop<2>& loop, std::int64_t begin, std::int64_t end) {
    std::vector<Offsets> all;
    loop.for_each_run(begin, end, [&](Offsets at) {
        for (std::int64_t i = 0; i < loop.run().count; ++i) {
            all.push_back(at);
            for (std::size_t k = 0; k < 2; ++k) at[k] += loop.run().steps[k];
        }
    });
    return all;
}

TEST(NdLoop, WalksAsOneLoopAnAxisWould) {
    auto rng = test::test_rng();
    for (int round = 0; round < 500; ++round) {
        Axes axes(static_cast<std::size_t>(test::uniform_int(rng, 0, 6)));
        for (auto& axis : axes) {
            axis.count = test::uniform_int(rng, round % 10 == 0 ? 0 : 1, 4);
            for (auto& step : axis.steps) step = test::uniform_int(rng, -6, 6);
        }
        std::vector<Offsets> expected;
        naive(axes, 0, {}, expected);
        const NdLoop<2> loop(axes);
        EXPECT_EQ(loop.size(), static_cast<std::int64_t>(expected.size()));
        const std::int64_t middle = test::uniform_int(rng, 0, static_cast<int>(loop.runs()));
        auto actual = walked(loop, 0, middle);
        const auto rest = walked(loop, middle, loop.runs());
        actual.insert(actual.end(), rest.begin(), rest.end());
        EXPECT_EQ(actual, expected);
    }
}

TEST(NdLoop, DenseOperandsAreOneRun) {
    const NdLoop<2> loop({{2, {12, 12}}, {3, {4, 4}}, {4, {1, 1}}});
    EXPECT_EQ(loop.runs(), 1);
    EXPECT_EQ(loop.run().count, 24);
    EXPECT_EQ(loop.run().steps, (Offsets{1, 1}));
    EXPECT_TRUE(loop.outer().empty());
}

TEST(NdLoop, AVectorRepeatsForEachRow) {
    const NdLoop<2> loop({{2, {12, 0}}, {3, {4, 0}}, {4, {1, 1}}});
    EXPECT_EQ(loop.runs(), 6);
    EXPECT_EQ(loop.run().count, 4);
    EXPECT_EQ(loop.start(5), (Offsets{20, 0}));
    ASSERT_EQ(loop.outer().size(), 1u);
    EXPECT_EQ(loop.outer()[0].count, 6);
}

TEST(NdLoop, AxesOfExtentOneVanishWhateverTheirSteps) {
    const NdLoop<2> loop({{3, {4, 4}}, {1, {-99, INT64_MIN}}, {4, {1, 1}}, {1, {7, INT64_MAX}}});
    EXPECT_EQ(loop.runs(), 1);
    EXPECT_EQ(loop.run().count, 12);
}

TEST(NdLoop, AScalarIsOneElement) {
    EXPECT_EQ(NdLoop<2>().size(), 1);
    EXPECT_EQ(NdLoop<2>(Axes{}).size(), 1);
    EXPECT_EQ(walked(NdLoop<2>(), 0, 1), (std::vector<Offsets>{{0, 0}}));
}

TEST(NdLoop, AnExtentOfZeroIsNoRunBesideHugeOnes) {
    const std::int64_t huge = std::int64_t{1} << 40;
    const NdLoop<2> loop({{huge, {1, 1}}, {huge, {0, 3}}, {0, {1, 1}}, {huge, {1, 1}}});
    EXPECT_EQ(loop.runs(), 0);
    EXPECT_EQ(loop.size(), 0);
    loop.for_each_run([](const Offsets&) { ADD_FAILURE(); });
}

TEST(MergeAxes, WorksInPlace) {
    Axes axes{{2, {4, 0}}, {1, {9, 9}}, {2, {2, 0}}, {2, {1, 1}}};
    ASSERT_EQ(merge_axes(std::span<NdAxis<2>>(axes)), 2u);
    EXPECT_EQ(axes[0].count, 4);
    EXPECT_EQ(axes[0].steps, (Offsets{2, 0}));
    EXPECT_EQ(axes[1].count, 2);
}

}  // namespace
}  // namespace rondo::nd_loop_test
