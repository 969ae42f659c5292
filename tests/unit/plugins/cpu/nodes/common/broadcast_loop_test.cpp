#include "plugins/cpu/nodes/common/broadcast_loop.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu {
namespace {

TEST(BroadcastLoop, EqualShapesAreOneRun) {
    const BroadcastLoop loop({2, 3, 4}, {2, 3, 4}, {2, 3, 4});
    EXPECT_EQ(loop.runs(), 1);
    EXPECT_EQ(loop.run().count, 24);
    EXPECT_EQ(loop.run().a_step, 1);
    EXPECT_EQ(loop.run().b_step, 1);
}

TEST(BroadcastLoop, AVectorRepeatsForEachRow) {
    const BroadcastLoop loop({2, 3, 4}, {4}, {2, 3, 4});
    EXPECT_EQ(loop.runs(), 6);
    EXPECT_EQ(loop.run().count, 4);
    EXPECT_EQ(loop.start(5).a, 20);
    EXPECT_EQ(loop.start(5).b, 0);
}

TEST(BroadcastLoop, AColumnIsOneElementARun) {
    const BroadcastLoop loop({2, 3, 4}, {3, 1}, {2, 3, 4});
    EXPECT_EQ(loop.runs(), 6);
    EXPECT_EQ(loop.run().b_step, 0);
    EXPECT_EQ(loop.start(4).b, 1);
}

TEST(BroadcastLoop, BothSidesRepeat) {
    const BroadcastLoop loop({2, 1}, {1, 3}, {2, 3});
    EXPECT_EQ(loop.runs(), 2);
    EXPECT_EQ(loop.run().a_step, 0);
    EXPECT_EQ(loop.run().b_step, 1);
    EXPECT_EQ(loop.start(1).a, 1);
    EXPECT_EQ(loop.start(1).b, 0);
}

TEST(BroadcastLoop, ScalarsAndEmptyShapes) {
    EXPECT_EQ(BroadcastLoop({}, {}, {}).runs(), 1);
    EXPECT_EQ(BroadcastLoop({}, {}, {}).run().count, 1);
    EXPECT_EQ(BroadcastLoop({0, 3}, {3}, {0, 3}).runs(), 0);
    EXPECT_EQ(BroadcastLoop({3, 0}, {3, 1}, {3, 0}).runs() *
                  BroadcastLoop({3, 0}, {3, 1}, {3, 0}).run().count,
              0);
}

}  // namespace
}  // namespace rondo::cpu
