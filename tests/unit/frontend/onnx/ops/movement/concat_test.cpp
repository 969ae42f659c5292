// Tests a part of frontend/onnx/ops/movement/moves.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::concat_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxConcat, JoinsAlongTheAxis) {
    const auto a = tensor_of<float>({2, 1}, {1, 2});
    const auto b = tensor_of<float>({2, 2}, {3, 4, 5, 6});
    for (const std::int64_t axis : {1, -1}) {
        ModelBuilder model;
        model.input("a", f32, {2, 1}).input("b", f32, {2, 2}).output("y");
        model.node("Concat", {"a", "b"}, {"y"}).with("axis", axis);
        expect_same(model.run({a, b}).at(0), tensor_of<float>({2, 3}, {1, 3, 4, 2, 5, 6}));
    }
}

TEST(OnnxConcat, RefusesMissingParts) {
    ModelBuilder model;
    model.input("a", f32, {2}).output("y").node("Concat", {"a"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'axis' is missing");
    test::NodeBuilder(*model.graph().mutable_node(0)).with("axis", 0);
    EXPECT_NO_THROW(model.read());
    model.graph().mutable_node(0)->clear_input();
    expect_error<ModelError>([&] { model.read(); }, "input 0 is missing");
}

TEST(OnnxConcat, JoinsAlongAxis1BeforeOpset4) {
    ModelBuilder model(3);
    model.input("a", f32, {2, 1}).input("b", f32, {2, 1}).output("y");
    model.node("Concat", {"a", "b"}, {"y"});
    const auto a = tensor_of<float>({2, 1}, {1, 2});
    const auto b = tensor_of<float>({2, 1}, {3, 4});
    expect_same(model.run({a, b}).at(0), tensor_of<float>({2, 2}, {1, 3, 2, 4}));
    test::NodeBuilder(*model.graph().mutable_node(0)).with("axis", 0);
    expect_same(model.run({a, b}).at(0), tensor_of<float>({4, 1}, {1, 2, 3, 4}));
}

}  // namespace
}  // namespace rondo::onnx::concat_test
