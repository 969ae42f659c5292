// Tests a part of frontend/onnx/ops/movement/moves.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::trilu_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

Tensor triangle(const PartialShape& shape, std::int64_t upper, const Tensor& k = {}) {
    ModelBuilder model(14);
    model.input("x", ElementType::i32, shape).output("y");
    if (k) model.initializer("k", k);
    auto node = model.node("Trilu", {"x", k ? "k" : ""}, {"y"});
    if (upper != 1) node.with("upper", upper);
    return model.run({tensor_of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6})}).at(0);
}

Tensor expected(const std::vector<std::int32_t>& values) {
    return tensor_of<std::int32_t>({2, 3}, values);
}

TEST(OnnxTrilu, KeepsATriangle) {
    for (const PartialShape& shape :
         {PartialShape{2, 3}, PartialShape::of_rank(2), PartialShape()}) {
        expect_same(triangle(shape, 1), expected({1, 2, 3, 0, 5, 6}));
        expect_same(triangle(shape, 0), expected({1, 0, 0, 4, 5, 0}));
        const auto k = [](std::int64_t value) { return scalar_of(value); };
        expect_same(triangle(shape, 1, k(1)), expected({0, 2, 3, 0, 0, 6}));
        expect_same(triangle(shape, 0, k(-1)), expected({0, 0, 0, 4, 0, 0}));
        expect_same(triangle(shape, 1, tensor_of<std::int64_t>({1}, {2})),
                    expected({0, 0, 3, 0, 0, 0}));
        expect_same(triangle(shape, 0, k(INT64_MAX)), expected({1, 2, 3, 4, 5, 6}));
        expect_same(triangle(shape, 0, k(INT64_MIN)), expected({0, 0, 0, 0, 0, 0}));
    }
}

TEST(OnnxTrilu, TakesMatricesOfAnyBatchAndType) {
    ModelBuilder model(14);
    model.input("x", ElementType::boolean, {2, 1, 2, 2}).output("y");
    model.node("Trilu", {"x"}, {"y"});
    const auto ones =
        tensor_of<bool>({2, 1, 2, 2}, {true, true, true, true, true, true, true, true});
    expect_same(model.run({ones}).at(0),
                tensor_of<bool>({2, 1, 2, 2}, {true, true, false, true, true, true, false, true}));
    ModelBuilder vector(14);
    vector.input("x", ElementType::f32, {2}).output("y");
    vector.node("Trilu", {"x"}, {"y"});
    expect_error<ModelError>([&] { vector.read(); },
                             "the input has shape [2]; expected matrices, rank 2 or more");
}

}  // namespace
}  // namespace rondo::onnx::trilu_test
