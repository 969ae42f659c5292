// Tests a part of frontend/onnx/ops/source/constant.cpp.
#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::size_test {
namespace {

using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;

TEST(OnnxSize, CountsTheElements) {
    for (const std::int64_t opset : {1, 13, 21}) {
        ModelBuilder model(opset);
        model.input("x", ElementType::f16, PartialShape()).output("y");
        model.node("Size", {"x"}, {"y"});
        const auto size = [&](const Shape& shape) {
            return model.run({Tensor(ElementType::f16, shape)}).at(0);
        };
        expect_same(size({2, 3, 4}), scalar_of<std::int64_t>(24));
        expect_same(size({2, 0}), scalar_of<std::int64_t>(0));
        expect_same(size({}), scalar_of<std::int64_t>(1));
    }
}

}  // namespace
}  // namespace rondo::onnx::size_test
