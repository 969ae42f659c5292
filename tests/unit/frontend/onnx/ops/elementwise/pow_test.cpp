// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::pow_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

Tensor run(const Tensor& base, const Tensor& exponent) {
    ModelBuilder model;
    model.input("x", base.element_type(), base.shape()).output("z");
    model.input("y", exponent.element_type(), exponent.shape());
    model.node("Pow", {"x", "y"}, {"z"});
    return model.run({base, exponent}).at(0);
}

TEST(OnnxPow, TakesPowers) {
    expect_near(run(tensor_of<float>({2}, {2, 9}), tensor_of<float>({2}, {3, 0.5f})),
                tensor_of<float>({2}, {8, 3}), 1e-6);
}

// The result has the base's type.
TEST(OnnxPow, TakesAnExponentOfAnotherType) {
    expect_near(run(tensor_of<float>({2}, {-2, 3}), tensor_of<std::int64_t>({2}, {3, 2})),
                tensor_of<float>({2}, {-8, 9}), 1e-6);
    expect_same(run(tensor_of<std::int32_t>({2}, {9, 2}), tensor_of<float>({2}, {0.5f, 3})),
                tensor_of<std::int32_t>({2}, {3, 8}));
    // 256 as an i8 would be 0.
    expect_same(run(tensor_of<std::int8_t>({2}, {1, -1}), tensor_of<std::int64_t>({2}, {256, 257})),
                tensor_of<std::int8_t>({2}, {1, -1}));
    expect_same(run(tensor_of<std::int8_t>({1}, {2}), tensor_of<std::int64_t>({1}, {256})),
                tensor_of<std::int8_t>({1}, {0}));
    // An exponent of 2^63 + 1 is none below 0.
    const std::uint64_t great = (std::uint64_t{1} << 63) + 1;
    expect_same(run(tensor_of<std::int32_t>({2}, {3, -3}), tensor_of<std::uint64_t>({1}, {great})),
                tensor_of<std::int32_t>({2}, {3, -3}));
}

// A type between the two would round a number that the result depends on.
TEST(OnnxPow, ComputesInATypeThatHoldsBoth) {
    expect_same(run(tensor_of<std::int64_t>({1}, {16777217}), tensor_of<float>({1}, {1})),
                tensor_of<std::int64_t>({1}, {16777217}));
    expect_same(run(tensor_of<std::int64_t>({1}, {300}), tensor_of<float16>({1}, {float16(2.0f)})),
                tensor_of<std::int64_t>({1}, {90000}));
    expect_same(run(tensor_of<float>({2}, {-1, -1}), tensor_of<std::int32_t>({2}, {16777217, 2})),
                tensor_of<float>({2}, {-1, 1}));
}

// A constant exponent that the base's type holds needs no wider type.
TEST(OnnxPow, KeepsTheBasesTypeForAConstantThatFits) {
    for (const auto& [exponent, nodes] : {std::pair<std::int64_t, int>{2, 0}, {16777217, 1}}) {
        ModelBuilder model;
        model.input("x", ElementType::f32, {1}).output("z");
        model.initializer("y", tensor_of<std::int64_t>({}, {exponent}));
        model.node("Pow", {"x", "y"}, {"z"});
        EXPECT_EQ(to_text(*model.read()).find("f64") != std::string::npos, nodes == 1) << exponent;
        expect_same(model.run({tensor_of<float>({1}, {-1})}).at(0),
                    tensor_of<float>({1}, {exponent == 2 ? 1.0f : -1.0f}));
    }
}

TEST(OnnxPow, TakesAConstantExponentOfANarrowType) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {1}).output("z");
    model.initializer("y", Tensor(ElementType::f8e4m3, {}));
    model.node("Pow", {"x", "y"}, {"z"});
    expect_same(model.run({tensor_of<float>({1}, {5})}).at(0), tensor_of<float>({1}, {1}));
}

TEST(OnnxPow, PlacesTheExponentsAxesBeforeOpset7) {
    ModelBuilder model(6);
    model.input("x", ElementType::f32, {2, 2}).input("y", ElementType::f32, {2}).output("z");
    model.node("Pow", {"x", "y"}, {"z"});
    expect_error<ModelError>([&] { model.read(); }, "[2,2]");
    test::NodeBuilder(*model.graph().mutable_node(0)).with("broadcast", 1).with("axis", 0);
    const Tensor x = tensor_of<float>({2, 2}, {2, 3, 4, 5});
    expect_near(model.run({x, tensor_of<float>({2}, {2, 1})}).at(0),
                tensor_of<float>({2, 2}, {4, 9, 4, 5}), 1e-6);
}

}  // namespace
}  // namespace rondo::onnx::pow_test
