// Tests a part of frontend/onnx/ops/movement/views.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::transpose_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

Tensor run(const PartialShape& shape, const Ints* perm) {
    ModelBuilder model;
    model.input("x", f32, shape).output("y");
    auto node = model.node("Transpose", {"x"}, {"y"});
    if (perm) node.with("perm", *perm);
    return model.run({tensor_of<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6})}).at(0);
}

TEST(OnnxTranspose, ReordersAxes) {
    const Ints perm = {2, 0, 1};
    expect_same(run({1, 2, 3}, &perm), tensor_of<float>({3, 1, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST(OnnxTranspose, ReversesAxesWithoutPerm) {
    expect_same(run({1, 2, 3}, nullptr), tensor_of<float>({3, 2, 1}, {1, 4, 2, 5, 3, 6}));
    expect_same(run({1, Dimension(), 3}, nullptr), tensor_of<float>({3, 2, 1}, {1, 4, 2, 5, 3, 6}));
}

TEST(OnnxTranspose, RefusesWhatIsNoPermutation) {
    const Ints perm = {0, 0, 1};
    expect_error<ModelError>(
        [&] {
            run({1, 2, 3}, &perm);
        },
        "model.onnx: node 'the_Transpose' (Transpose): ");
}

}  // namespace
}  // namespace rondo::onnx::transpose_test
