// Tests a part of frontend/onnx/ops/source/constant.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::range_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

TEST(OnnxRange, KeepsTheTypeOfItsNumbers) {
    ModelBuilder model(11);
    const PartialShape scalar((Shape()));
    model.input("start", ElementType::i32, scalar).output("y");
    model.initializer("limit", scalar_of<std::int32_t>(6));
    model.initializer("delta", scalar_of<std::int32_t>(-3));
    model.node("Range", {"start", "limit", "delta"}, {"y"});
    expect_same(model.run({scalar_of<std::int32_t>(10)}).at(0),
                tensor_of<std::int32_t>({2}, {10, 7}));
    expect_same(model.run({scalar_of<std::int32_t>(3)}).at(0), tensor_of<std::int32_t>({0}, {}));
}

TEST(OnnxRange, TakesVectorsOfOneElement) {
    ModelBuilder model;
    model.input("stop", ElementType::i64, {Dimension()}).output("y");
    model.initializer("start", scalar_of<std::int64_t>(1));
    model.initializer("step", tensor_of<std::int64_t>({1}, {2}));
    model.node("Range", {"start", "stop", "step"}, {"y"});
    expect_same(model.run({tensor_of<std::int64_t>({1}, {4})}).at(0),
                tensor_of<std::int64_t>({2}, {1, 3}));
}

TEST(OnnxRange, RefusesAStepOfZero) {
    ModelBuilder model;
    const PartialShape scalar((Shape()));
    model.input("a", ElementType::f32, scalar).output("y");
    model.initializer("step", scalar_of(0.0F));
    model.node("Range", {"a", "a", "step"}, {"y"});
    expect_error<ModelError>([&] { model.run({scalar_of(1.0F)}); },
                             "node 'the_Range' (Range): step is 0");
}

}  // namespace
}  // namespace rondo::onnx::range_test
