// Tests a part of frontend/onnx/ops/source/constant.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::constant_of_shape_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

ModelBuilder filled(std::int64_t rank) {
    ModelBuilder model(9);
    model.input("shape", i64, {rank}).output("y").node("ConstantOfShape", {"shape"}, {"y"});
    return model;
}

TEST(OnnxConstantOfShape, FillsWithFloatZeros) {
    expect_same(filled(2).run({tensor_of<std::int64_t>({2}, {2, 3})}).at(0), Tensor(f32, {2, 3}));
    expect_same(filled(2).run({tensor_of<std::int64_t>({2}, {0, 3})}).at(0), Tensor(f32, {0, 3}));
    expect_same(filled(0).run({Tensor(i64, {0})}).at(0), scalar_of<float>(0));
}

TEST(OnnxConstantOfShape, FillsWithTheGivenElement) {
    auto model = filled(1);
    test::NodeBuilder node(*model.graph().mutable_node(0));
    node.with("value", tensor_of<std::int32_t>({1}, {7}));
    expect_same(model.run({tensor_of<std::int64_t>({1}, {3})}).at(0),
                tensor_of<std::int32_t>({3}, {7, 7, 7}));
}

TEST(OnnxConstantOfShape, RefusesSeveralElements) {
    auto model = filled(1);
    test::NodeBuilder node(*model.graph().mutable_node(0));
    node.with("value", tensor_of<std::int32_t>({2}, {7, 8}));
    expect_error<ModelError>([&] { model.read(); },
                             "attribute 'value' has shape [2]; expected one element");
}

}  // namespace
}  // namespace rondo::onnx::constant_of_shape_test
