// Tests a part of frontend/onnx/ops/movement/views.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::expand_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

// The shape's extents may be 1 where the data's aren't.
TEST(OnnxExpand, BroadcastsBothWays) {
    ModelBuilder model;
    model.input("x", f32, {3, 1}).input("shape", i64, {2}).output("y");
    model.node("Expand", {"x", "shape"}, {"y"});
    const auto x = tensor_of<float>({3, 1}, {1, 2, 3});
    expect_same(model.run({x, tensor_of<std::int64_t>({2}, {1, 2})}).at(0),
                tensor_of<float>({3, 2}, {1, 1, 2, 2, 3, 3}));
    const auto too_short = tensor_of<std::int64_t>({2}, {2, 2});
    expect_error<ModelError>(
        [&] {
            model.run({x, too_short});
        },
        "shapes [3,1] and [2,2] can't be broadcast together");
}

}  // namespace
}  // namespace rondo::onnx::expand_test
