// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::n_ary_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

const float kNan = std::nanf("");

Tensor run(const char* op_type, const std::vector<Tensor>& inputs, std::int64_t opset = 13) {
    ModelBuilder model(opset);
    std::vector<std::string> names;
    for (const auto& input : inputs) {
        names.push_back("x" + std::to_string(names.size()));
        model.input(names.back(), input.element_type(), input.shape());
    }
    model.output("y").node(op_type, names, {"y"});
    return model.run(inputs).at(0);
}

TEST(OnnxNAry, ChainsAnyNumberOfInputs) {
    const auto a = tensor_of<float>({2}, {1, 5});
    const auto b = tensor_of<float>({2}, {4, kNan});
    const auto c = tensor_of<float>({1}, {3});
    expect_same(run("Sum", {a, c, c}), tensor_of<float>({2}, {7, 11}));
    expect_same(run("Max", {a, b, c}), tensor_of<float>({2}, {4, kNan}));
    expect_same(run("Min", {a, b, c}), tensor_of<float>({2}, {1, kNan}));
    expect_same(run("Mean", {a, a, c, c}), tensor_of<float>({2}, {2, 4}));
    expect_same(run("Sum", {a}), a);
    expect_same(run("Mean", {a}), a);
}

TEST(OnnxNAry, DoesNotBroadcastBeforeOpset8) {
    const auto a = tensor_of<float>({2}, {1, 5});
    expect_same(run("Max", {a, a}, 6), a);
    expect_error<ModelError>(
        [&] {
            run("Max", {a, tensor_of<float>({1}, {3})}, 7);
        },
        "the inputs have shapes [2] and [1]; expected equal ones");
}

}  // namespace
}  // namespace rondo::onnx::n_ary_test
