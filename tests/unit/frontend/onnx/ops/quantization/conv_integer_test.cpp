#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::conv_integer_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

using Ints = std::vector<std::int64_t>;

template <typename T>
Tensor ints(const Shape& shape, const std::vector<int>& values) {
    return tensor_of<T, int>(shape, values);
}

const Tensor kX = ints<std::uint8_t>({1, 1, 4}, {1, 2, 3, 4});
const Tensor kW = ints<std::int8_t>({2, 1, 2}, {10, 1, -1, 0});

// All inputs but x are constants; an empty one is left out.
ModelBuilder node(const char* op_type, const std::vector<Tensor>& inputs) {
    ModelBuilder model(11);
    model.input("x", inputs[0].element_type(), inputs[0].shape()).output("y");
    std::vector<std::string> names{"x"};
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        names.push_back(inputs[i] ? "in_" + std::to_string(i) : "");
        if (inputs[i]) model.initializer(names.back(), inputs[i]);
    }
    model.node(op_type, names, {"y"}, "conv");
    return model;
}

TEST(OnnxConvInteger, TakesZeroPoints) {
    const auto run = [](const Tensor& x_zero, const Tensor& w_zero) {
        auto model = node("ConvInteger", {kX, kW, x_zero, w_zero});
        test::NodeBuilder(*model.graph().mutable_node(0)).with("pads", Ints{1, 0});
        return model.run({kX}).at(0);
    };
    const auto result = [](const std::vector<int>& values) {
        return ints<std::int32_t>({1, 2, 4}, values);
    };
    expect_same(run({}, {}), result({1, 12, 23, 34, 0, -1, -2, -3}));
    // What is padded is the zero point: 0 after it is subtracted.
    expect_same(run(scalar_of<std::uint8_t>(1), {}), result({0, 1, 12, 23, 0, 0, -1, -2}));
    expect_same(run({}, ints<std::int8_t>({1}, {1})), result({0, 9, 18, 27, -1, -4, -7, -10}));
    expect_same(run({}, ints<std::int8_t>({2}, {0, 1})), result({1, 12, 23, 34, -1, -4, -7, -10}));
}

TEST(OnnxQLinearConv, RoundsTheScaledSum) {
    const auto run = [](const Tensor& w_scale, const Tensor& y_zero, const Tensor& bias) {
        return node("QLinearConv", {kX, scalar_of(0.5F), scalar_of<std::uint8_t>(1), kW, w_scale,
                                    scalar_of<std::int8_t>(0), scalar_of(0.5F), y_zero, bias})
            .run({kX})
            .at(0);
    };
    // The sums are 1 12 23 / 0 -1 -2.
    expect_same(run(scalar_of(1.0F), scalar_of<std::uint8_t>(1), {}),
                ints<std::uint8_t>({1, 2, 3}, {2, 13, 24, 1, 0, 0}));
    expect_same(run(tensor_of<float>({2}, {0.5F, 2}), scalar_of<std::int8_t>(0),
                    tensor_of<std::int32_t>({2}, {1, 10})),
                ints<std::int8_t>({1, 2, 3}, {1, 6, 12, 20, 18, 16}));
}

// As onnxruntime's optimiser writes it: the filters keep their layout.
TEST(OnnxQLinearConv, TakesDataWhoseChannelsAreTheLastAxis) {
    const std::vector<Tensor> inputs{kX,
                                     scalar_of(0.5F),
                                     scalar_of<std::uint8_t>(1),
                                     kW,
                                     tensor_of<float>({2}, {0.5F, 2}),
                                     scalar_of<std::int8_t>(0),
                                     scalar_of(0.5F),
                                     scalar_of<std::int8_t>(0),
                                     tensor_of<std::int32_t>({2}, {1, 10})};
    const Shape& shape = kX.shape();
    ASSERT_EQ(shape[1], 1U);  // so that the elements keep their order
    const Tensor x = kX.reshaped({shape[0], shape[2], 1});
    std::vector<Tensor> turned = inputs;
    turned[0] = x;
    ModelBuilder model = node("QLinearConv", turned);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    test::NodeBuilder(*model.graph().mutable_node(0))
        .domain("com.microsoft")
        .with("channels_last", 1);
    expect_same(model.run({x}).at(0), ints<std::int8_t>({1, 3, 2}, {1, 20, 6, 18, 12, 16}));
}

