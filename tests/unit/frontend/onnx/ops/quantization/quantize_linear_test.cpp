#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::quantize_linear_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

ModelBuilder quantize(const Tensor& x, const Tensor& scale, const Tensor& zero_point,
                      std::int64_t opset = 21) {
    ModelBuilder model(opset);
    model.input("x", x.element_type(), x.shape()).initializer("scale", scale).output("y");
    if (zero_point) model.initializer("zero", zero_point);
    model.node("QuantizeLinear", {"x", "scale", zero_point ? "zero" : ""}, {"y"}, "q");
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

template <typename T>
Tensor bytes(const Shape& shape, const std::vector<int>& values) {
    return tensor_of<T, int>(shape, values);
}

const Tensor kHalves = tensor_of<float>({6}, {-3, -1, 1, 3, 5, 1000});

TEST(OnnxQuantizeLinear, RoundsHalvesToTheEvenNumberAndSaturates) {
    for (const std::int64_t opset : {10, 13, 19, 21, 23, 24, 25}) {
        const auto y = quantize(kHalves, scalar_of(2.0F), scalar_of<std::uint8_t>(1), opset);
        expect_same(y.run({kHalves}).at(0), bytes<std::uint8_t>({6}, {0, 1, 1, 3, 3, 255}));
    }
    const auto without = quantize(kHalves, scalar_of(2.0F), Tensor());
    expect_same(without.run({kHalves}).at(0), bytes<std::uint8_t>({6}, {0, 0, 0, 2, 2, 255}));
    const auto i8 = quantize(kHalves, scalar_of(2.0F), scalar_of<std::int8_t>(-1));
    expect_same(i8.run({kHalves}).at(0), bytes<std::int8_t>({6}, {-3, -1, -1, 1, 1, 127}));
}

// To 4 bits and back.
TEST(OnnxQuantizeLinear, BoundsTypesOfFewerBits) {
    const auto x = tensor_of<float>({4}, {-1e9F, -3, 3.5F, 1e9F});
    const auto model_of = [&](std::int64_t data_type) {
        ModelBuilder model(25);
        model.input("x", f32, {4}).initializer("scale", scalar_of(1.0F)).output("z");
        model.node("QuantizeLinear", {"x", "scale"}, {"y"}, "q").with("output_dtype", data_type);
        model.node("DequantizeLinear", {"y", "scale"}, {"z"}, "d");
        return model;
    };
    expect_same(model_of(22).run({x}).at(0), tensor_of<float>({4}, {-8, -3, 4, 7}));
    expect_same(model_of(25).run({x}).at(0), tensor_of<float>({4}, {0, 0, 3, 3}));
    expect_same(model_of(17).run({x}).at(0), tensor_of<float>({4}, {-448, -3, 3.5F, 448}));
    expect_error<UnsupportedError>([&] { model_of(24).read(); },
                                   "the result has type f8e8m0; expected 8-bit or 4-bit floats");
}

TEST(OnnxQuantizeLinear, WritesEveryTypeOf8And16Bits) {
    const auto x = tensor_of<float>({3}, {-1e9F, 70.25F, 1e9F});
    const auto run = [&](const Tensor& zero_point) {
        return quantize(x, scalar_of(1.0F), zero_point).run({x}).at(0);
    };
    expect_same(run(scalar_of<std::uint16_t>(3)), bytes<std::uint16_t>({3}, {0, 73, 65535}));
    expect_same(run(scalar_of<std::int16_t>(-3)), bytes<std::int16_t>({3}, {-32768, 67, 32767}));
    auto named = quantize(x, scalar_of(1.0F), Tensor());
    node(named).with("output_dtype", test::to_onnx(ElementType::i8));
    expect_same(named.run({x}).at(0), bytes<std::int8_t>({3}, {-128, 70, 127}));
}

TEST(OnnxQuantizeLinear, HasAScaleForEachPlaceOnAnAxis) {
    const auto x = tensor_of<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto scale = tensor_of<float>({2}, {1, 2});
    const auto zero = bytes<std::uint8_t>({2}, {0, 10});
    const auto expected = [](const std::vector<int>& y) {
        return bytes<std::uint8_t>({2, 2, 2}, y);
    };
    expect_same(quantize(x, scale, zero, 13).run({x}).at(0),
                expected({1, 2, 12, 12, 5, 6, 14, 14}));
    auto first = quantize(x, scale, zero, 13);
    node(first).with("axis", -3);
    expect_same(first.run({x}).at(0), expected({1, 2, 3, 4, 12, 13, 14, 14}));
    auto last = quantize(x, scale, Tensor(), 13);
    node(last).with("axis", 2);
    expect_same(last.run({x}).at(0), expected({1, 1, 3, 2, 5, 3, 7, 4}));
}

TEST(OnnxQuantizeLinear, TakesOneScaleWhoseExtentComesWithTheRun) {
    ModelBuilder model(21);
    model.input("x", f32, {2}).input("scale", f32, {-1}).output("y");
    model.node("QuantizeLinear", {"x", "scale"}, {"y"}, "q");
    const Tensor x = tensor_of<float>({2}, {4, 6});
    expect_same(model.run({x, tensor_of<float>({1}, {2})}).at(0), bytes<std::uint8_t>({2}, {2, 3}));
    expect_error<ModelError>([&] { model.run({x, tensor_of<float>({2}, {2, 2})}); }, "q/");
}

TEST(OnnxQuantizeLinear, HasAScaleForEachBlock) {
    const auto x = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto scale = tensor_of<float>({2, 2}, {1, 2, 0.5F, 4});
    auto model = quantize(x, scale, Tensor());
    node(model).with("axis", 1).with("block_size", 2);
    const auto expected = bytes<std::uint8_t>({2, 3}, {1, 2, 2, 8, 10, 2});
    expect_same(model.run({x}).at(0), expected);
    ModelBuilder open(21);  // the extent isn't known when the model is read
    open.input("x", f32, PartialShape::parse("2,?")).initializer("scale", scale).output("y");
    open.node("QuantizeLinear", {"x", "scale"}, {"y"}).with("block_size", 2);
    expect_same(open.run({x}).at(0), expected);
}

TEST(OnnxQuantizeLinear, TakesOtherTypesAndDividesInThePrecision) {
    const auto ints = bytes<std::int32_t>({2}, {7, -500});
    expect_same(quantize(ints, scalar_of(2.0F), scalar_of<std::int8_t>(0)).run({ints}).at(0),
                bytes<std::int8_t>({2}, {4, -128}));
    const auto half = tensor_of<float16, double>({2}, {1000, 3});
    const auto scale = tensor_of<float16, double>({}, {3});
    expect_same(quantize(half, scale, scalar_of<std::uint16_t>(60000)).run({half}).at(0),
                bytes<std::uint16_t>({2}, {60333, 60001}));
    auto wide = quantize(half, scalar_of(1.0F), scalar_of<std::uint16_t>(0), 23);
    node(wide).with("precision", test::to_onnx(f32));
    expect_same(wide.run({half}).at(0), bytes<std::uint16_t>({2}, {1000, 3}));
}

TEST(OnnxQuantizeLinear, ScalesMayBeIntegersOrPowersOfTwo) {
    const auto ints = bytes<std::int32_t>({5}, {10, 11, 15, -7, 1 << 30});
    for (const std::int64_t opset : {19, 21, 23, 25}) {
        const auto y = quantize(ints, scalar_of<std::int32_t>(2), scalar_of<std::int8_t>(1), opset);
        expect_same(y.run({ints}).at(0), bytes<std::int8_t>({5}, {6, 7, 9, -3, 127}));
    }
    const auto x = tensor_of<float>({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
    ModelBuilder model(25);
    model.input("x", f32, {2, 4}).input("scale", ElementType::f8e8m0, {2, 2}).output("z");
    model.node("QuantizeLinear", {"x", "scale"}, {"y"}, "q")
        .with("block_size", 2)
        .with("output_dtype", test::to_onnx(ElementType::f8e4m3));
    model.node("Cast", {"y"}, {"z"}, "c").with("to", test::to_onnx(f32));
    Tensor scale(ElementType::f8e8m0, {2, 2});
    const std::uint8_t codes[] = {0x7F, 0x80, 0x7E, 0x81};  // 1 2 0.5 4
    std::copy_n(codes, 4, static_cast<std::uint8_t*>(scale.data()));
    expect_same(model.run({x, scale}).at(0),
                tensor_of<float>({2, 4}, {0, 1, 1, 1.5F, 8, 10, 1.5F, 1.75F}));
}

TEST(OnnxQuantizeLinear, Refuses) {
    const auto x = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto refuse = [&](const Tensor& scale, const Tensor& zero) {
        return [=] { quantize(x, scale, zero).read(); };
    };
    expect_error<ModelError>(refuse(tensor_of<float>({2}, {1, 1}), Tensor()),
                             "y_scale has shape [2], but the data has [2,3]; expected as many "
                             "elements as axis 1");
    expect_error<ModelError>(refuse(Tensor(f32, {2, 3}), Tensor()),
                             "y_scale has shape [2,3], but the data has [2,3]; expected a scalar "
                             "or a vector");
    expect_error<UnsupportedError>(refuse(scalar_of(1.0F), scalar_of<std::int32_t>(0)),
                                   "the result has type i32; expected 8-bit or 4-bit floats");
    expect_error<UnsupportedError>(
        [] {
            const auto doubles = tensor_of<double>({1}, {1});
            quantize(doubles, scalar_of(1.0F), Tensor()).read();
        },
        "x has type f64; expected f32, f16, bf16 or i32");
    const auto refuse_with = [&](const char* name, std::int64_t value, const Tensor& zero) {
        return [=] {
            auto model = quantize(x, scalar_of(1.0F), zero);
            node(model).with(name, value);
            model.read();
        };
    };
    expect_error<ModelError>(refuse_with("block_size", -1, {}), "attribute 'block_size' is -1");
    expect_error<ModelError>(refuse_with("output_dtype", 3, scalar_of<std::uint8_t>(0)),
                             "attribute 'output_dtype' is i8, but y_zero_point has type u8");
    expect_error<UnsupportedError>(refuse_with("output_dtype", 27, {}), "FLOAT6E2M3");
    expect_error<UnsupportedError>(refuse_with("output_dtype", 6, {}),
                                   "the result has type i32; expected 8-bit or 4-bit floats");
    expect_error<ModelError>(refuse_with("precision", 6, {}), "attribute 'precision' is i32");
    auto blocks = quantize(x, Tensor(f32, {2, 1}), Tensor());
    node(blocks).with("block_size", 2);
    expect_error<ModelError>([&] { blocks.read(); }, "expected 2 blocks of 2 elements on axis 1");
    auto axis = quantize(x, tensor_of<float>({3}, {1, 1, 1}), Tensor());
    node(axis).with("axis", 2);
    expect_error<ModelError>([&] { axis.read(); }, "axis");
}

ModelBuilder late(const PartialShape& x, const PartialShape& scale, const PartialShape& zero) {
    ModelBuilder model(21);
    model.input("x", f32, x).input("scale", f32, scale).input("zero", ElementType::u8, zero);
    model.output("y").node("QuantizeLinear", {"x", "scale", "zero"}, {"y"}, "q");
    return model;
}

TEST(OnnxQuantizeLinear, TakesOpenShapes) {
    const auto x = tensor_of<float>({2, 2, 1}, {1, 2, 3, 4});
    const auto scale = tensor_of<float>({2}, {1, 2});
    const auto zero = bytes<std::uint8_t>({2}, {0, 10});
    for (const auto& shape : {PartialShape{2, 2, 1}, PartialShape{-1, -1, -1}}) {
        for (const auto& vector : {PartialShape{2}, PartialShape{-1}}) {
            const auto model = late(shape, vector, vector);
            expect_same(model.run({x, scale, zero}).at(0),
                        bytes<std::uint8_t>({2, 2, 1}, {1, 11, 3, 12}));
            EXPECT_EQ(model.read()->results()[0]->input(0).node().name(), "q");
        }
    }
}

TEST(OnnxQuantizeLinear, RefusesParametersThatDontFitWhenItRuns) {
    const Tensor x(f32, {2, 1, 2}), three = tensor_of<float>({3}, {1, 1, 1});
    const auto one = tensor_of<float>({1}, {1});
    const Tensor zeros(ElementType::u8, {3});
    const auto refused = [&](const ModelBuilder& model, const Tensor& scale, const Tensor& other) {
        expect_error<ModelError>([&] { model.run({x, scale, other}); }, "can't be reshaped");
    };
    refused(late({-1, -1, -1}, {3}, {3}), three, zeros);
    refused(late({-1, -1, -1}, {-1}, {-1}), three, zeros);
    refused(late({2, 1, 2}, {-1}, {-1}), three, zeros);
    refused(late({-1, -1, -1}, {-1}, {-1}), one, zeros);
    refused(late({-1, -1, -1}, {1}, {3}), one, zeros);
}

TEST(OnnxQuantizeLinear, RefusesBlocksOfAHugeShape) {
    ModelBuilder model(21);
    model.input("x", f32, PartialShape::parse("1000000000000")).output("y");
    model.initializer("scale", tensor_of<float>({1}, {1}));
    model.node("QuantizeLinear", {"x", "scale"}, {"y"})
        .with("axis", 0)
        .with("block_size", std::int64_t{1} << 50);
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "axis 0 has more than 16777216 elements in blocks");
}

TEST(OnnxDynamicQuantizeLinear, GivesScaleAndZeroPoint) {
    ModelBuilder model(11);
    model.input("x", f32, {3}).output("y").output("scale").output("zero");
    model.node("DynamicQuantizeLinear", {"x"}, {"y", "scale", "zero"});
    const auto results = model.run({tensor_of<float>({3}, {-1, 0, 254})});
    expect_same(results.at(0), bytes<std::uint8_t>({3}, {0, 1, 255}));
    expect_same(results.at(1), scalar_of(1.0F));
    expect_same(results.at(2), scalar_of<std::uint8_t>(1));
}

}  // namespace
}  // namespace rondo::onnx::quantize_linear_test
