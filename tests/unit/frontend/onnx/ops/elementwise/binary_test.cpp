// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::binary_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

// One node of this operator with two inputs of 1 to 3 elements.
Tensor run(const char* op_type, const Tensor& a, const Tensor& b, std::int64_t opset = 14) {
    ModelBuilder model(opset);
    model.input("a", a.element_type(), a.shape()).input("b", b.element_type(), b.shape());
    model.output("y").node(op_type, {"a", "b"}, {"y"});
    return model.run({a, b}).at(0);
}

Tensor run(const char* op_type, const Tensor& x) {
    ModelBuilder model;
    model.input("x", x.element_type(), x.shape()).output("y").node(op_type, {"x"}, {"y"});
    return model.run({x}).at(0);
}

TEST(OnnxBinary, Computes) {
    const auto a = tensor_of<float>({3}, {6, -7, 8});
    const auto b = tensor_of<float>({1}, {2});
    for (const std::int64_t opset : {7, 13, 22}) {
        expect_same(run("Add", a, b, opset), tensor_of<float>({3}, {8, -5, 10}));
        expect_same(run("Sub", a, b, opset), tensor_of<float>({3}, {4, -9, 6}));
        expect_same(run("Mul", a, b, opset), tensor_of<float>({3}, {12, -14, 16}));
        expect_same(run("Div", a, b, opset), tensor_of<float>({3}, {3, -3.5f, 4}));
    }
}

TEST(OnnxBinary, DividesIntegersTowardsZero) {
    expect_same(run("Div", tensor_of<std::int32_t>({4}, {7, -7, 7, -7}),
                    tensor_of<std::int32_t>({4}, {2, 2, -2, -2})),
                tensor_of<std::int32_t>({4}, {3, -3, -3, 3}));
}

TEST(OnnxBinary, NegatesZeroToo) {
    expect_same(run("Neg", tensor_of<float>({2}, {0, 3})), tensor_of<float>({2}, {-0.0f, -3}));
    expect_same(run("Neg", tensor_of<std::int64_t>({2}, {5, -1})),
                tensor_of<std::int64_t>({2}, {-5, 1}));
}

TEST(OnnxBinary, TakesReciprocals) {
    expect_same(run("Reciprocal", tensor_of<float>({2}, {4, -0.5f})),
                tensor_of<float>({2}, {0.25f, -2}));
}

TEST(OnnxBinary, RefusesTheWrongNumberOfInputs) {
    ModelBuilder model;
    model.input("x", f32, {1}).output("y").node("Add", {"x", "x", "x"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "node 'the_Add' (Add): input 2 is not known");
    model.graph().mutable_node(0)->mutable_input()->DeleteSubrange(1, 2);
    expect_error<ModelError>([&] { model.read(); }, "node 'the_Add' (Add): input 1 is missing");
}

// One operator of opset 6 with the attributes of that time.
ModelBuilder legacy(const Shape& a, const Shape& b, std::int64_t axis) {
    ModelBuilder model(6);
    model.input("a", f32, a).input("b", f32, b).output("y");
    auto node = model.node("Sub", {"a", "b"}, {"y"});
    node.with("broadcast", 1).with("consumed_inputs", std::vector<std::int64_t>{0, 0});
    if (axis >= 0) node.with("axis", axis);
    return model;
}

TEST(OnnxBinary, HonoursTheBroadcastOfOldOpsets) {
    const auto a = tensor_of<float>({2, 3, 1}, {1, 2, 3, 4, 5, 6});
    expect_same(legacy({2, 3, 1}, {2}, 0).run({a, tensor_of<float>({2}, {1, 2})}).at(0),
                tensor_of<float>({2, 3, 1}, {0, 1, 2, 2, 3, 4}));
    expect_same(legacy({2, 3, 1}, {3}, 1).run({a, tensor_of<float>({3}, {1, 2, 3})}).at(0),
                tensor_of<float>({2, 3, 1}, {0, 0, 0, 3, 3, 3}));
    expect_same(legacy({2, 3, 1}, {3, 1}, -1).run({a, tensor_of<float>({3, 1}, {1, 2, 3})}).at(0),
                tensor_of<float>({2, 3, 1}, {0, 0, 0, 3, 3, 3}));
}

TEST(OnnxBinary, RefusesShapesThatOldOpsetsDoNotBroadcast) {
    expect_error<ModelError>(
        [] {
            legacy({2, 3}, {2, 3}, 1).read();
        },
        "attribute 'axis' is 1; expected 0 to the rank of A without that of "
        "B, 0");
    ModelBuilder model(6);
    model.input("a", f32, {2, 3}).input("b", f32, {3}).output("y").node("Add", {"a", "b"}, {"y"});
    expect_error<ModelError>([&] { model.read(); },
                             "the inputs have shapes [2,3] and [3]; expected equal ones");
    ModelBuilder open(6);
    open.input("a", f32, PartialShape()).input("b", f32, {3}).output("y");
    open.node("Mul", {"a", "b"}, {"y"}).with("broadcast", 1).with("axis", 0);
    expect_error<UnsupportedError>([&] { open.read(); },
                                   "attribute 'axis' needs inputs whose ranks are known");
}

TEST(OnnxBinary, NeverBroadcastsTheFirstInputOfOldOpsets) {
    expect_error<ModelError>(
        [] {
            legacy({1, 3}, {2, 3}, -1).read();
        },
        "B has shape [2,3], which can't be broadcast to [1,3]");
    expect_error<ModelError>(
        [] {
            legacy({1, 3}, {2}, 0).read();
        },
        "B has shape [2,1], which can't be broadcast to [1,3]");
    expect_error<ModelError>(
        [] {
            legacy({3}, {1, 3}, -1).read();
        },
        "B has shape [1,3], which can't be broadcast to [3]");
}

TEST(OnnxBinary, RefusesAnAttributeOfOldOpsets) {
    ModelBuilder model(7);
    model.input("x", f32, {1}).output("y").node("Add", {"x", "x"}, {"y"}).with("broadcast", 1);
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "node 'the_Add' (Add): attribute 'broadcast' is not known");
}

TEST(OnnxBinary, NeedsTheTypeForItsConstants) {
    ModelBuilder model;
    model.input("x", f32, {1}).output("y").node("Reciprocal", {"x"}, {"y"});
    model.graph().mutable_input(0)->clear_type();
    expect_error<UnsupportedError>([&] { model.read(); }, "the element type of X isn't known");
}

}  // namespace
}  // namespace rondo::onnx::binary_test
