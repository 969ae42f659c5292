// Tests a part of frontend/onnx/ops/movement/pad.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::center_crop_pad_test {
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

ModelBuilder model_of(const PartialShape& shape, const Ints& wanted) {
    ModelBuilder model(18);
    model.input("x", f32, shape).initializer("shape", ints(wanted)).output("y");
    model.node("CenterCropPad", {"x", "shape"}, {"y"});
    return model;
}

Tensor row(const std::vector<float>& values) { return tensor_of<float>({values.size()}, values); }

TEST(OnnxCenterCropPad, TakesOrAddsAtBothEnds) {
    const Tensor x = row({1, 2, 3, 4});
    for (const PartialShape& shape : {PartialShape{4}, PartialShape{-1}}) {
        expect_same(model_of(shape, {4}).run({x}).at(0), x);
        expect_same(model_of(shape, {2}).run({x}).at(0), row({2, 3}));
        expect_same(model_of(shape, {1}).run({x}).at(0), row({2}));
        expect_same(model_of(shape, {3}).run({x}).at(0), row({1, 2, 3}));
        expect_same(model_of(shape, {7}).run({x}).at(0), row({0, 1, 2, 3, 4, 0, 0}));
    }
}

TEST(OnnxCenterCropPad, NamesAxes) {
    const Tensor x = tensor_of<float>({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    auto model = model_of({-1, 2, 3}, {1, 3});
    node(model).with("axes", Ints{-1, 1});
    expect_same(model.run({x}).at(0), tensor_of<float>({2, 3, 1}, {2, 5, 0, 8, 11, 0}));
    auto twice = model_of({-1, 2, 3}, {1, 3});
    node(twice).with("axes", Ints{-1, 2});
    expect_error<ModelError>([&] { twice.read(); }, "twice");
    auto few = model_of({-1, 2, 3}, {1});
    node(few).with("axes", Ints{0, 1});
    expect_error<ModelError>([&] { few.read(); }, "shape has shape [1]; expected [2]");
    ModelBuilder late(18);
    late.input("x", f32, {2, 2, 3}).input("shape", ElementType::i32, {1}).output("y");
    late.node("CenterCropPad", {"x", "shape"}, {"y"}).with("axes", Ints{2});
    expect_same(late.run({x, tensor_of<std::int32_t>({1}, {1})}).at(0),
                tensor_of<float>({2, 2, 1}, {2, 5, 8, 11}));
}

}  // namespace
}  // namespace rondo::onnx::center_crop_pad_test
