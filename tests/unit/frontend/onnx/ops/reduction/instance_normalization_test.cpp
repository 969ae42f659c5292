#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

ModelBuilder model_of(const char* op, std::int64_t opset, const PartialShape& shape,
                      std::size_t parameters) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, shape).output("y");
    model.initializer("scale", tensor_of<float>({parameters}, std::vector<float>(parameters, 2)));
    std::vector<float> bias(parameters);
    for (std::size_t i = 0; i < parameters; ++i) bias[i] = static_cast<float>(i);
    model.initializer("b", tensor_of<float>({parameters}, bias));
    model.node(op, {"x", "scale", "b"}, {"y"}, "norm").with("epsilon", 3.0F);
    return model;
}

TEST(OnnxInstanceNormalization, NormalisesEachChannel) {
    const auto x = tensor_of<float>({1, 2, 2}, {1, 3, 10, 12});  // variances 1
    const auto y = tensor_of<float>({1, 2, 2}, {-1, 1, 0, 2});
    for (const auto& shape : {PartialShape({1, 2, 2}), PartialShape::of_rank(3)}) {
        expect_near(model_of("InstanceNormalization", 6, shape, 2).run({x}).at(0), y, 1e-6);
    }
    expect_error<UnsupportedError>(
        [] { model_of("InstanceNormalization", 6, PartialShape(), 2).read(); }, "the rank of X");
}

TEST(OnnxGroupNormalization, NormalisesGroupsOfChannels) {
    const auto x = tensor_of<float>({1, 4, 1}, {1, 3, 10, 12});
    for (const auto& shape : {PartialShape({1, 4, 1}), PartialShape::of_rank(3)}) {
        auto old = model_of("GroupNormalization", 18, shape, 2);
        NodeBuilder(*old.graph().mutable_node(0)).with("num_groups", 2);
        expect_near(old.run({x}).at(0), tensor_of<float>({1, 4, 1}, {-1, 1, 0, 2}), 1e-6);
        auto now = model_of("GroupNormalization", 21, shape, 4);
        NodeBuilder(*now.graph().mutable_node(0)).with("num_groups", 2);
        expect_near(now.run({x}).at(0), tensor_of<float>({1, 4, 1}, {-1, 2, 1, 4}), 1e-6);
    }
}

TEST(OnnxGroupNormalization, RefusesGroupsThatDontFit) {
    const auto refused = [](std::int64_t groups, const char* what) {
        auto model = model_of("GroupNormalization", 21, {1, 4, 1}, 4);
        NodeBuilder(*model.graph().mutable_node(0)).with("num_groups", groups);
        expect_error<ModelError>([&] { model.read(); }, what);
    };
    refused(3, "expected channels that it divides");
    refused(0, "attribute 'num_groups' is 0");
}

TEST(OnnxMeanVarianceNormalization, NormalisesTheAxes) {
    ModelBuilder model(13);
    model.input("x", ElementType::f32, {1, 2, 1, 2}).output("y");
    model.node("MeanVarianceNormalization", {"x"}, {"y"});
    const auto x = tensor_of<float>({1, 2, 1, 2}, {1, 3, 10, 14});
    const auto y = tensor_of<float>({1, 2, 1, 2}, {-1, 1, -1, 1});
    expect_near(model.run({x}).at(0), y, 1e-6);
    NodeBuilder(*model.graph().mutable_node(0)).with("axes", std::vector<std::int64_t>{3});
    expect_near(model.run({x}).at(0), y, 1e-6);
}

}  // namespace
}  // namespace rondo::onnx
