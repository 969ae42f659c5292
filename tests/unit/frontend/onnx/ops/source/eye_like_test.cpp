// Tests a part of frontend/onnx/ops/source/constant.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::eye_like_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

TEST(OnnxEyeLike, HasOnesOnADiagonal) {
    for (const PartialShape& shape : {PartialShape{2, 3}, PartialShape()}) {
        ModelBuilder model(9);
        model.input("x", ElementType::i64, shape).output("y").output("z");
        model.node("EyeLike", {"x"}, {"y"}, "one").with("k", 1).with("dtype", 1);
        model.node("EyeLike", {"x"}, {"z"}, "two").with("k", -1);
        const auto results = model.run({Tensor(ElementType::i64, {2, 3})});
        expect_same(results.at(0), tensor_of<float>({2, 3}, {0, 1, 0, 0, 0, 1}));
        expect_same(results.at(1), tensor_of<std::int64_t>({2, 3}, {0, 0, 0, 1, 0, 0}));
    }
    ModelBuilder model(9);
    model.input("x", ElementType::f32, {2}).output("y");
    model.node("EyeLike", {"x"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "input has shape [2]; expected [?,?]");
    ModelBuilder open(9);
    open.input("x", ElementType::f32, PartialShape()).output("y").node("EyeLike", {"x"}, {"y"});
    for (const Shape& shape : {Shape{2}, Shape{2, 2, 1}, Shape{2, 2, 2}}) {
        expect_error<ModelError>([&] { open.run({Tensor(ElementType::f32, shape)}); },
                                 "can't be reshaped");
    }
}

}  // namespace
}  // namespace rondo::onnx::eye_like_test
