#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::loss_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::scalar_of;
using test::tensor_of;

// The examples of ONNX's specification.
const Tensor kLogs = tensor_of<float>({2, 3, 2}, {1, 2, 2, 2, 3, 2, 0, 1, 2, 2, 1, 2});
const Tensor kLabels = tensor_of<std::int64_t>({2, 2}, {2, 1, 0, 2});
const Tensor kWeights = tensor_of<float>({3}, {0.2F, 0.3F, 0.1F});

ModelBuilder likelihood(const char* reduction, bool weighted) {
    ModelBuilder model(13);
    model.input("x", ElementType::f32, {-1, 3, -1}).input("t", ElementType::i64, {-1, -1});
    if (weighted) model.initializer("w", kWeights);
    model.output("y");
    model
        .node(
            "NegativeLogLikelihoodLoss",
            weighted ? std::vector<std::string>{"x", "t", "w"} : std::vector<std::string>{"x", "t"},
            {"y"})
        .with("reduction", reduction);
    return model;
}

void expect_loss(const ModelBuilder& model, const Tensor& expected) {
    expect_near(model.run({kLogs, kLabels}).at(0), expected, 1e-5);
}

TEST(OnnxLoss, NegativeLogLikelihood) {
    expect_loss(likelihood("none", false), tensor_of<float>({2, 2}, {-3, -2, 0, -2}));
    expect_loss(likelihood("sum", false), scalar_of(-7.0F));
    expect_loss(likelihood("mean", false), scalar_of(-1.75F));
    expect_loss(likelihood("none", true), tensor_of<float>({2, 2}, {-0.3F, -0.6F, 0, -0.2F}));
    expect_loss(likelihood("sum", true), scalar_of(-1.1F));
    expect_loss(likelihood("mean", true), scalar_of(-1.1F / 0.7F));
}

TEST(OnnxLoss, LeavesOutAnIndex) {
    const auto without_2 = [](const char* reduction, bool weighted) {
        auto model = likelihood(reduction, weighted);
        NodeBuilder(*model.graph().mutable_node(0)).with("ignore_index", 2);
        return model;
    };
    expect_loss(without_2("none", false), tensor_of<float>({2, 2}, {0, -2, 0, 0}));
    expect_loss(without_2("mean", false), scalar_of(-1.0F));
    expect_loss(without_2("mean", true), scalar_of(-0.6F / 0.5F));
    // An index that is no class.
    auto model = likelihood("sum", true);
    NodeBuilder(*model.graph().mutable_node(0)).with("ignore_index", -5);
    const auto labels = tensor_of<std::int64_t>({2, 2}, {2, -5, 0, -5});
    expect_near(model.run({kLogs, labels}).at(0), scalar_of(-0.3F), 1e-5);
}

TEST(OnnxLoss, SoftmaxCrossEntropy) {
    ModelBuilder model(13);
    model.input("x", ElementType::f16, {-1, 2}).input("t", ElementType::i32, {-1});
    model.output("y").output("logs");
    model.node("SoftmaxCrossEntropyLoss", {"x", "t"}, {"y", "logs"}).with("reduction", "none");
    const float third = std::log(3.0F);
    const auto found = model.run({tensor_of<float16, float>({2, 2}, {0, std::log(2.0F), 1, 1}),
                                  tensor_of<std::int32_t>({2}, {0, 1})});
    expect_near(found[0], tensor_of<float16, float>({2}, {third, std::log(2.0F)}), 2e-3);
    expect_near(found[1],
                tensor_of<float16, float>(
                    {2, 2}, {-third, std::log(2.0F) - third, -std::log(2.0F), -std::log(2.0F)}),
                2e-3);
}

TEST(OnnxLoss, RefusesOtherReductions) {
    expect_error<ModelError>([] { likelihood("max", false).read(); },
                             "attribute 'reduction' is 'max'; expected 'none', 'sum' or 'mean'");
}

}  // namespace
}  // namespace rondo::onnx::loss_test
