// Tests a part of frontend/onnx/ops/indexing/gather_scatter.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::non_zero_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxNonZero, NamesPlaces) {
    for (const std::int64_t opset : {9, 13}) {
        ModelBuilder model(opset);
        model.input("x", f32, PartialShape::of_rank(2)).output("y");
        model.node("NonZero", {"x"}, {"y"});
        expect_same(model.run({tensor_of<float>({2, 2}, {1, 0, 0, 4})}).at(0),
                    tensor_of<std::int64_t>({2, 2}, {0, 1, 0, 1}));
    }
}

TEST(OnnxCompress, TakesElements) {
    const auto data = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
    const auto compress = [&](const std::vector<bool>& flags, const std::int64_t* axis) {
        ModelBuilder model(11);
        model.input("x", f32, PartialShape::of_rank(2)).output("y");
        model.input("c", ElementType::boolean, {Dimension()});
        auto node = model.node("Compress", {"x", "c"}, {"y"});
        if (axis) node.with("axis", *axis);
        Tensor condition(ElementType::boolean, {flags.size()});
        std::copy(flags.begin(), flags.end(), condition.data<bool>());
        return model.run({data, condition}).at(0);
    };
    const std::int64_t rows = 0;
    const std::int64_t last = -1;
    expect_same(compress({false, true, true}, &rows), tensor_of<float>({2, 2}, {3, 4, 5, 6}));
    expect_same(compress({false, true}, &rows), tensor_of<float>({1, 2}, {3, 4}));
    expect_same(compress({false, true}, &last), tensor_of<float>({3, 1}, {2, 4, 6}));
    expect_same(compress({true, false, false, true}, nullptr), tensor_of<float>({2}, {1, 4}));
    EXPECT_EQ(compress({false}, nullptr).shape(), (Shape{0}));
    expect_error<ModelError>(
        [&] {
            compress({false, false, true}, &last);
        },
        "index 2 is out of range for an axis of extent 2");
}

}  // namespace
}  // namespace rondo::onnx::non_zero_test
