// How rows pass through If, Loop and TensorIterator.

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/bodies.hpp"
#include "transformations/batching/prove_rows.hpp"

namespace rondo::passes::body_rule_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(BodyRule, FollowsBothBranches) {
    const RowAxes axes = find_row_axes(*choice(), {});
    EXPECT_EQ(axes.obstacle, "");
    EXPECT_EQ(axes.inputs, (decltype(axes.inputs){{}, 0, 0}));
    EXPECT_EQ(axes.outputs, (decltype(axes.outputs){0}));
}

// A condition that the rows decide is one condition for all of them.
TEST(BodyRule, RefusesAConditionOfTheRows) {
    GraphBuilder yes;
    yes.output("y", yes.input("yes_x", "?,3"));
    GraphBuilder b;
    const Output x = b.input("x", "?,3");
    const Output most =
        b.make<ops::Reduce>("most", ops::ReduceFunction::max, x, b.ints({1}), false);
    const Output first = b.squeeze(most, {0});
    const Output is_positive = b.make<ops::Compare>("positive", ops::CompareFunction::greater,
                                                    first, b.constant(scalar_of<float>(0)));
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    const auto node = b.make<ops::If>("choice", std::vector<Output>{is_positive, x},
                                      std::vector<GraphPtr>{yes.graph(), yes.graph()->clone()},
                                      std::vector<ops::BodyPorts>{ports, ports});
    b.output("out", node->output(0));
    EXPECT_THAT(find_row_axes(*b.graph(), {}).obstacle, testing::HasSubstr("(Squeeze)"));
}

TEST(BodyRule, FollowsWhatGoesRound) {
    const RowAxes axes = find_row_axes(*running_sum(), {});
    EXPECT_EQ(axes.obstacle, "");
    EXPECT_EQ(axes.inputs, (decltype(axes.inputs){0, 0}));
    EXPECT_EQ(axes.outputs, (decltype(axes.outputs){0, 0}));
}

// The parts are the rows themselves: each round adds to what the rounds before have made.
TEST(BodyRule, RefusesALoopThroughTheRows) {
    EXPECT_THAT(find_row_axes(*running_sum(), {{"x", 1}, {"h0", 0}}).obstacle,
                testing::HasSubstr("node 'walk' (TensorIterator): it goes through the rows"));
}

TEST(BodyRule, FollowsALoop) {
    const RowAxes axes = find_row_axes(*count_loop("?,3"), {});
    EXPECT_EQ(axes.obstacle, "");
    EXPECT_EQ(axes.inputs, (decltype(axes.inputs){{}, {}, 0, {}}));
    EXPECT_EQ(axes.outputs, (decltype(axes.outputs){0, 1}));
}

// h starts without rows: in the first round it serves all, later each stream has its own.
TEST(BodyRule, RefusesAStateThatStartsWithoutRows) {
    const RowAxesHint hint{{"x", 0}, {"h0", std::nullopt}};
    const auto graph = running_sum(false, "?,?,2", "1,2");
    EXPECT_THAT(find_row_axes(*graph, hint).obstacle,
                testing::HasSubstr("(Add): its input 1 is the same for all"));
    const RowPlan plan = plan_batch(*graph, hint);
    EXPECT_EQ(plan.axes.obstacle, "");
    ASSERT_EQ(plan.edits.size(), 1U);
    EXPECT_EQ(plan.edits[0].node->name(), "walk");
}

}  // namespace
}  // namespace rondo::passes::body_rule_test
