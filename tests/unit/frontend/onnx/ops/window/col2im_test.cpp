// Tests a part of frontend/onnx/ops/window/conv.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::col2im_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

Tensor ints(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

TEST(OnnxCol2Im, AddsBlocks) {
    ModelBuilder model(18);
    model.input("x", f32, {1, 2, 4}).initializer("image", ints({2, 3})).output("y");
    model.initializer("block", ints({1, 2})).node("Col2Im", {"x", "image", "block"}, {"y"});
    expect_same(model.run({tensor_of<float>({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})}).at(0),
                tensor_of<float>({1, 1, 2, 3}, {1, 7, 6, 3, 11, 8}));
    ModelBuilder spread(18);
    spread.input("x", f32, {1, 2, 2}).initializer("image", ints({4})).output("y");
    spread.initializer("block", ints({2}));
    spread.node("Col2Im", {"x", "image", "block"}, {"y"})
        .with("strides", Ints{2})
        .with("dilations", Ints{2})
        .with("pads", Ints{1, 1});
    expect_same(spread.run({tensor_of<float>({1, 2, 2}, {1, 2, 3, 4})}).at(0),
                tensor_of<float>({1, 1, 4}, {0, 5, 0, 4}));
    node(spread).with("auto_pad", "VALID");
    expect_error<ModelError>([&] { spread.read(); }, "'auto_pad' is not known");
}

}  // namespace
}  // namespace rondo::onnx::col2im_test
