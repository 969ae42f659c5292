#include "plugins/cpu/plugin/plan/shape_walk.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu {
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
    EXPECT_FALSE(walk.shaped[value_of(program, "other")]);  // nothing behind the cut reads it
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

}  // namespace
}  // namespace rondo::cpu
