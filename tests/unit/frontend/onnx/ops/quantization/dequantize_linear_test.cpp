#include <gtest/gtest.h>

#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::dequantize_linear_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

enum class Given { as_input, as_constant };

ModelBuilder dequantize(const Tensor& x, const Tensor& scale, const Tensor& zero_point,
                        std::int64_t opset, Given given) {
    ModelBuilder model(opset);
    if (given == Given::as_constant) {
        model.initializer("x", x);
    } else {
        model.input("x", x.element_type(), x.shape());
    }
    model.initializer("scale", scale).output("y");
    if (zero_point) model.initializer("zero", zero_point);
    model.node("DequantizeLinear", {"x", "scale", zero_point ? "zero" : ""}, {"y"}, "d");
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

// With x as an input and as a constant; `axis` where it isn't 1.
void expect_dequantized(const Tensor& x, const Tensor& scale, const Tensor& zero_point,
                        const Tensor& expected, std::int64_t axis = 1) {
    for (const Given given : {Given::as_input, Given::as_constant}) {
        auto model = dequantize(x, scale, zero_point, 21, given);
        if (axis != 1) node(model).with("axis", axis);
        const std::vector<Tensor> inputs(given == Given::as_input ? 1 : 0, x);
        expect_same(model.run(inputs).at(0), expected);
    }
}

template <typename T>
Tensor ints(const Shape& shape, const std::vector<int>& values) {
    return tensor_of<T, int>(shape, values);
}

TEST(OnnxDequantizeLinear, ScalesTheDifferenceOfEveryType) {
    expect_dequantized(ints<std::uint8_t>({3}, {0, 3, 255}), scalar_of(0.1F),
                       scalar_of<std::uint8_t>(3),
                       tensor_of<float>({3}, {-3 * 0.1F, 0, 252 * 0.1F}));
    expect_dequantized(ints<std::int8_t>({2}, {-128, 127}), scalar_of(2.0F),
                       scalar_of<std::int8_t>(100), tensor_of<float>({2}, {-456, 54}));
    expect_dequantized(ints<std::uint16_t>({2}, {0, 65535}), scalar_of(2.0F),
                       scalar_of<std::uint16_t>(40000), tensor_of<float>({2}, {-80000, 51070}));
    expect_dequantized(ints<std::int16_t>({2}, {-32768, 32767}), scalar_of(2.0F), Tensor(),
                       tensor_of<float>({2}, {-65536, 65534}));
    expect_dequantized(ints<std::int32_t>({2}, {-100000, 7}), scalar_of(0.5F),
                       scalar_of<std::int32_t>(1), tensor_of<float>({2}, {-50000.5F, 3}));
    for (const std::int64_t opset : {10, 13, 19, 23, 25}) {
        const auto x = ints<std::int8_t>({1}, {5});
        expect_same(dequantize(x, scalar_of(2.0F), Tensor(), opset, Given::as_input).run({x}).at(0),
                    tensor_of<float>({1}, {10}));
    }
}

TEST(OnnxDequantizeLinear, HasAScaleForEachPlaceOnAnAxis) {
    const auto x = ints<std::uint8_t>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto scale = tensor_of<float>({2}, {1, 10});
    const auto zero = ints<std::uint8_t>({2}, {0, 1});
    const auto expected = [](const std::vector<float>& y) {
        return tensor_of<float>({2, 2, 2}, y);
    };
    expect_dequantized(x, scale, zero, expected({1, 2, 20, 30, 5, 6, 60, 70}));
    expect_dequantized(x, scale, zero, expected({1, 2, 3, 4, 40, 50, 60, 70}), 0);
    expect_dequantized(x, scale, zero, expected({1, 10, 3, 30, 5, 50, 7, 70}), -1);
    const auto one = tensor_of<float>({1}, {2});
    expect_dequantized(scalar_of<std::uint8_t>(3), one, Tensor(), scalar_of(6.0F));
    expect_dequantized(Tensor(ElementType::u8, {0, 3}), scalar_of(1.0F), Tensor(),
                       Tensor(ElementType::f32, {0, 3}));
}

TEST(OnnxDequantizeLinear, HasAScaleForEachBlock) {
    const auto x = ints<std::int8_t>({3, 2}, {1, 2, 3, 4, 5, 6});
    for (const Given given : {Given::as_input, Given::as_constant}) {
        auto model = dequantize(x, tensor_of<float>({2, 2}, {1, 10, 100, 1000}),
                                ints<std::int8_t>({2, 2}, {1, 0, 0, 1}), 21, given);
        node(model).with("axis", 0).with("block_size", 2);
        const std::vector<Tensor> inputs(given == Given::as_input ? 1 : 0, x);
        expect_same(model.run(inputs).at(0), tensor_of<float>({3, 2}, {0, 20, 2, 40, 500, 5000}));
    }
    // With constants a run computes nothing, whatever the type of the scale.
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
        const auto scale = test::converted(tensor_of<float>({2, 2}, {1, 10, 100, 1000}), type);
        auto model = dequantize(x, scale, Tensor(), 21, Given::as_constant);
        node(model).with("axis", 0).with("block_size", 2);
        const auto graph = model.read();
        ASSERT_TRUE(known_value(graph->results()[0]->input(0))) << to_string(type);
        expect_same(model.run({}).at(0),
                    test::converted(tensor_of<float>({3, 2}, {1, 20, 3, 40, 500, 6000}), type));
    }
}

