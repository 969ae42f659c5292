// Tests a part of frontend/onnx/ops/indexing/gather_scatter.cpp.
#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::gather_elements_test {
namespace {

using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

TEST(OnnxGatherElements, TakesAnAxis) {
    for (const std::int64_t axis : {0, 1}) {
        ModelBuilder model(11);
        model.input("x", ElementType::f32, {2, 2}).input("i", ElementType::i64, {2, 2});
        model.output("y");
        auto node = model.node("GatherElements", {"x", "i"}, {"y"});
        if (axis != 0) node.with("axis", axis);
        const auto expected = axis == 0 ? tensor_of<float>({2, 2}, {3, 2, 1, 4})
                                        : tensor_of<float>({2, 2}, {2, 1, 3, 4});
        expect_same(model
                        .run({tensor_of<float>({2, 2}, {1, 2, 3, 4}),
                              tensor_of<std::int64_t>({2, 2}, {-1, 0, 0, 1})})
                        .at(0),
                    expected);
    }
}

}  // namespace
}  // namespace rondo::onnx::gather_elements_test
