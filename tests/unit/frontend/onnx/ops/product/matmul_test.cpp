#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxMatMul, Multiplies) {
    const auto a = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    for (const std::int64_t opset : {7, 13}) {
        ModelBuilder model(opset);
        model.input("a", f32, {2, 2}).input("b", f32, {2, 1}).output("y");
        model.node("MatMul", {"a", "b"}, {"y"});
        expect_same(model.run({a, tensor_of<float>({2, 1}, {10, 1})}).at(0),
                    tensor_of<float>({2, 1}, {12, 34}));
    }
}

TEST(OnnxMatMul, TakesVectors) {
    ModelBuilder model;
    model.input("a", f32, {2}).input("b", f32, {2, 2}).output("y");
    model.node("MatMul", {"a", "b"}, {"y"});
    expect_same(
        model.run({tensor_of<float>({2}, {1, 10}), tensor_of<float>({2, 2}, {1, 2, 3, 4})}).at(0),
        tensor_of<float>({2}, {31, 42}));
}

}  // namespace
}  // namespace rondo::onnx