// A convolution over 300 taps: its sums don't fit in f32.
TEST(OnnxConvInteger, IsExactWhereSumsAreLarge) {
    constexpr std::size_t kTaps = 300;
    const auto x = ints<std::uint8_t>({1, kTaps, 2}, std::vector<int>(2 * kTaps, 255));
    std::vector<int> filter(kTaps, -128);
    filter[0] = -127;
    const auto w = ints<std::int8_t>({1, kTaps, 1}, filter);
    const auto zero = scalar_of<std::int8_t>(127);
    const int sum = 255 * (300 * -255 + 1);
    auto model = node("ConvInteger", {x, w, {}, zero});
    expect_same(model.run({x}).at(0), ints<std::int32_t>({1, 1, 2}, {sum, sum}));
    EXPECT_EQ(model.read()->results()[0]->input(0).element_type(), ElementType::i32);
    const auto convolved = [](const ModelBuilder& of) {
        const auto graph = of.read();
        for (const auto& each : graph->ordered_nodes()) {
            if (each->type_name() == "Convolution") return each->output_type(0);
        }
        return ElementType::dynamic;
    };
    EXPECT_EQ(convolved(model), ElementType::f32);  // in parts of the channels
    // No equal parts.
    constexpr std::size_t kPrime = 307;
    const auto prime = ints<std::uint8_t>({1, kPrime, 1}, std::vector<int>(kPrime, 255));
    const auto whole =
        node("ConvInteger",
             {prime, ints<std::int8_t>({1, kPrime, 1}, std::vector<int>(kPrime, -128)), {}, zero});
    EXPECT_EQ(convolved(whole), ElementType::f64);
    expect_same(whole.run({prime}).at(0), ints<std::int32_t>({1, 1, 1}, {307 * 255 * -255}));
    EXPECT_EQ(convolved(node("ConvInteger", {kX, kW})), ElementType::f32);
    // Sums of so many taps wrap in i32.
    constexpr std::size_t kMany = 33100;
    const auto many = ints<std::uint8_t>({1, kMany, 1}, std::vector<int>(kMany, 255));
    const auto wraps =
        node("ConvInteger",
             {many, ints<std::int8_t>({1, kMany, 1}, std::vector<int>(kMany, -128)), {}, zero});
    EXPECT_EQ(convolved(wraps), ElementType::i32);
    expect_same(wraps.run({many}).at(0), ints<std::int32_t>({1, 1, 1}, {2142639796}));
    // The sums fit, but not together with the bias.
    const auto one = scalar_of(1.0F);
    const auto large =
        node("QLinearConv", {kX, one, scalar_of<std::uint8_t>(0), kW, one,
                             scalar_of<std::int8_t>(0), scalar_of(1e7F), scalar_of<std::uint8_t>(0),
                             tensor_of<std::int32_t>({2}, {1 << 30, -(1 << 30)})});
    expect_same(large.run({kX}).at(0), ints<std::uint8_t>({1, 2, 3}, {107, 107, 107, 0, 0, 0}));
}

ModelBuilder open_conv_integer() {
    ModelBuilder model(11);
    model.input("x", ElementType::u8, {-1, -1, -1}).input("w", ElementType::i8, {-1, -1, -1});
    model.input("xz", ElementType::u8, {-1}).input("wz", ElementType::i8, {-1}).output("y");
    model.node("ConvInteger", {"x", "w", "xz", "wz"}, {"y"}, "conv");
    return model;
}

TEST(OnnxConvInteger, TakesZeroPointsOfOpenShape) {
    const auto one = ints<std::uint8_t>({1}, {1}), two = ints<std::uint8_t>({2}, {1, 1});
    const auto w_zero = ints<std::int8_t>({2}, {0, 1});
    const auto expected = node("ConvInteger", {kX, kW, one, w_zero}).run({kX}).at(0);
    const auto model = open_conv_integer();
    expect_same(model.run({kX, kW, one, w_zero}).at(0), expected);
    expect_error<ModelError>([&] { model.run({kX, kW, two, w_zero}); }, "can't be reshaped");
    const auto single = ints<std::int8_t>({1, 1, 2}, {10, 1});
    expect_error<ModelError>([&] { model.run({kX, single, one, w_zero}); }, "can't be reshaped");
}

TEST(OnnxQLinearConv, NeedsABiasAndAScaleForEachFilter) {
    const auto two = tensor_of<std::int32_t>({2}, {1, 10}), one = tensor_of<std::int32_t>({1}, {1});
    const auto scales = tensor_of<float>({2}, {0.5F, 2}), scale = tensor_of<float>({1}, {0.5F});
    const auto zero = scalar_of<std::int8_t>(0);
    ModelBuilder model(11);
    model.input("x", ElementType::u8, {-1, -1, -1}).input("w", ElementType::i8, {-1, -1, -1});
    model.input("ws", ElementType::f32, {-1}).input("b", ElementType::i32, {-1}).output("y");
    model.initializer("s", scalar_of(0.5F)).initializer("z", scalar_of<std::uint8_t>(1));
    model.initializer("wz", zero);
    model.node("QLinearConv", {"x", "s", "z", "w", "ws", "wz", "s", "z", "b"}, {"y"}, "conv");
    const auto expected =
        node("QLinearConv", {kX, scalar_of(0.5F), scalar_of<std::uint8_t>(1), kW, scales, zero,
                             scalar_of(0.5F), scalar_of<std::uint8_t>(1), two})
            .run({kX})
            .at(0);
    expect_same(model.run({kX, kW, scales, two}).at(0), expected);
    const auto single = ints<std::int8_t>({1, 1, 2}, {10, 1});
    const auto refused = [&](const Tensor& w, const Tensor& ws, const Tensor& b) {
        expect_error<ModelError>([&] { model.run({kX, w, ws, b}); }, "can't be reshaped");
    };
    refused(kW, scale, one);
    refused(single, scale, two);
    refused(single, scales, one);
}

TEST(OnnxConvInteger, Refuses) {
    expect_error<UnsupportedError>(
        [] {
            node("ConvInteger", {tensor_of<float>({1, 1, 2}, {1, 2}), kW}).read();
        },
        "x has type f32; expected u8 or i8");
    expect_error<ModelError>(
        [] {
            node("ConvInteger", {kX, kW, ints<std::uint8_t>({2}, {1, 2})}).read();
        },
        "x_zero_point has shape [2]; expected a single element");
    expect_error<UnsupportedError>(
        [] {
            node("QLinearConv", {kX, scalar_of(0.5F), scalar_of<std::uint8_t>(1), kW,
                                 scalar_of(0.5F), scalar_of<std::int8_t>(0), scalar_of(0.5F),
                                 scalar_of<std::uint8_t>(0), tensor_of<float>({2}, {1, 2})})
                .read();
        },
        "B has type f32; expected i32");
}

}  // namespace
}  // namespace rondo::onnx::conv_integer_test
