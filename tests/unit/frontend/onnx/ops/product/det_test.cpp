// Tests a part of frontend/onnx/ops/product/matmul.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::det_test {
namespace {

using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

TEST(OnnxDet, OfEachMatrix) {
    for (const std::int64_t opset : {11, 22}) {
        ModelBuilder model(opset);
        model.input("x", ElementType::f32, {-1, -1, 2}).output("y").node("Det", {"x"}, {"y"});
        expect_near(model.run({tensor_of<float>({2, 2, 2}, {1, 2, 3, 4, 2, 0, 0, 2})}).at(0),
                    tensor_of<float>({2}, {-2, 4}), 1e-6);
    }
    ModelBuilder model(11);
    model.input("x", ElementType::f32, {2, 3}).output("y").node("Det", {"x"}, {"y"});
    test::expect_error<ModelError>([&] { model.read(); }, "expected square matrices");
}

}  // namespace
}  // namespace rondo::onnx::det_test
