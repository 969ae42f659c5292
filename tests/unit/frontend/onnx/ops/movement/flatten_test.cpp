// Tests a part of frontend/onnx/ops/movement/views.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::flatten_test {
namespace {

using test::expect_error;
using test::ModelBuilder;

constexpr ElementType f32 = ElementType::f32;

ModelBuilder flatten(const PartialShape& shape, std::int64_t axis) {
    ModelBuilder model(13);
    model.input("x", f32, shape).output("y").node("Flatten", {"x"}, {"y"}).with("axis", axis);
    return model;
}

Shape run(const PartialShape& declared, const Shape& shape, std::int64_t axis) {
    return flatten(declared, axis).run({Tensor(f32, shape)}).at(0).shape();
}

TEST(OnnxFlatten, MakesTwoAxes) {
    const Shape expected[] = {{1, 24}, {2, 12}, {6, 4}, {24, 1}};
    const Dimension open;
    for (const PartialShape& shape :
         {PartialShape{2, 3, 4}, PartialShape{open, open, open}, PartialShape{open, 3, 4},
          PartialShape{2, open, 4}, PartialShape{2, 3, open}}) {
        for (std::int64_t axis = -3; axis <= 3; ++axis) {
            const auto from_front = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
            EXPECT_EQ(run(shape, {2, 3, 4}, axis), expected[from_front])
                << to_string(shape) << " " << axis;
        }
    }
}

TEST(OnnxFlatten, KeepsEmptyTensors) {
    EXPECT_EQ(run({2, 0, 3}, {2, 0, 3}, 1), (Shape{2, 0}));
    EXPECT_EQ(run({2, 0, 3}, {2, 0, 3}, 2), (Shape{0, 3}));
    const auto open = PartialShape::of_rank(3);
    EXPECT_EQ(run(open, {2, 0, 4}, 1), (Shape{2, 0}));
    EXPECT_EQ(run(open, {0, 3, 4}, 1), (Shape{0, 12}));
    EXPECT_EQ(run(open, {2, 3, 0}, 2), (Shape{6, 0}));
    EXPECT_EQ(run(open, {2, 0, 4}, 2), (Shape{0, 4}));
    EXPECT_EQ(run({0, Dimension(), 4}, {0, 3, 4}, 2), (Shape{0, 4}));
}

TEST(OnnxFlatten, RefusesBadAxesAndUnknownRanks) {
    expect_error<ModelError>(
        [] {
            flatten({2, 3}, 3).read();
        },
        "axis 3 is out of range for rank 2");
    expect_error<UnsupportedError>([] { flatten(PartialShape(), 1).read(); },
                                   "the input's rank isn't known");
}

}  // namespace
}  // namespace rondo::onnx::flatten_test
