#include "plugins/cpu/plugin/plan/program.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/tensors.hpp"
#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::known_values_test {
namespace {

using namespace test;

TensorInfo info_of(const Tensor& tensor) {
    return {tensor.element_type(), tensor.shape(), tensor, true};
}

// What planning finds for the step of that name and an input of these elements.
Tensor found(const Program& program, std::string_view name, const Tensor& x) {
    const TensorInfo input = info_of(x);
    const std::array<const TensorInfo*, 1> inputs{&input};
    std::array<TensorInfo, 1> outputs{TensorInfo{x.element_type(), x.shape(), {}, true}};
    const Step& step = program.steps[step_of(program, name)];
    return find_values(step, inputs, outputs) ? outputs[0].value : Tensor();
}

Program tanh_program() {
    GraphBuilder b;
    b.output("y", unary(b, ops::UnaryFunction::tanh, "y", b.input("x", "[?]")));
    return program_of(b);
}

TEST(KnownValues, HaveTheBitsOfTheKernel) {
    Tensor x(ElementType::f32, {500});
    for (int i = 0; i < 500; ++i) x.data<float>()[i] = 0.0137F * static_cast<float>(i - 250);
    const Program program = tanh_program();
    const Step& step = program.steps[step_of(program, "y")];
    const std::array<TensorInfo, 1> sizes{TensorInfo{ElementType::f32, {500}, {}, true}};
    Tensor expected(ElementType::f32, {500});
    const void* const read[] = {x.data()};
    void* const written[] = {expected.data()};
    SerialTeam team;
    step.kernel->prepare({sizes, sizes, 1})->run({read, written, nullptr, team});
    expect_same(found(program, "y", x), expected);
}

TEST(KnownValues, OfIntegersComeFromTheReference) {
    GraphBuilder b;
    b.output("y", unary(b, ops::UnaryFunction::abs, "y", b.input("x", "[?]", ElementType::i64)));
    const Tensor x = tensor_of<std::int64_t>({3}, {-1, 2, -3});
    expect_same(found(program_of(b), "y", x), tensor_of<std::int64_t>({3}, {1, 2, 3}));
}

TEST(KnownValues, AreLeftToTheRunWhereTheyAreLarge) {
    const Tensor large(ElementType::f32, {(1U << 20) + 1});
    EXPECT_FALSE(found(tanh_program(), "y", large));
    EXPECT_TRUE(found(tanh_program(), "y", Tensor(ElementType::f32, {1U << 20})));
}

TEST(KnownValues, NeedTheElementsOfTheInputs) {
    const TensorInfo input{ElementType::f32, {3}, {}, true};
    const std::array<const TensorInfo*, 1> inputs{&input};
    std::array<TensorInfo, 1> outputs{TensorInfo{ElementType::f32, {3}, {}, true}};
    const Program program = tanh_program();
    EXPECT_FALSE(find_values(program.steps[step_of(program, "y")], inputs, outputs));
    EXPECT_FALSE(outputs[0].value);
}

}  // namespace
}  // namespace rondo::cpu::known_values_test
