// Tests a part of frontend/onnx/ops/indexing/gather_scatter.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::non_max_suppression_test {
namespace {

using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

Tensor ints(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

TEST(OnnxNonMaxSuppression, LooksAtAllScoresUnlessToldOtherwise) {
    const Tensor boxes = tensor_of<float>({1, 2, 4}, {0, 0, 1, 1, 5, 5, 6, 6});
    const Tensor scores = tensor_of<float>({1, 1, 2}, {-0.5F, 0.5F});
    ModelBuilder model(11);
    model.input("b", f32, {1, 2, 4}).input("s", f32, {1, 1, 2}).output("y");
    model.initializer("most", ints({4}));
    model.node("NonMaxSuppression", {"b", "s", "most"}, {"y"});
    expect_same(model.run({boxes, scores}).at(0),
                tensor_of<std::int64_t>({2, 3}, {0, 0, 1, 0, 0, 0}));
    ModelBuilder bounded(11);
    bounded.input("b", f32, {1, 2, 4}).input("s", f32, {1, 1, 2}).output("y");
    bounded.initializer("most", ints({4})).initializer("least", tensor_of<float>({}, {0}));
    bounded.node("NonMaxSuppression", {"b", "s", "most", "", "least"}, {"y"})
        .with("center_point_box", 1);
    expect_same(bounded.run({boxes, scores}).at(0), tensor_of<std::int64_t>({1, 3}, {0, 0, 1}));
    ModelBuilder none(10);
    none.input("b", f32, {1, 2, 4}).input("s", f32, {1, 1, 2}).output("y");
    none.node("NonMaxSuppression", {"b", "s"}, {"y"});
    EXPECT_EQ(none.run({boxes, scores}).at(0).shape(), (Shape{0, 3}));
}

}  // namespace
}  // namespace rondo::onnx::non_max_suppression_test
