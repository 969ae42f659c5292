// Tests a part of frontend/onnx/ops/movement/views.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::reshape_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
using Ints = std::vector<std::int64_t>;

ModelBuilder reshape(const Shape& shape, const Ints& pattern, std::int64_t opset = 14) {
    ModelBuilder model(opset);
    model.input("x", f32, shape).output("y");
    model.initializer("shape", tensor_of<std::int64_t>({pattern.size()}, pattern));
    model.node("Reshape", {"x", "shape"}, {"y"});
    return model;
}

ModelBuilder allowing_zero(ModelBuilder model) {
    test::NodeBuilder(*model.graph().mutable_node(0)).with("allowzero", 1);
    return model;
}

TEST(OnnxReshape, CopiesAtZeroAndFillsMinusOne) {
    for (const std::int64_t opset : {7, 13, 14, 21}) {
        expect_same(reshape({2, 3, 1}, {0, -1}, opset).run({Tensor(f32, {2, 3, 1})}).at(0),
                    Tensor(f32, {2, 3}));
    }
}

TEST(OnnxReshape, TakesZeroLiterallyWhenAllowed) {
    EXPECT_EQ(allowing_zero(reshape({0, 3}, {3, 0})).run({Tensor(f32, {0, 3})}).at(0).shape(),
              (Shape{3, 0}));
    // Without it the zero copies data's extent, 3.
    EXPECT_EQ(reshape({3, 3}, {9, 1}).run({Tensor(f32, {3, 3})}).at(0).shape(), (Shape{9, 1}));
    expect_error<ModelError>(
        [] {
            reshape({2, 3}, {3, 0}).read();
        },
        "node 'the_Reshape' (Reshape): ");
}

TEST(OnnxReshape, RefusesZeroBesideMinusOneWhenAllowed) {
    expect_error<ModelError>(
        [] {
            allowing_zero(reshape({0, 3}, {0, -1})).read();
        },
        "shape holds both 0 and -1, but allowzero is 1");
}

TEST(OnnxReshape, KnowsAllowzeroSinceOpset14) {
    expect_error<UnsupportedError>(
        [] {
            allowing_zero(reshape({0, 3}, {0, 3}, 13)).read();
        },
        "attribute 'allowzero' is not known");
}

TEST(OnnxReshape, TakesAPatternAtRunTime) {
    ModelBuilder model;
    model.input("x", f32, {2, 3}).input("shape", i64, {2}).output("y");
    model.node("Reshape", {"x", "shape"}, {"y"});
    EXPECT_EQ(model.run({Tensor(f32, {2, 3}), tensor_of<std::int64_t>({2}, {-1, 2})}).at(0).shape(),
              (Shape{3, 2}));
}

TEST(OnnxReshape, TakesTheShapeAsAnAttributeBeforeOpset5) {
    ModelBuilder model(4);
    model.input("x", f32, {2, 3}).output("y").node("Reshape", {"x"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'shape' is missing");
    test::NodeBuilder node(*model.graph().mutable_node(0));
    node.with("shape", Ints{0, -1, 1}).with("consumed_inputs", Ints{0});
    const Tensor x = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    expect_same(model.run({x}).at(0), tensor_of<float>({2, 3, 1}, {1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace rondo::onnx::reshape_test
