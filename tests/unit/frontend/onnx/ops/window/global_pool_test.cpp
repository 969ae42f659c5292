// Tests a part of frontend/onnx/ops/window/pool.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::global_pool_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

const float kNan = std::nanf("");

Tensor run(const char* op_type, const PartialShape& shape, const Tensor& x) {
    ModelBuilder model;
    model.input("x", ElementType::f32, shape).output("y").node(op_type, {"x"}, {"y"});
    return model.run({x}).at(0);
}

TEST(OnnxGlobalPool, ReducesTheSpatialAxes) {
    const auto x = tensor_of<float>({1, 2, 2, 2}, {1, 2, 3, 4, -1, -2, -3, -6});
    expect_same(run("GlobalAveragePool", {1, 2, 2, 2}, x),
                tensor_of<float>({1, 2, 1, 1}, {2.5f, -3}));
    expect_same(run("GlobalMaxPool", {1, 2, 2, 2}, x), tensor_of<float>({1, 2, 1, 1}, {4, -1}));
    expect_near(run("GlobalAveragePool", PartialShape::of_rank(4), x),
                tensor_of<float>({1, 2, 1, 1}, {2.5f, -3}), 0);
}

TEST(OnnxGlobalPool, RefusesOtherRanks) {
    const auto x = tensor_of<float>({1, 2}, {1, kNan});
    expect_error<ModelError>(
        [&] {
            run("GlobalMaxPool", {1, 2}, x);
        },
        "X has shape [1,2]; expected rank 3 or more");
    expect_error<UnsupportedError>([&] { run("GlobalMaxPool", PartialShape(), x); },
                                   "the rank of X isn't known");
}

}  // namespace
}  // namespace rondo::onnx::global_pool_test
