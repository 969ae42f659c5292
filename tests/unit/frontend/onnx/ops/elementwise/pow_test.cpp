#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

Tensor run(const Tensor& base, const Tensor& exponent) {
    ModelBuilder model;
    model.input("x", base.element_type(), base.shape()).output("z");
    model.input("y", exponent.element_type(), exponent.shape());
    model.node("Pow", {"x", "y"}, {"z"});
    return model.run({base, exponent}).at(0);
}

TEST(OnnxPow, TakesPowers) {
    expect_near(run(tensor_of<float>({2}, {2, 9}), tensor_of<float>({2}, {3, 0.5f})),
                tensor_of<float>({2}, {8, 3}), 1e-6);
}

// The result has the base's type.
TEST(OnnxPow, TakesAnExponentOfAnotherType) {
    expect_near(run(tensor_of<float>({2}, {-2, 3}), tensor_of<std::int64_t>({2}, {3, 2})),
                tensor_of<float>({2}, {-8, 9}), 1e-6);
    expect_same(run(tensor_of<std::int32_t>({2}, {9, 2}), tensor_of<float>({2}, {0.5f, 3})),
                tensor_of<std::int32_t>({2}, {3, 8}));
    // 256 as an i8 would be 0.
    expect_same(run(tensor_of<std::int8_t>({2}, {1, -1}), tensor_of<std::int64_t>({2}, {256, 257})),
                tensor_of<std::int8_t>({2}, {1, -1}));
    expect_same(run(tensor_of<std::int8_t>({1}, {2}), tensor_of<std::int64_t>({1}, {256})),
                tensor_of<std::int8_t>({1}, {0}));
}

}  // namespace
}  // namespace rondo::onnx
