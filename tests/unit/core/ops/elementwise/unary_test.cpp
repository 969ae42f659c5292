// Tests a part of core/ops/elementwise/elementwise_ops.hpp.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/function_facts.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::unary_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

Tensor run(ops::UnaryFunction function, const Tensor& x) {
    return evaluate_one(ops::Unary(function), {x});
}

TEST(Unary, IsListedUnderOpenVinosNames) {
    for (const char* name : {"Sqrt", "Sigmoid", "Tanh", "ReLU"}) {
        const auto* entry = ops::find_op(name, "opset1");
        ASSERT_NE(entry, nullptr) << name;
        EXPECT_NE(reference::find_evaluator(*entry->type), nullptr) << name;
        EXPECT_TRUE(attributes_of(*entry->make()).empty());
    }
}

TEST(Unary, KeepsTypeAndShape) {
    EXPECT_EQ(inferred(*make_node<ops::Unary>(ops::UnaryFunction::tanh, parameter("2,?,3"))),
              "f32[2,?,3]");
    EXPECT_EQ(inferred(*make_node<ops::Unary>(ops::UnaryFunction::sqrt,
                                              parameter("...", ElementType::f16))),
              "f16[...]");
    EXPECT_EQ(
        inferred(*make_node<ops::Unary>(ops::UnaryFunction::relu, parameter("4", ElementType::i8))),
        "i8[4]");
    EXPECT_EQ(inferred(*make_node<ops::Unary>(ops::UnaryFunction::sigmoid,
                                              parameter("2", ElementType::dynamic))),
              "dynamic[2]");
}

TEST(Unary, RefusesOtherTypes) {
    const auto integer =
        unchecked<ops::Unary>({parameter("2", ElementType::i32)}, ops::UnaryFunction::sigmoid);
    expect_error<UnsupportedError>(
        [&] { integer->validate(); },
        "node 'n' (Sigmoid): the input is i32; expected a floating type");
    const auto boolean =
        unchecked<ops::Unary>({parameter("2", ElementType::boolean)}, ops::UnaryFunction::relu);
    expect_error<UnsupportedError>([&] { boolean->validate(); },
                                   "node 'n' (ReLU): the input is boolean; expected numbers");
    for (const auto& node : {NodePtr(unchecked<ops::Unary>({}, ops::UnaryFunction::tanh)),
                             NodePtr(unchecked<ops::Unary>({}, ops::UnaryFunction::relu))}) {
        expect_error<ModelError>([&] { node->validate(); }, "got 0 inputs; expected 1");
    }
}

TEST(Unary, ComputesKnownValues) {
    expect_near(run(ops::UnaryFunction::sqrt, tensor_of<float>({4}, {0, 4, 2, -1})),
                tensor_of<float>({4}, {0, 2, 1.41421356f, kNan}), 0);
    expect_near(run(ops::UnaryFunction::sigmoid, tensor_of<float>({4}, {0, 1, -2, 0.5f})),
                tensor_of<float>({4}, {0.5f, 0.731058579f, 0.119202922f, 0.622459331f}), 0);
    expect_near(run(ops::UnaryFunction::tanh, tensor_of<float>({4}, {0, 1, -2, 0.5f})),
                tensor_of<float>({4}, {0, 0.761594156f, -0.964027580f, 0.462117157f}), 0);
    expect_same(run(ops::UnaryFunction::relu, tensor_of<float>({2, 2}, {-1, 0, 2, -0.f})),
                tensor_of<float>({2, 2}, {0, 0, 2, -0.f}));
}

TEST(Unary, ComputesSpecialValues) {
    const auto special = tensor_of<float>({3}, {-kInfinity, kInfinity, kNan});
    expect_same(run(ops::UnaryFunction::sigmoid, special), tensor_of<float>({3}, {0, 1, kNan}));
    expect_same(run(ops::UnaryFunction::tanh, special), tensor_of<float>({3}, {-1, 1, kNan}));
    expect_same(run(ops::UnaryFunction::relu, special),
                tensor_of<float>({3}, {0, kInfinity, kNan}));
    expect_same(run(ops::UnaryFunction::sqrt, special),
                tensor_of<float>({3}, {kNan, kInfinity, kNan}));
    // Far out the sigmoid is exp(x), not 0.
    EXPECT_GT(run(ops::UnaryFunction::sigmoid, scalar_of(-100.f)).data<float>()[0], 3.7e-44f);
}

TEST(Unary, ComputesInEveryFloatingType) {
    for (const ElementType type : {ElementType::f64, ElementType::f16, ElementType::bf16}) {
        SCOPED_TRACE(std::string(to_string(type)));
        const auto x = converted(tensor_of<double>({2}, {0.5, -1.25}), type);
        const auto expected = tensor_of<double>({2}, {std::tanh(0.5), std::tanh(-1.25)});
        expect_same(run(ops::UnaryFunction::tanh, x), converted(expected, type));
    }
}

TEST(Unary, ReluOfIntegers) {
    expect_same(run(ops::UnaryFunction::relu, tensor_of<std::int8_t>({3}, {-128, 0, 127})),
                tensor_of<std::int8_t>({3}, {0, 0, 127}));
    const auto most = std::numeric_limits<std::uint64_t>::max();
    expect_same(run(ops::UnaryFunction::relu, scalar_of(most)), scalar_of(most));
}

TEST(Unary, TakesEmptyTensors) {
    EXPECT_EQ(run(ops::UnaryFunction::tanh, Tensor(ElementType::f32, {2, 0})).shape(),
              (Shape{2, 0}));
}

TEST(Unary, EveryFunctionHoldsItsFacts) {
    ASSERT_EQ(unary_facts().size(), std::size(ops::kUnaryOps)) << "a row has no facts";
    auto rng = test_rng();
    for (std::size_t i = 0; i < unary_facts().size(); ++i) {
        const auto& facts = unary_facts()[i];
        SCOPED_TRACE(std::string(ops::kUnaryOps[i].type.name));
        ASSERT_EQ(facts.function, ops::kUnaryOps[i].function);
        if (facts.of == nullptr) continue;
        for (const ElementType type : {ElementType::f64, ElementType::f32}) {
            const Tensor x = unary_samples(facts, type, rng);
            expect_unary(facts, x, run(facts.function, x));
        }
    }
}

TEST(Unary, EveryFunctionOfIntegersHoldsItsFacts) {
    auto rng = test_rng();
    for (const auto& facts : unary_facts()) {
        const ops::TypeRule rule = ops::kUnaryOps[static_cast<int>(facts.function)].types;
        SCOPED_TRACE(std::string(ops::Unary(facts.function).type_name()));
        ASSERT_EQ(facts.of_integers != nullptr, ops::takes(rule, ElementType::i8));
        if (facts.of_integers == nullptr) continue;
        const Tensor x = random_tensor(ElementType::i8, {50}, rng, -99, 99);
        const Tensor y = run(facts.function, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_EQ(y.data<std::int8_t>()[i], facts.of_integers(x.data<std::int8_t>()[i]));
        }
    }
}

}  // namespace
}  // namespace rondo::unary_test
