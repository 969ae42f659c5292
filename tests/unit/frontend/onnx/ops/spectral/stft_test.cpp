// Tests a part of frontend/onnx/ops/spectral/dft.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::stft_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32, i64 = ElementType::i64;

ModelBuilder stft(const PartialShape& signal, const std::vector<std::string>& inputs) {
    ModelBuilder model(17);
    model.input("x", f32, signal).output("y");
    model.initializer("step", scalar_of<std::int64_t>(1));
    model.initializer("window", tensor_of<float>({2}, {1, 2}));
    model.initializer("length", scalar_of<std::int64_t>(2));
    model.node("STFT", inputs, {"y"}, "stft");
    return model;
}

const Tensor kSignal = tensor_of<float>({1, 3, 1}, {1, 2, 3});
const Tensor kWindowed = tensor_of<float>({1, 2, 2, 2}, {5, 0, -3, 0, 8, 0, -4, 0});

TEST(OnnxStft, TransformsFrames) {
    for (const auto& inputs : std::vector<std::vector<std::string>>{
             {"x", "step", "window"}, {"x", "step", "window", "length"}}) {
        expect_near(stft({1, 3, 1}, inputs).run({kSignal}).at(0), kWindowed, 1e-5);
        expect_near(stft(PartialShape::of_rank(3), inputs).run({kSignal}).at(0), kWindowed, 1e-5);
    }
    expect_near(stft({1, 3}, {"x", "step", "window"}).run({kSignal.reshaped({1, 3})}).at(0),
                kWindowed, 1e-5);
    const auto plain = tensor_of<float>({1, 2, 2, 2}, {3, 0, -1, 0, 5, 0, -1, 0});
    expect_near(stft({1, 3, 1}, {"x", "step", "", "length"}).run({kSignal}).at(0), plain, 1e-5);
    EXPECT_EQ(stft({1, 3, 1}, {"x", "step"}).run({kSignal}).at(0).shape(), (Shape{1, 1, 2, 2}));
}

TEST(OnnxStft, TakesLengthsOfARun) {
    auto model = stft({1, -1, 1}, {"x", "s", "", "n"});
    model.input("s", i64, PartialShape(Shape{})).input("n", ElementType::i32, {1});
    const auto y =
        model.run({kSignal, scalar_of<std::int64_t>(2), tensor_of<std::int32_t>({1}, {1})});
    expect_near(y.at(0), tensor_of<float>({1, 2, 1, 2}, {1, 0, 3, 0}), 1e-5);
}

TEST(OnnxStft, TheWindowMayBeOpen) {
    auto model = stft({1, 3, 1}, {"x", "step", "w", "length"});
    model.input("w", f32, PartialShape());
    const Tensor window = tensor_of<float>({2}, {1, 2});
    expect_near(model.run({kSignal, window}).at(0), kWindowed, 1e-5);
    expect_error<ModelError>(
        [&] {
            model.run({kSignal, tensor_of<float>({3}, {1, 2, 1})});
        },
        "stft");
    expect_error<ModelError>(
        [&] {
            model.run({kSignal, tensor_of<float>({2, 1}, {1, 2})});
        },
        "stft");
}

TEST(OnnxStft, WholeSpectraAndComplexSignals) {
    auto whole = stft({1, 3, 1}, {"x", "step", "window"});
    NodeBuilder(*whole.graph().mutable_node(0)).with("onesided", 0);
    expect_near(whole.run({kSignal}).at(0), kWindowed, 1e-5);
    const auto turned = tensor_of<float>({1, 3, 2}, {0, 1, 0, 2, 0, 3});
    const auto expected = tensor_of<float>({1, 2, 2, 2}, {0, 5, 0, -3, 0, 8, 0, -4});
    for (const int onesided : {0, 1}) {
        auto model = stft({1, -1, 2}, {"x", "step", "window"});
        NodeBuilder(*model.graph().mutable_node(0)).with("onesided", onesided);
        expect_near(model.run({turned}).at(0), expected, 1e-5);
    }
}

TEST(OnnxStft, HasNoFrameWhereTheSignalIsShorter) {
    const auto model = stft({1, 1, 1}, {"x", "step", "window"});
    EXPECT_EQ(model.run({tensor_of<float>({1, 1, 1}, {1})}).at(0).shape(), (Shape{1, 0, 2, 2}));
}

TEST(OnnxStft, RefusesWhatDoesntFit) {
    auto model = stft({1, 3, 1}, {"x", "step", "window", "n"});
    model.initializer("n", scalar_of<std::int64_t>(3));
    expect_error<ModelError>([&] { model.read(); }, "window has shape [2], but frame_length is 3");
    expect_error<ModelError>([] { stft({1, 1, 1, 1}, {"x", "step", "window"}).read(); }, "signal");
    // The step, a scalar, in the window's place.
    expect_error<ModelError>([] { stft({1, 3, 1}, {"x", "step", "step"}).read(); }, "window");
}

}  // namespace
}  // namespace rondo::onnx::stft_test
