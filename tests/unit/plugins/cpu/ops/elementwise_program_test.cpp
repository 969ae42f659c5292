#include "plugins/cpu/ops/elementwise_program.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test::elementwise_program_test {
namespace {

using cpu::program_of;
using cpu::step_of;
using Kind = cpu::ProgramStep::Kind;

TEST(ElementwiseProgram, ConstantsOfOneElementBecomeSteps) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const auto half = b.constant(tensor_of<float>({1, 1}, {0.5f}));
    const auto op = b.make<ops::Binary>("", ops::BinaryFunction::subtract, half, x);
    const auto program = program_of(*op);
    ASSERT_TRUE(program.has_value());
    EXPECT_EQ(program->inputs, std::vector<std::size_t>{1});
    ASSERT_EQ(program->program.steps.size(), 2u);
    EXPECT_EQ(program->program.steps[0].constant(), 0.5);
    // Values: x, the constant, the difference.
    EXPECT_EQ(program->program.steps[1].operands[0], 1);
    EXPECT_EQ(program->program.steps[1].operands[1], 0);
}

TEST(ElementwiseProgram, AnInputThatIsReadTwiceIsOne) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]", ElementType::f64);
    const auto op = b.make<ops::Binary>("", ops::BinaryFunction::add, x, x);
    const auto program = program_of(*op);
    ASSERT_TRUE(program.has_value());
    EXPECT_EQ(program->program.precision, cpu::Precision::f64);
    EXPECT_EQ(program->inputs.size(), 2u);  // of one op each port is an input
    EXPECT_EQ(program->program.steps.size(), 1u);
}

TEST(ElementwiseProgram, KindsOfElements) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]"), y = b.input("y", "[?]");
    const auto less = b.make<ops::Compare>("", ops::CompareFunction::less, x, y);
    EXPECT_EQ(program_of(*less)->program.output, cpu::ElementKind::truth);
    const auto chosen = b.make<ops::Select>("", less, x, y);
    EXPECT_EQ(program_of(*chosen)->program.inputs[0], cpu::ElementKind::truth);
    EXPECT_EQ(program_of(*chosen)->program.output, cpu::ElementKind::number);
    EXPECT_EQ(step_of(*b.make<ops::Convert>("", less, ElementType::f32))->kind, Kind::to_number);
    EXPECT_EQ(step_of(*b.make<ops::Convert>("", x, ElementType::boolean))->kind, Kind::to_truth);
}

TEST(ElementwiseProgram, ASquareIsAProduct) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const auto power = [&](const Output& base, const Tensor& exponent) {
        return b.make<ops::Binary>("", ops::BinaryFunction::power, base, b.constant(exponent));
    };
    const auto program = program_of(*power(x, tensor_of<float>({1}, {2})));
    ASSERT_TRUE(program.has_value());
    EXPECT_EQ(program->inputs, std::vector<std::size_t>{0});
    ASSERT_EQ(program->program.steps.size(), 1u);
    const auto& step = program->program.steps[0];
    EXPECT_EQ(step.function, static_cast<std::uint8_t>(ops::BinaryFunction::multiply));
    EXPECT_EQ(step.operands[0], 0);
    EXPECT_EQ(step.operands[1], 0);
    EXPECT_FALSE(step_of(*power(x, scalar_of<float>(3))));
    EXPECT_FALSE(step_of(*power(x, tensor_of<float>({2}, {2, 2}))));
    // In f64 a power may differ from the product by its last bit.
    EXPECT_FALSE(step_of(*power(b.input("d", "[?]", ElementType::f64), scalar_of<double>(2))));
}

TEST(ElementwiseProgram, SaysWhatItCanNot) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,2]");
    const Output n = b.input("n", "[?]", ElementType::i32);
    EXPECT_FALSE(step_of(*b.make<ops::Unary>("", ops::UnaryFunction::sinh, x)));
    EXPECT_FALSE(step_of(*b.make<ops::Unary>("", ops::UnaryFunction::abs, n)));
    EXPECT_FALSE(step_of(*b.make<ops::Binary>("", ops::BinaryFunction::power, x, x)));
    EXPECT_FALSE(step_of(*b.make<ops::Convert>("", x, ElementType::f64)));
    EXPECT_FALSE(step_of(*b.make<ops::Convert>("", n, ElementType::f32)));
    EXPECT_FALSE(step_of(b.transpose(x, {1, 0}).node()));
    EXPECT_FALSE(step_of(x.node()));
}

}  // namespace
}  // namespace rondo::test::elementwise_program_test
