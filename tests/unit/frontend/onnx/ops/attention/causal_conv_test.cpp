#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::causal_conv_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

ModelBuilder model_of(const std::vector<std::string>& inputs, const char* activation) {
    ModelBuilder model(27);
    model.input("x", ElementType::f32, PartialShape::of_rank(3)).output("y").output("s");
    model.initializer("w", tensor_of<float>({2, 1, 2}, {1, 10, 1, 1}));
    model.initializer("b", tensor_of<float>({2}, {100, 0}));
    model.initializer("p", tensor_of<float>({1, 2, 1}, {5, -2}));
    model.node("CausalConvWithState", inputs, {"y", "s"}, "c").with("activation", activation);
    return model;
}

const Tensor kX = tensor_of<float>({1, 2, 3}, {1, 2, 3, 0, 2, 0});

TEST(OnnxCausalConvWithState, SeesThePastAlone) {
    const auto plain = model_of({"x", "w"}, "none").run({kX});
    expect_same(plain.at(0), tensor_of<float>({1, 2, 3}, {10, 21, 32, 0, 2, 2}));
    expect_same(plain.at(1), tensor_of<float>({1, 2, 1}, {3, 0}));
    const auto past = model_of({"x", "w", "b", "p"}, "none").run({kX});
    expect_same(past.at(0), tensor_of<float>({1, 2, 3}, {115, 121, 132, -2, 2, 2}));
    const auto swish = model_of({"x", "w", "", "p"}, "silu").run({kX});
    const auto f = [](float y) { return y / (1 + std::exp(-y)); };
    expect_near(swish.at(0), tensor_of<float>({1, 2, 3}, {15, 21, 32, f(-2), f(2), f(2)}), 1e-5);
    // a state that is longer than the data
    const auto none =
        model_of({"x", "w", "", "p"}, "none").run({Tensor(ElementType::f32, {1, 2, 0})});
    expect_same(none.at(1), tensor_of<float>({1, 2, 1}, {5, -2}));
    expect_error<ModelError>(
        [] {
            model_of({"x", "w"}, "relu").read();
        },
        "attribute 'activation' is 'relu'; expected 'none', 'silu' or 'swish'");
}

}  // namespace
}  // namespace rondo::onnx::causal_conv_test