TEST(OnnxDequantizeLinear, RoundsOnceToTheScalesType) {
    // 65535 isn't a number of f16, but its product is.
    const auto x = ints<std::uint16_t>({2}, {65535, 3});
    expect_dequantized(x, tensor_of<float16, double>({}, {0.5}), Tensor(),
                       tensor_of<float16, double>({2}, {32768, 1.5}));
    expect_dequantized(x, tensor_of<bfloat16, double>({}, {0.5}), Tensor(),
                       tensor_of<bfloat16, double>({2}, {32768, 1.5}));
    auto model = dequantize(x, scalar_of(0.5F), Tensor(), 23, Given::as_input);
    node(model).with("output_dtype", test::to_onnx(ElementType::f16));
    expect_same(model.run({x}).at(0), tensor_of<float16, double>({2}, {32768, 1.5}));
}

// An initializer with packed elements.
void add_narrow(ModelBuilder& model, const std::string& name, std::int32_t data_type,
                const std::vector<std::int64_t>& dims, const std::string& bytes) {
    auto& tensor = *model.graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(data_type);
    for (const std::int64_t extent : dims) tensor.add_dims(extent);
    tensor.set_raw_data(bytes);
}

TEST(OnnxDequantizeLinear, ReadsConstantsOfNarrowTypes) {
    constexpr std::int32_t kFloat8 = 17, kInt4 = 22;
    ModelBuilder model(28);
    add_narrow(model, "x", kInt4, {2, 3}, {'\x21', '\x4F', '\x7A'});  // 1 2 -1 4 -6 7
    add_narrow(model, "zero", kInt4, {2, 2}, {'\x21', '\x43'});
    model.initializer("scale", tensor_of<float16, double>({2, 2}, {1, 10, 100, 1000})).output("y");
    model.node("DequantizeLinear", {"x", "scale", "zero"}, {"y"}).with("block_size", 2);
    expect_same(model.run({}).at(0),
                tensor_of<float16, double>({2, 3}, {0, 1, -30, 100, -900, 3000}));

    ModelBuilder floats(28);
    add_narrow(floats, "x", kFloat8, {2}, {'\x38', '\xC0'});
    add_narrow(floats, "zero", kFloat8, {}, {'\x00'});
    floats.initializer("scale", scalar_of(3.0F)).output("y").output("z");
    floats.node("DequantizeLinear", {"x", "scale", "zero"}, {"y"}, "d");
    floats.node("Cast", {"x"}, {"z"}, "c").with("to", test::to_onnx(ElementType::i32));
    expect_same(floats.run({}).at(0), tensor_of<float>({2}, {3, -6}));
    expect_same(floats.run({}).at(1), tensor_of<std::int32_t>({2}, {1, -2}));
}

// As MXFP4 has them: f4e2m1 with a power of two for each block.
TEST(OnnxDequantizeLinear, ScalesMayBePowersOfTwo) {
    constexpr std::int32_t kFloat4 = 23, kScale = 24;
    for (const bool is_known : {true, false}) {
        ModelBuilder model(25);
        add_narrow(model, "x", kFloat4, {2, 4}, {'\x42', '\x65', '\x17', '\x23'});
        if (is_known) {
            add_narrow(model, "scale", kScale, {2, 2}, {'\x7F', '\x80', '\x7E', '\x81'});
        } else {
            model.input("scale", ElementType::f8e8m0, {2, 2});
        }
        model.output("y").node("DequantizeLinear", {"x", "scale"}, {"y"}, "d");
        node(model).with("block_size", 2);
        expect_error<ModelError>([&] { model.read(); },
                                 "the result has type f8e8m0; expected a floating type");
        node(model).with("output_dtype", test::to_onnx(ElementType::f32));
        Tensor scale(ElementType::f8e8m0, {2, 2});
        const std::uint8_t codes[] = {0x7F, 0x80, 0x7E, 0x81};
        std::copy_n(codes, 4, static_cast<std::uint8_t*>(scale.data()));
        expect_same(model.run(is_known ? std::vector<Tensor>() : std::vector<Tensor>{scale}).at(0),
                    tensor_of<float>({2, 4}, {1, 2, 6, 8, 3, 0.25F, 6, 4}));
    }
}

