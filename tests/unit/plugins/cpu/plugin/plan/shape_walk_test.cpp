#include "plugins/cpu/plugin/plan/shape_walk.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "plugins/cpu/plugin/run/body_program.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::shape_walk_test {
namespace {

using namespace test;

TEST(ShapeWalk, StopsAtStepsThatDependOnElements) {
    const Program program = open_program();
    const ShapeWalk walk = walk_shapes(program, open_key(6));
    EXPECT_EQ(walk.steps[step_of(program, "twice")], StepShapes::shaped);
    EXPECT_EQ(walk.steps[step_of(program, "other")], StepShapes::shaped);
    EXPECT_EQ(walk.steps[step_of(program, "shape")], StepShapes::known);
    EXPECT_EQ(walk.steps[step_of(program, "head")], StepShapes::open);
    EXPECT_EQ(walk.steps[step_of(program, "y")], StepShapes::open);
    ASSERT_EQ(walk.missing.size(), 1u);  // y waits for head, not for elements
    EXPECT_EQ(walk.missing[0].step, step_of(program, "head"));
    EXPECT_EQ(walk.missing[0].value, program.parameters[1]);
    const TensorInfo& shape = walk.values[value_of(program, "shape")];
    expect_same(shape.value, tensor_of<std::int64_t>({1}, {6}));
}

TEST(ShapeWalk, GoesOnBehindACut) {
    const Program program = open_program();
    const auto first = make_plan(program, open_key(6), 1);
    const ShapeWalk walk = walk_shapes(program, key_behind(first, 4));
    EXPECT_EQ(walk.steps[step_of(program, "twice")], StepShapes::settled);
    EXPECT_EQ(walk.steps[step_of(program, "head")], StepShapes::shaped);
    EXPECT_EQ(walk.values[value_of(program, "head")].shape, Shape{4});
    EXPECT_EQ(walk.values[value_of(program, "y")].shape, Shape{4});
    EXPECT_FALSE(walk.shaped[value_of(program, "other")]);  // nothing after the cut reads it
    EXPECT_TRUE(walk.missing.empty());
}

TEST(ShapeWalk, NamesTheNodeWhoseShapesDontFit) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output z = b.input("z", "[?]");
    b.output("y", b.make<ops::Binary>("sum", ops::BinaryFunction::add, x, z));
    const Program program = program_of(b);
    expect_error<ModelError>([&] { walk_shapes(program, {{Shape{2}, Shape{3}}}); }, "node 'sum'");
}

// x doubles its elements n times: only where n is 0, its shape is known before the run.
TEST(ShapeWalk, AsksForTheTripCountOfALoopThatGrows) {
    GraphBuilder body, b;
    const Output x = body.input("x", "...");
    body.output("more", flag(body, true));
    body.output("next", body.make<ops::Concat>("", std::vector<Output>{x, x}, 0));
    const std::vector<Output> inputs{b.input("n", "", ElementType::i64), flag(b, true),
                                     b.input("x", "[?]")};
    const auto loop =
        b.make<ops::Loop>("loop", inputs, body.graph(),
                          ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}}}, ops::LoopPorts{{}, 0});
    b.output("y", loop->output(0));
    const Program program = make_program(b.graph(), compile_context({Isa::plain}, 1));
    const PlanKey key{{Shape{}, Shape{2}}};
    const ShapeWalk walk = walk_shapes(program, key);
    ASSERT_EQ(walk.missing.size(), 1u);
    EXPECT_EQ(walk.missing[0].value, program.parameters[0]);
    PlanKey behind = key_behind(make_plan(program, key, 1), 0);
    behind.values = {scalar_of<std::int64_t>(0)};
    EXPECT_EQ(walk_shapes(program, behind).values[value_of(program, "loop")].shape, Shape{2});
    behind.values = {scalar_of<std::int64_t>(3)};
    EXPECT_EQ(walk_shapes(program, behind).steps[step_of(program, "loop")], StepShapes::late);
}

}  // namespace
}  // namespace rondo::cpu::shape_walk_test
