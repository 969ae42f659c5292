#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::linear_attention_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

constexpr auto f32 = ElementType::f32;

// Two steps of one row, two heads of queries that share one of keys; all have one feature.
ModelBuilder model_of(const char* rule, const std::vector<std::string>& inputs) {
    ModelBuilder model(27);
    for (const char* name : {"q", "k", "v"}) model.input(name, f32, PartialShape::of_rank(3));
    model.initializer("state", tensor_of<float>({1, 1, 1, 1}, {2}));
    model.initializer("decay", tensor_of<float>({1, 2, 1}, {std::log(0.5F), 0}));
    model.initializer("beta", tensor_of<float>({1, 2, 1}, {0.5F, 1}));
    model.output("y").output("s");
    model.node("LinearAttention", inputs, {"y", "s"}, "l")
        .with("update_rule", rule)
        .with("scale", 1.0F)
        .with("q_num_heads", 2)
        .with("kv_num_heads", 1);
    return model;
}

const std::vector<Tensor> kInputs{tensor_of<float>({1, 2, 2}, {1, 2, 3, 4}),
                                  tensor_of<float>({1, 2, 1}, {2, 3}),
                                  tensor_of<float>({1, 2, 1}, {5, 7})};

void expect_states(const ModelBuilder& model, float first, float second) {
    const auto results = model.run(kInputs);
    expect_near(results.at(0),
                tensor_of<float>({1, 2, 2}, {first, 2 * first, 3 * second, 4 * second}), 1e-5);
    expect_near(results.at(1), tensor_of<float>({1, 1, 1, 1}, {second}), 1e-5);
}

TEST(OnnxLinearAttention, UpdatesItsState) {
    expect_states(model_of("linear", {"q", "k", "v"}), 10, 31);
    expect_states(model_of("linear", {"q", "k", "v", "state"}), 12, 33);
    expect_states(model_of("gated", {"q", "k", "v", "state", "decay"}), 11, 32);
    // 2 + 2 (5 - 4) / 2 = 3, then 3 + 3 (7 - 9)
    expect_states(model_of("delta", {"q", "k", "v", "state", "", "beta"}), 3, -3);
    // 1 + 2 (5 - 2) / 2 = 4, then 4 + 3 (7 - 12)
    expect_states(model_of("gated_delta", {"q", "k", "v", "state", "decay", "beta"}), 4, -11);
}

TEST(OnnxLinearAttention, RefusesWhatDoesntFit) {
    expect_error<ModelError>(
        [] {
            model_of("square", {"q", "k", "v"}).read();
        },
        "attribute 'update_rule' is 'square'; expected 'linear', 'gated', 'delta'");
    expect_error<ModelError>(
        [] {
            model_of("delta", {"q", "k", "v"}).read();
        },
        "input 5 is missing");
    expect_error<ModelError>(
        [] {
            model_of("delta", {"q", "k", "v", "state", "decay", "beta"}).read();
        },
        "input 4 is not known for this operator");
}

}  // namespace
}  // namespace rondo::onnx::linear_attention_test
