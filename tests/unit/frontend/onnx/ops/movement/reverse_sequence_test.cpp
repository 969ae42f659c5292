// Tests a part of frontend/onnx/ops/movement/moves.cpp.
#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::reverse_sequence_test {
namespace {

using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

const Tensor kData = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(OnnxReverseSequence, RunsOverTheFirstAxisByDefault) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2, 3}).output("y");
    model.initializer("lengths", tensor_of<std::int64_t>({3}, {2, 1, 2}));
    model.node("ReverseSequence", {"x", "lengths"}, {"y"});
    expect_same(model.run({kData}).at(0), tensor_of<float>({2, 3}, {4, 2, 6, 1, 5, 3}));
}

TEST(OnnxReverseSequence, TakesAxes) {
    ModelBuilder model(10);
    model.input("x", ElementType::f32, {2, 3}).input("lengths", ElementType::i64, {2}).output("y");
    model.node("ReverseSequence", {"x", "lengths"}, {"y"})
        .with("batch_axis", 0)
        .with("time_axis", 1);
    expect_same(model.run({kData, tensor_of<std::int64_t>({2}, {3, 2})}).at(0),
                tensor_of<float>({2, 3}, {3, 2, 1, 5, 4, 6}));
}

}  // namespace
}  // namespace rondo::onnx::reverse_sequence_test
