// Tests a part of frontend/onnx/ops/source/constant.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::shape_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

ModelBuilder shape_of(std::int64_t opset) {
    ModelBuilder model(opset);
    model.input("x", f32, {Dimension(), 3, 4}).output("y").node("Shape", {"x"}, {"y"});
    return model;
}

Tensor run(const ModelBuilder& model) { return model.run({Tensor(f32, {2, 3, 4})}).at(0); }

Tensor range(std::int64_t start, std::int64_t end) {
    auto model = shape_of(15);
    test::NodeBuilder(*model.graph().mutable_node(0)).with("start", start).with("end", end);
    return run(model);
}

TEST(OnnxShape, TellsExtents) {
    for (const std::int64_t opset : {7, 13, 15, 21}) {
        expect_same(run(shape_of(opset)), tensor_of<std::int64_t>({3}, {2, 3, 4}));
    }
}

TEST(OnnxShape, TellsARangeSinceOpset15) {
    expect_same(range(1, 3), tensor_of<std::int64_t>({2}, {3, 4}));
    expect_same(range(-2, -1), tensor_of<std::int64_t>({1}, {3}));
    expect_same(range(-100, 100), tensor_of<std::int64_t>({3}, {2, 3, 4}));
    EXPECT_EQ(range(2, 1).size(), 0u);
    auto model = shape_of(15);
    test::NodeBuilder(*model.graph().mutable_node(0)).with("start", 2);
    expect_same(run(model), tensor_of<std::int64_t>({1}, {4}));
    model = shape_of(14);
    test::NodeBuilder(*model.graph().mutable_node(0)).with("start", 2);
    expect_error<UnsupportedError>([&] { model.read(); }, "attribute 'start' is not known");
}

}  // namespace
}  // namespace rondo::onnx::shape_test
