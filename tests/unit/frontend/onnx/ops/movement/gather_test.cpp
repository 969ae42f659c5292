// Tests a part of frontend/onnx/ops/movement/moves.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::gather_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

TEST(OnnxGather, TakesSlices) {
    for (const std::int64_t opset : {7, 11, 13}) {
        ModelBuilder model(opset);
        model.input("x", f32, {2, 3}).input("at", i64, {2}).output("y");
        model.node("Gather", {"x", "at"}, {"y"}).with("axis", 1);
        expect_same(model
                        .run({tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
                              tensor_of<std::int64_t>({2}, {2, -3})})
                        .at(0),
                    tensor_of<float>({2, 2}, {3, 1, 6, 4}));
    }
}

TEST(OnnxGather, DropsTheAxisForAScalar) {
    ModelBuilder model;
    model.input("x", f32, {2, 3}).initializer("at", scalar_of<std::int64_t>(1)).output("y");
    model.node("Gather", {"x", "at"}, {"y"});
    expect_same(model.run({tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6})}).at(0),
                tensor_of<float>({3}, {4, 5, 6}));
}

}  // namespace
}  // namespace rondo::onnx::gather_test
