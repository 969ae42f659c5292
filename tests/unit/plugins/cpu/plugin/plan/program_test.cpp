#include "plugins/cpu/plugin/plan/program.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::program_test {
namespace {

using namespace test;

TEST(Program, HasAStepForEachOpThatComputes) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output fixed = b.constant(tensor_of<float>({2}, {1, 2}), "fixed");
    const Output sum = b.make<ops::Binary>("sum", ops::BinaryFunction::add, x, fixed);
    b.output("y", sum);
    b.output("same", sum);
    const Program program = program_of(b);
    ASSERT_EQ(program.steps.size(), 1u);
    const Step& step = program.steps[0];
    EXPECT_EQ(step.node().name(), "sum");
    EXPECT_EQ(step.inputs[0], program.parameters[0]);
    EXPECT_TRUE(program.constants[step.inputs[1]]);
    EXPECT_FALSE(program.constants[step.outputs[0]]);
    EXPECT_EQ(program.results, (std::vector<ValueId>{step.outputs[0], step.outputs[0]}));
    EXPECT_FALSE(step.variable);
}

TEST(Program, JoinsWhatAVariableReadsAndBecomes) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output read = b.read("v", "[2]");
    b.assign("v", b.make<ops::Binary>("sum", ops::BinaryFunction::add, read, x));
    b.output("y", read);
    const Program program = program_of(b);
    EXPECT_EQ(program.read, std::vector<ValueId>{value_of(program, "read_v")});
    EXPECT_EQ(program.assigned, std::vector<ValueId>{value_of(program, "sum")});
    EXPECT_EQ(program.steps[step_of(program, "read_v")].variable, 0u);
}

}  // namespace
}  // namespace rondo::cpu::program_test