TEST(OnnxDequantizeLinear, ReadsNarrowTypesBehindMovements) {
    ModelBuilder model(25);
    add_narrow(model, "x", 21, {2, 2}, {'\x21', '\xF3'});  // 1 2 3 15
    model.initializer("scale", scalar_of(1.0F)).output("y").output("s");
    model.node("Transpose", {"x"}, {"t"}, "t");
    model.node("Shape", {"t"}, {"s"}, "s");
    model.node("DequantizeLinear", {"t", "scale"}, {"y"}, "d");
    expect_same(model.run({}).at(0), tensor_of<float>({2, 2}, {1, 3, 2, 15}));
    expect_same(model.run({}).at(1), tensor_of<std::int64_t>({2}, {2, 2}));
    model.output("t").output("sum").node("Add", {"t", "t"}, {"sum"}, "a");
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "node 'a' (Add): input 0 is u4, a type that is only stored");
}

ModelBuilder late(const PartialShape& x, const PartialShape& scale, std::int64_t block = 0) {
    ModelBuilder model(21);
    model.input("x", ElementType::i8, x).input("scale", ElementType::f32, scale).output("y");
    model.node("DequantizeLinear", {"x", "scale"}, {"y"}, "d").with("block_size", block);
    return model;
}

TEST(OnnxDequantizeLinear, TakesOpenShapes) {
    const auto x = ints<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto scale = tensor_of<float>({3}, {1, 10, 100});
    const auto y = tensor_of<float>({2, 3}, {1, 20, 300, 4, 50, 600});
    const auto blocks = tensor_of<float>({2, 2}, {1, 10, 100, 1000});
    for (const auto& shape : {PartialShape{2, 3}, PartialShape{-1, 3}, PartialShape{-1, -1}}) {
        for (const auto& vector : {PartialShape{3}, PartialShape{-1}}) {
            const auto model = late(shape, vector);
            expect_same(model.run({x, scale}).at(0), y);
            EXPECT_EQ(model.read()->results()[0]->input(0).node().name(), "d");
        }
        for (const auto& vector : {PartialShape{2, 2}, PartialShape{-1, 2}}) {
            expect_same(late(shape, vector, 2).run({x, blocks}).at(0),
                        tensor_of<float>({2, 3}, {1, 2, 30, 400, 500, 6000}));
        }
    }
    const auto first = ints<std::int8_t>({2, 1, 1}, {1, 2});
    expect_same(late({-1, -1, -1}, {-1}).run({first, tensor_of<float>({1}, {3})}).at(0),
                tensor_of<float>({2, 1, 1}, {3, 6}));
}

TEST(OnnxDequantizeLinear, RefusesScalesThatDontFitWhenItRuns) {
    const auto refused = [](const ModelBuilder& model, const Tensor& x, const Tensor& scale) {
        expect_error<ModelError>([&] { model.run({x, scale}); }, "can't be reshaped");
    };
    const Tensor column(ElementType::i8, {2, 1}), row(ElementType::i8, {1, 4});
    const Tensor three(ElementType::f32, {3}), blocks(ElementType::f32, {2, 2});
    refused(late({-1, -1}, {3}), column, three);
    refused(late({-1, -1}, {-1}), column, three);
    refused(late({2, 1}, {-1}), column, three);
    refused(late({-1, -1}, {2, 2}, 2), row, blocks);
    refused(late({-1, 4}, {-1, 2}, 2), row, blocks);
    refused(late({2, 4}, {-1, 2}, 2), Tensor(ElementType::i8, {2, 4}),
            Tensor(ElementType::f32, {1, 2}));
    refused(late({-1, -1}, {-1, 2}, 2), Tensor(ElementType::i8, {2, 5}), blocks);
    expect_error<ModelError>(
        [] {
            late({2, 4}, {1, 2}, 2).read();
        },
        "expected the same extents on all axes but 1");
}

