// Tests a part of frontend/onnx/ops/reduction/along_axis.cpp.
#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::cum_sum_test {
namespace {

using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

TEST(OnnxCumSum, HasItsOptions) {
    for (const std::int64_t opset : {11, 14}) {
        ModelBuilder model(opset);
        model.input("x", ElementType::f32, {3}).input("axis", ElementType::i32, {1});
        model.output("y").output("z");
        model.node("CumSum", {"x", "axis"}, {"y"}, "plain");
        model.node("CumSum", {"x", "axis"}, {"z"}, "other").with("exclusive", 1).with("reverse", 1);
        const auto sums =
            model.run({tensor_of<float>({3}, {1, 2, 4}), tensor_of<std::int32_t>({1}, {-1})});
        expect_same(sums.at(0), tensor_of<float>({3}, {1, 3, 7}));
        expect_same(sums.at(1), tensor_of<float>({3}, {6, 4, 0}));
    }
}

TEST(OnnxCumProd, HasItsOptions) {
    ModelBuilder model(26);
    model.input("x", ElementType::i64, {3}).input("axis", ElementType::i32, PartialShape(Shape{}));
    model.output("y").output("z");
    model.node("CumProd", {"x", "axis"}, {"y"}, "plain");
    model.node("CumProd", {"x", "axis"}, {"z"}, "other").with("exclusive", 1).with("reverse", 1);
    const auto products =
        model.run({tensor_of<std::int64_t>({3}, {1, 2, 4}), scalar_of<std::int32_t>(0)});
    expect_same(products.at(0), tensor_of<std::int64_t>({3}, {1, 2, 8}));
    expect_same(products.at(1), tensor_of<std::int64_t>({3}, {8, 4, 1}));
}

}  // namespace
}  // namespace rondo::onnx::cum_sum_test
