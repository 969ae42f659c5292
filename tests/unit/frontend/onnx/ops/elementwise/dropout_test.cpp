// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::dropout_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxDropout, PassesTheData) {
    for (const std::int64_t opset : {7, 10, 12, 13, 22}) {
        ModelBuilder model(opset);
        model.input("x", f32, {2}).output("y").node("Dropout", {"x"}, {"y", "mask"});
        expect_same(model.run({tensor_of<float>({2}, {1, 2})}).at(0),
                    tensor_of<float>({2}, {1, 2}));
    }
}

TEST(OnnxDropout, TakesTheRatioInEitherForm) {
    ModelBuilder attribute(11);
    attribute.input("x", f32, {2}).output("y").node("Dropout", {"x"}, {"y"}).with("ratio", 0.5f);
    EXPECT_NO_THROW(attribute.read());
    ModelBuilder input(13);
    input.input("x", f32, {2}).output("y").initializer("ratio", scalar_of<float>(0.5f));
    input.initializer("training", scalar_of<bool>(false));
    input.node("Dropout", {"x", "ratio", "training"}, {"y"}).with("seed", 1);
    EXPECT_NO_THROW(input.read());
}

TEST(OnnxDropout, MakesAMaskOfOnesSinceOpset12) {
    ModelBuilder model(13);
    model.input("x", f32, {2}).output("mask").node("Dropout", {"x"}, {"y", "mask"});
    expect_same(model.run({Tensor(f32, {2})}).at(0), tensor_of<bool>({2}, {true, true}));
}

TEST(OnnxDropout, RefusesReadersOfTheMaskBefore) {
    ModelBuilder model(11);
    model.input("x", f32, {2}).output("mask").node("Dropout", {"x"}, {"y", "mask"});
    expect_error<UnsupportedError>(
        [&] { model.read(); },
        "output 'mask': the tensor 'mask' is an output of node 'the_Dropout' (Dropout) that is "
        "not supported");
}

TEST(OnnxDropout, RefusesTraining) {
    ModelBuilder model(13);
    model.input("x", f32, {2}).output("y").initializer("t", scalar_of<bool>(true));
    model.node("Dropout", {"x", "", "t"}, {"y"});
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "training_mode is true; only inference is supported");
    model.graph().clear_initializer();
    model.input("t", ElementType::boolean, {});
    expect_error<UnsupportedError>([&] { model.read(); }, "training_mode is not constant");
}

TEST(OnnxDropout, RefusesAThirdOutput) {
    ModelBuilder model(13);
    model.input("x", f32, {2}).output("y").node("Dropout", {"x"}, {"y", "", "more"});
    expect_error<ModelError>([&] { model.read(); }, "output 2 ('more') is not known");
}

TEST(OnnxDropout, PassesTheDataBeforeOpset7WhereItSaysInference) {
    for (const std::int64_t opset : {1, 6}) {
        ModelBuilder model(opset);
        model.input("x", f32, {2}).output("y").node("Dropout", {"x"}, {"y", "mask"});
        expect_error<UnsupportedError>([&] { model.read(); }, "attribute 'is_test' is 0");
        test::NodeBuilder(*model.graph().mutable_node(0)).with("is_test", 1).with("ratio", 0.5F);
        const Tensor x = tensor_of<float>({2}, {1, 2});
        expect_same(model.run({x}).at(0), x);
    }
}

}  // namespace
}  // namespace rondo::onnx::dropout_test
