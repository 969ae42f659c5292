// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::identity_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxIdentity, MakesNoNode) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Identity", {"x"}, {"y"});
    const auto graph = model.read();
    EXPECT_EQ(graph->ordered_nodes().size(), 2u);
    expect_same(model.run({tensor_of<float>({2}, {1, 2})}).at(0), tensor_of<float>({2}, {1, 2}));
}

TEST(OnnxIdentity, HandsOnThroughChains) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("d");
    model.node("Relu", {"x"}, {"a"}).with("unused", 1);
    model.graph().mutable_node(0)->clear_attribute();
    model.node("Identity", {"a"}, {"b"}, "i1");
    model.node("Identity", {"b"}, {"c"}, "i2");
    model.node("Tanh", {"c"}, {"d"});
    EXPECT_EQ(model.read()->ordered_nodes().size(), 4u);
}

}  // namespace
}  // namespace rondo::onnx::identity_test
