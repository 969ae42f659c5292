// Tests a part of frontend/onnx/ops/window/pool.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::max_unpool_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
using Ints = std::vector<std::int64_t>;

Tensor ints(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

ModelBuilder model_of(const PartialShape& shape, bool with_shape) {
    ModelBuilder model(22);
    model.input("x", f32, shape).input("i", i64, shape).output("y");
    std::vector<std::string> inputs{"x", "i"};
    if (with_shape) inputs.push_back("shape");
    if (with_shape) model.initializer("shape", ints({1, 1, 5, 5}));
    model.node("MaxUnpool", inputs, {"y"})
        .with("kernel_shape", Ints{2, 2})
        .with("strides", Ints{2, 2});
    return model;
}

const Tensor kX = tensor_of<float>({1, 1, 2, 2}, {1, 2, 3, 4});
const Tensor kPlaces = tensor_of<std::int64_t>({1, 1, 2, 2}, {5, 7, 13, 15});

TEST(OnnxMaxUnpool, PutsElementsAmongZeros) {
    for (const PartialShape& shape : {PartialShape{1, 1, 2, 2}, PartialShape::of_rank(4)}) {
        expect_same(
            model_of(shape, false).run({kX, kPlaces}).at(0),
            tensor_of<float>({1, 1, 4, 4}, {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4}));
    }
    auto padded = model_of({1, 1, 2, 2}, false);
    node(padded).with("pads", Ints{1, 0, 0, 0});
    EXPECT_EQ(padded.run({kX, tensor_of<std::int64_t>({1, 1, 2, 2}, {0, 1, 2, 11})}).at(0).shape(),
              (Shape{1, 1, 3, 4}));
    expect_error<ModelError>(
        [&] {
            padded.run({kX, kPlaces});
        },
        "index 13 is out of range for an axis of extent 12");
}

TEST(OnnxMaxUnpool, FillsUpToAnOutputShape) {
    expect_same(model_of({1, 1, 2, 2}, true).run({kX, kPlaces}).at(0),
                tensor_of<float>({1, 1, 5, 5}, {0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0,
                                                0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0}));
}

TEST(OnnxMaxUnpool, RefusesWrongParts) {
    auto model = model_of({1, 1, 2}, false);
    expect_error<ModelError>([&] { model.read(); }, "kernel_shape has 2 entries");
    ModelBuilder bare(11);
    bare.input("x", f32, {1, 1, 2}).input("i", i64, {1, 1, 2}).output("y");
    bare.node("MaxUnpool", {"x", "i"}, {"y"});
    expect_error<ModelError>([&] { bare.read(); }, "attribute 'kernel_shape' is missing");
}

}  // namespace
}  // namespace rondo::onnx::max_unpool_test