TEST(OnnxDequantizeLinear, Refuses) {
    const auto x = ints<std::uint8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto refuse = [](const Tensor& data, const Tensor& scale, const Tensor& zero) {
        return [=] { dequantize(data, scale, zero, 21, Given::as_input).read(); };
    };
    const auto one = scalar_of(1.0F);
    expect_error<UnsupportedError>(refuse(tensor_of<std::int64_t>({1}, {1}), one, {}),
                                   "x has type i64; expected u8, i8, u16, i16 or i32");
    expect_error<UnsupportedError>(refuse(x, scalar_of(1.0), {}),
                                   "x_scale has type f64; expected f32, f16, bf16 or f8e8m0");
    expect_error<ModelError>(refuse(x, one, scalar_of<std::int8_t>(1)),
                             "x_zero_point has type i8; expected u8 as x has");
    expect_error<ModelError>(refuse(x, tensor_of<float>({2}, {1, 1}), {}),
                             "expected as many elements as axis 1");
}

// Large ones in front of a product, which keep their bytes, and the same as an output of the model,
// which are read as f32.
TEST(OnnxDequantizeLinear, KeepsTheBytesOfLargeMatrices) {
    constexpr std::size_t kRows = 768, kColumns = 704, kBlock = 32;
    struct Case {
        ElementType type;
        std::int64_t axis, block;
        Shape parameters;
        bool held = true;
    };
    const Case cases[] = {
        {ElementType::i8, 1, 0, {kColumns}},
        {ElementType::u8, 1, 0, {}},
        {ElementType::u8, 0, kBlock, {kRows / kBlock, kColumns}},
        {ElementType::i8, -2, kBlock, {kRows / kBlock, kColumns}},
        {ElementType::i8, 0, 0, {kRows}, false},
        {ElementType::i8, 1, kBlock, {kRows, kColumns / kBlock}, false},
        {ElementType::u8, 0, 100, {8, kColumns}, false},
    };
    auto rng = test::test_rng();
    const Tensor x = test::random_tensor(ElementType::f32, {2, kRows}, rng);
    for (const Case& test : cases) {
        SCOPED_TRACE(std::string(to_string(test.type)) + " " + std::to_string(test.axis) + " " +
                     std::to_string(test.block));
        const Tensor q = test::random_tensor(test.type, {kRows, kColumns}, rng, 0, 15);
        const Tensor zero = test::random_tensor(test.type, test.parameters, rng, 0, 7);
        const Tensor scale =
            test::random_tensor(ElementType::f32, test.parameters, rng, 0.01, 0.02);
        std::vector<Tensor> products;
        for (const bool is_output : {false, true}) {
            ModelBuilder model(21);
            model.initializer("q", q).initializer("scale", scale).initializer("zero", zero);
            model.input("x", ElementType::f32, x.shape()).output("y");
            if (is_output) model.output("w");
            model.node("DequantizeLinear", {"q", "scale", "zero"}, {"w"}, "d")
                .with("axis", test.axis)
                .with("block_size", test.block);
            model.node("MatMul", {"x", "w"}, {"y"}, "product");
            products.push_back(model.run({x}).at(0));
            const auto graph = model.read();
            const auto types = test::count_nodes(*graph, "Convert");
            EXPECT_EQ(types > 0, test.held && !is_output);
        }
        expect_same(products[0], products[1]);
    }
}

// As PyTorch's Linear is exported: Gemm with a transposed right side, a scale a row.
TEST(OnnxDequantizeLinear, KeepsTheBytesOfLargeTransposedMatrices) {
    constexpr std::size_t kRows = 704, kColumns = 768;
    auto rng = test::test_rng();
    const auto read = [&](std::int64_t axis, std::size_t scales, std::int64_t transposed_a) {
        ModelBuilder model(21);
        model.initializer("q", test::random_tensor(ElementType::i8, {kRows, kColumns}, rng));
        model.initializer("scale", test::random_tensor(ElementType::f32, {scales}, rng, 0.1, 0.2));
        model.input("x", ElementType::f32, {kColumns, kColumns}).output("y");
        model.node("DequantizeLinear", {"q", "scale"}, {"w"}, "d").with("axis", axis);
        model.node("Gemm", {"x", "w"}, {"y"}, "g").with("transB", 1).with("transA", transposed_a);
        return test::count_nodes(*model.read(), "Convert");
    };
    EXPECT_EQ(read(0, kRows, 0), 1u);
    EXPECT_EQ(read(1, kColumns, 0), 0u) << "a scale a number of K";
    EXPECT_EQ(read(0, kRows, 1), 0u) << "the left side is transposed, too";
}

}  // namespace
}  // namespace rondo::onnx::dequantize_linear_test
