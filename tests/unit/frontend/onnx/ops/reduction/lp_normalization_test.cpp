// Tests a part of frontend/onnx/ops/reduction/normalization.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::lp_normalization_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

TEST(OnnxLpNormalization, DividesByTheNorm) {
    const auto x = tensor_of<float>({2, 2}, {3, -4, 0, 0});
    ModelBuilder model(1);
    model.input("x", ElementType::f32, {2, 2}).output("y");
    model.node("LpNormalization", {"x"}, {"y"}, "norm");
    expect_near(model.run({x}).at(0), tensor_of<float>({2, 2}, {0.6F, -0.8F, 0, 0}), 1e-7);
    NodeBuilder(*model.graph().mutable_node(0)).with("p", 1).with("axis", 0);
    expect_near(model.run({x}).at(0), tensor_of<float>({2, 2}, {1, -1, 0, 0}), 0);
}

TEST(OnnxLpNormalization, RefusesOtherNorms) {
    ModelBuilder model(1);
    model.input("x", ElementType::f32, {2, 2}).output("y");
    model.node("LpNormalization", {"x"}, {"y"}, "norm").with("p", 3);
    expect_error<ModelError>([&] { model.read(); }, "attribute 'p' is 3; expected 1 or 2");
}

}  // namespace
}  // namespace rondo::onnx::lp_normalization_test
