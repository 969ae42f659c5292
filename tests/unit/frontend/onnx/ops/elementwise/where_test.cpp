// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::where_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

TEST(OnnxWhere, TakesEitherElement) {
    ModelBuilder model;
    model.input("c", ElementType::boolean, {2, 1}).input("x", ElementType::i64, {2});
    model.input("y", ElementType::i64, {}).output("z").node("Where", {"c", "x", "y"}, {"z"});
    expect_same(model
                    .run({tensor_of<bool>({2, 1}, {true, false}),
                          tensor_of<std::int64_t>({2}, {1, 2}), test::scalar_of<std::int64_t>(9)})
                    .at(0),
                tensor_of<std::int64_t>({2, 2}, {1, 2, 9, 9}));
}

}  // namespace
}  // namespace rondo::onnx::where_test
