#include "plugins/cpu/plugin/plan/shape_walk.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::floating_part_test {
namespace {

using namespace test;

// grown = concat(list, part); y = tanh(last of grown): only the list floats.
Program list_program() {
    GraphBuilder b;
    const Output list = b.input("list", "?,2");
    const Output part = b.input("part", "1,2");
    const Output grown = b.make<ops::Concat>("grown", std::vector<Output>{list, part}, 0);
    const Output last = b.make<ops::Gather>("last", grown, b.ints({-1}), b.ints({0}));
    b.output("y", unary(b, ops::UnaryFunction::tanh, "tanh", last));
    b.output("longer", grown);
    return program_of(b);
}

PlanKey open_list() {
    PlanKey key;
    key.floats = true;
    key.inputs = {PlanInput(Shape{}), PlanInput(Shape{1, 2})};
    key.inputs[0].form = PartialShape{Dimension(), 2};
    return key;
}

TEST(FloatingPart, HoldsTheStepsWhoseSizesARunFinds) {
    const Program program = list_program();
    const auto plan = make_plan(program, open_list(), 1);
    EXPECT_TRUE(plan->is_last());
    ASSERT_EQ(plan->floating.steps.size(), 2u);
    const FloatingStep& grown = plan->floating.steps[0];
    EXPECT_EQ(grown.call, 0u);
    EXPECT_TRUE(grown.inputs[0].floats);
    EXPECT_FALSE(grown.inputs[1].floats);
    EXPECT_TRUE(grown.outputs[0].floats);
    EXPECT_EQ(grown.last_reads, std::vector<ValueId>{program.parameters[0]});
    const FloatingStep& last = plan->floating.steps[1];
    EXPECT_FALSE(last.outputs[0].floats);
    EXPECT_EQ(last.outputs[0].info.shape, (Shape{1, 2}));
    EXPECT_TRUE(last.last_reads.empty());  // a result keeps the list
    ASSERT_EQ(plan->calls.size(), 3u);
    EXPECT_NE(plan->calls[2].call, nullptr);  // the tanh is planned
    EXPECT_TRUE(plan->floating.results[1].floats);
    ASSERT_EQ(plan->outputs.size(), 1u);
    EXPECT_EQ(plan->outputs[0].index, 0u);
}

TEST(FloatingPart, KeysWithOtherOpenExtentsDiffer) {
    PlanKey other = open_list();
    EXPECT_EQ(open_list(), other);
    other.inputs[0].form = PartialShape{Dimension(), 3};
    EXPECT_FALSE(open_list() == other);
    other = open_list();
    other.floats = false;
    EXPECT_FALSE(open_list() == other);
}

}  // namespace
}  // namespace rondo::cpu::floating_part_test
