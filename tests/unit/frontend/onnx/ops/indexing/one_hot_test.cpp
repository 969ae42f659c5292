// Tests a part of frontend/onnx/ops/indexing/gather_scatter.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::one_hot_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType i64 = ElementType::i64;

ModelBuilder model_of(std::int64_t opset, const PartialShape& indices, std::int64_t axis) {
    ModelBuilder model(opset);
    model.input("i", i64, indices).input("depth", i64, PartialShape(Shape{})).output("y");
    model.initializer("values", tensor_of<float>({2}, {-1, 5}));
    model.node("OneHot", {"i", "depth", "values"}, {"y"}).with("axis", axis);
    return model;
}

TEST(OnnxOneHot, AddsAnAxis) {
    const std::vector<Tensor> inputs{tensor_of<std::int64_t>({2}, {2, 0}),
                                     scalar_of<std::int64_t>(3)};
    const auto rows = tensor_of<float>({2, 3}, {-1, -1, 5, 5, -1, -1});
    const auto columns = tensor_of<float>({3, 2}, {-1, 5, -1, -1, 5, -1});
    for (const std::int64_t opset : {9, 11}) {
        expect_same(model_of(opset, {2}, -1).run(inputs).at(0), rows);
        expect_same(model_of(opset, {Dimension()}, 1).run(inputs).at(0), rows);
        expect_same(model_of(opset, PartialShape(), -1).run(inputs).at(0), rows);
        expect_same(model_of(opset, {2}, 0).run(inputs).at(0), columns);
        expect_same(model_of(opset, {2}, -2).run(inputs).at(0), columns);
    }
    expect_same(model_of(11, Shape{}, 0)
                    .run({scalar_of<std::int64_t>(1), scalar_of<std::int64_t>(2)})
                    .at(0),
                tensor_of<float>({2}, {-1, 5}));
}

TEST(OnnxOneHot, CountsFromTheEndSinceOpset11) {
    const std::vector<Tensor> inputs{tensor_of<std::int64_t>({4}, {-1, -3, 2, -2}),
                                     scalar_of<std::int64_t>(2)};
    expect_same(model_of(11, {4}, -1).run(inputs).at(0),
                tensor_of<float>({4, 2}, {-1, 5, -1, -1, -1, -1, 5, -1}));
    expect_same(model_of(9, {4}, -1).run(inputs).at(0),
                tensor_of<float>({4, 2}, {-1, -1, -1, -1, -1, -1, -1, -1}));
}

TEST(OnnxOneHot, TakesAnyTypes) {
    ModelBuilder model(11);
    model.input("i", ElementType::f32, {2}).output("y");
    model.initializer("depth", tensor_of<float>({1}, {2}));
    model.initializer("values", tensor_of<bool>({2}, {false, true}));
    model.node("OneHot", {"i", "depth", "values"}, {"y"});
    expect_same(model.run({tensor_of<float>({2}, {1, 0})}).at(0),
                tensor_of<bool>({2, 2}, {false, true, true, false}));
}

// As i64 the greatest u64 would count from the end.
TEST(OnnxOneHot, GreatIndicesNameNoPlace) {
    ModelBuilder model(11);
    model.input("i", ElementType::u64, {2}).output("y");
    model.initializer("depth", tensor_of<std::int64_t>({1}, {2}));
    model.initializer("values", tensor_of<float>({2}, {0, 1}));
    model.node("OneHot", {"i", "depth", "values"}, {"y"});
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    expect_same(model.run({tensor_of<std::uint64_t>({2}, {most, 1})}).at(0),
                tensor_of<float>({2, 2}, {0, 0, 0, 1}));
}

TEST(OnnxOneHot, RefusesBadAxes) {
    expect_error<ModelError>([] { model_of(11, {2}, 2).read(); },
                             "axis is 2, but indices have shape [2]; expected -2 to 1");
    expect_error<UnsupportedError>([] { model_of(11, PartialShape(), 0).read(); },
                                   "axis is 0, but the rank of indices isn't known");
}

}  // namespace
}  // namespace rondo::onnx::one_hot_test
