#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/passes/elementwise_nodes.hpp"
#include "tests/unit/plugins/cpu/passes/fused_bits.hpp"

namespace rondo::test::fuse_epilogues_test {
namespace {

using ops::BinaryFunction;
using ops::UnaryFunction;

Tensor numbers(const Shape& shape) {
    auto rng = test_rng();
    return random_tensor(ElementType::f32, shape, rng);
}

Output weights(GraphBuilder& b, const Shape& shape) { return b.constant(numbers(shape)); }

std::shared_ptr<cpu::FusedMatMul> matmul_behind(const Graph& graph, std::size_t result = 0) {
    return as<cpu::FusedMatMul>(graph.results()[result]->input(0));
}

//   x   w            x   w
//   |   |             \ /
//   MatMul    =>   FusedMatMul
//     |
//    ReLU
TEST(FuseEpilogues, JoinsAProductAndAFunction) {
    GraphBuilder b;
    const Output product =
        b.make<ops::MatMul>("product", b.input("x", "[?,6]"), weights(b, {6, 24}));
    b.output("y", unary(b, UnaryFunction::relu, product, "relu"));
    const auto graph = b.graph();
    expect_fused_and_expanded(graph, cpu::fuse_epilogues);
    const auto fused = matmul_behind(*graph);
    ASSERT_NE(fused, nullptr);
    EXPECT_FALSE(fused->has_bias());
    EXPECT_TRUE(fused->has_program());
    EXPECT_EQ(fused->name(), "relu");
    EXPECT_EQ(to_string(fused->output_shape(0)), "[?,24]");
}

// A product with a bias, then tanh(x * scale + residual): after the other passes, one op.
TEST(FuseEpilogues, JoinsWhatStartsFromABias) {
    GraphBuilder b;
    const Output product = b.make<ops::MatMul>("", b.input("x", "[?,6]"), weights(b, {6, 24}));
    const Output sum = binary(b, BinaryFunction::add, product, weights(b, {24}));
    const Output scaled = binary(b, BinaryFunction::multiply, sum, b.input("scale", "[?,1]"));
    const Output all = binary(b, BinaryFunction::add, b.input("residual", "[?,24]"), scaled);
    b.output("y", unary(b, UnaryFunction::tanh, all));
    const auto graph = b.graph();
    cpu::fuse_bias(*graph);
    cpu::fuse_elementwise(*graph);
    expect_fused_and_expanded(graph, cpu::fuse_epilogues);
    const auto fused = matmul_behind(*graph);
    ASSERT_NE(fused, nullptr);
    EXPECT_TRUE(fused->has_bias());
    EXPECT_EQ(fused->parts().size(), 5u);
    EXPECT_EQ(fused->input_count(), 5u);
}

struct Bytes {
    Shape a, b;
    ElementType type = ElementType::u8;
    bool converts_alone = false;
};

// a [.., K] and its zero point times constant bytes, Convert(.) * scale + bias as dynamically
// quantised models have it, or the Convert alone.
std::shared_ptr<Graph> product_of_bytes(const Bytes& bytes) {
    auto rng = test_rng();
    GraphBuilder b;
    const Output a = b.input("a", to_string(PartialShape::of_rank(bytes.a.size())), bytes.type);
    const Output zero = b.input("zero", "[]", bytes.type);
    const Tensor right = random_tensor(ElementType::i8, bytes.b, rng, -128, 127);
    const Output product = b.make<ops::MatMulInteger>("product", a, b.constant(right), zero,
                                                      b.constant(scalar_of<std::int8_t>(3)));
    const Output wide = b.make<ops::Convert>("wide", product, ElementType::f32);
    if (bytes.converts_alone) {
        b.output("y", wide);
        return b.graph();
    }
    const Output scaled = binary(b, BinaryFunction::multiply, wide, b.input("scale", "[]"));
    b.output("y", binary(b, BinaryFunction::add, scaled, weights(b, {bytes.b.back()})));
    return b.graph();
}

TEST(FuseEpilogues, JoinsAProductOfBytes) {
    const auto graph = product_of_bytes({{3, 20}, {20, 33}});
    cpu::fuse_elementwise(*graph);
    expect_fused_and_expanded(graph, cpu::fuse_epilogues);
    const auto fused = as<cpu::FusedMatMulInteger>(graph->results()[0]->input(0));
    ASSERT_NE(fused, nullptr);
    EXPECT_TRUE(fused->has_program());
    EXPECT_EQ(fused->parts().size(), 4u);
    EXPECT_EQ(fused->input_count(), 6u);
}

TEST(FuseEpilogues, ProductsOfBytesKeepTheirBits) {
    auto rng = test_rng();
    for (const ElementType type : {ElementType::u8, ElementType::i8}) {
        for (const Bytes& bytes :
             {Bytes{{1, 20}, {20, 33}, type}, Bytes{{5, 64}, {64, 130}, type},
              Bytes{{2, 40, 70}, {70, 16}, type}, Bytes{{70, 300}, {300, 90}, type},
              Bytes{{0, 20}, {20, 33}, type}, Bytes{{70, 300}, {300, 90}, type, true},
              Bytes{{1, 7}, {7, 5}, type, true}}) {
            const bool is_signed = type == ElementType::i8;
            std::vector<Tensor> inputs{
                random_tensor(type, bytes.a, rng, is_signed ? -128 : 0, is_signed ? 127 : 255),
                random_tensor(type, {}, rng, 0, 100)};
            if (!bytes.converts_alone) inputs.push_back(scalar_of<float>(0.0123F));
            expect_bits_of_passes_up_to("fuse_elementwise", *product_of_bytes(bytes), inputs, 1e-4);
        }
    }
}

// Another reader of the integers.
TEST(FuseEpilogues, LeavesIntegersThatAreNeeded) {
    GraphBuilder b;
    const Output zero = b.constant(scalar_of<std::uint8_t>(1));
    const Output product =
        b.make<ops::MatMulInteger>("product", b.input("a", "[2,3]", ElementType::u8),
                                   b.input("b", "[3,4]", ElementType::u8), zero, zero);
    b.output("y", b.make<ops::Convert>("wide", product, ElementType::f32));
    b.output("integers", product);
    expect_unchanged(*b.graph(), cpu::fuse_epilogues);
}

TEST(FuseEpilogues, JoinsAConvolution) {
    GraphBuilder b;
    const Output windows = b.make<ops::Convolution>(
        "windows", b.input("x", "[?,3,?]"), weights(b, {5, 3, 3}), ops::ConvolutionAttributes());
    const Output sum = binary(b, BinaryFunction::add, windows, weights(b, {1, 5, 1}));
    b.output("y", unary(b, UnaryFunction::sigmoid, sum));
    const auto graph = b.graph();
    cpu::fuse_elementwise(*graph);
    expect_fused_and_expanded(graph, cpu::fuse_epilogues);
    EXPECT_NE(as<cpu::FusedConvolution>(graph->results()[0]->input(0)), nullptr);
}

// x sigmoid(x) reads the product twice, and both sides of the product are the same.
TEST(FuseEpilogues, JoinsAProductThatIsReadTwice) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4,4]");
    const Output product = b.make<ops::MatMul>("", x, x);
    b.output("y", binary(b, BinaryFunction::multiply, product,
                         unary(b, UnaryFunction::sigmoid, product)));
    const auto graph = b.graph();
    cpu::fuse_elementwise(*graph);
    expect_fused_and_expanded(graph, cpu::fuse_epilogues);
    ASSERT_NE(matmul_behind(*graph), nullptr);
    EXPECT_EQ(matmul_behind(*graph)->input_count(), 2u);
}

// Only one of two products can go on with the sum.
TEST(FuseEpilogues, JoinsOneOfTwoProducts) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,6]");
    const Output first = b.make<ops::MatMul>("", x, weights(b, {6, 8}));
    const Output second = b.make<ops::MatMul>("", x, weights(b, {6, 8}));
    b.output("y", binary(b, BinaryFunction::add, first, second));
    const auto graph = b.graph();
    expect_fused_and_expanded(graph, cpu::fuse_epilogues);
    EXPECT_EQ(count_nodes(*graph, "FusedMatMul"), 1u);
    EXPECT_EQ(count_nodes(*graph, "MatMul"), 1u);
}

TEST(FuseEpilogues, LeavesAProductThatOthersRead) {
    GraphBuilder b;
    const Output product = b.make<ops::MatMul>("", b.input("x", "[?,6]"), weights(b, {6, 8}));
    b.output("product", product);
    b.output("y", unary(b, UnaryFunction::relu, product));
    expect_unchanged(*b.graph(), cpu::fuse_epilogues);
}

TEST(FuseEpilogues, LeavesAProductThatIsBroadcast) {
    GraphBuilder b;
    const Output row = b.make<ops::MatMul>("", b.input("x", "[1,6]"), weights(b, {6, 8}));
    b.output("y", binary(b, BinaryFunction::add, row, b.input("rows", "[5,8]")));
    const Output any = b.make<ops::MatMul>("", b.input("u", "..."), weights(b, {6, 8}));
    b.output("z", unary(b, UnaryFunction::relu, any));
    expect_unchanged(*b.graph(), cpu::fuse_epilogues);
}

TEST(FuseEpilogues, LeavesOtherTypesAndFunctions) {
    GraphBuilder b;
    const Output n = b.input("n", "[3,3]", ElementType::i32);
    b.output("a", unary(b, UnaryFunction::abs, b.make<ops::MatMul>("", n, n)));
    const Output half = b.input("h", "[3,3]", ElementType::f16);
    b.output("b", unary(b, UnaryFunction::relu, b.make<ops::MatMul>("", half, half)));
    const Output x = b.input("x", "[3,3]");
    b.output("c", unary(b, UnaryFunction::sinh, b.make<ops::MatMul>("", x, x)));
    b.output("d", b.make<ops::MatMul>("", x, x));
    expect_unchanged(*b.graph(), cpu::fuse_epilogues);
}

// A longer program than one op can have goes on in a second op, which no product takes.
TEST(FuseEpilogues, LeavesWhatFollowsAnEpilogue) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,6]");
    Output chain = b.make<ops::MatMul>("", x, weights(b, {6, 8}));
    for (int i = 0; i < 60; ++i) chain = unary(b, UnaryFunction::tanh, chain);
    b.output("y", chain);
    const auto graph = b.graph();
    cpu::fuse_elementwise(*graph);
    expect_fused_and_expanded(graph, cpu::fuse_epilogues);
    EXPECT_EQ(count_nodes(*graph, "FusedMatMul"), 1u);
    EXPECT_EQ(count_nodes(*graph, "FusedElementwise"), 1u);
}

TEST(FuseEpilogues, ProfilesShowTheOriginalOps) {
    GraphBuilder b;
    const Output product =
        b.make<ops::MatMul>("product", b.input("x", "[?,6]"), weights(b, {6, 24}));
    b.output("y", unary(b, UnaryFunction::relu, product, "relu"));
    auto device = on_cpu(*b.graph(), {{property::kPerfCount, "YES"}});
    const auto kernels = device.executable->kernels();
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].node_name, "product");
    EXPECT_EQ(kernels[0].node_type, "MatMul");
    EXPECT_TRUE(kernels[0].kernel.starts_with("gemm_")) << kernels[0].kernel;
    EXPECT_EQ(kernels[1].node_name, "relu");
    EXPECT_EQ(kernels[1].reason, "part of 'product'");
    device.run({numbers({5, 6})});
    EXPECT_EQ(device.executor->profiling().at(1).exec_type, "part of 'product'");
    EXPECT_EQ(count_nodes(*runtime_graph(device), "ReLU"), 1u);
    EXPECT_EQ(device.executable->graph()->results()[0]->output(0).names(),
              std::set<std::string>{"y"});
}

// Every kind of operand: whole, a row, a column, a scalar, a batch; truth values as the result.
std::shared_ptr<Graph> operands(const Shape& right, bool constant_right) {
    GraphBuilder b;
    const Output w =
        constant_right ? weights(b, right) : b.input("w", to_string(PartialShape(right)));
    const auto columns = std::to_string(right.back());
    const Output product = b.make<ops::MatMul>("", b.input("x", "[?,?,?]"), w);
    Output sum = binary(b, BinaryFunction::add, product, b.input("row", "[" + columns + "]"));
    sum = binary(b, BinaryFunction::multiply, b.input("column", "[?,1]"), sum);
    sum = binary(b, BinaryFunction::subtract, sum, b.input("whole", "[?,?," + columns + "]"));
    const Output limit = b.input("limit", "[]");
    b.output("number",
             unary(b, UnaryFunction::mish, binary(b, BinaryFunction::minimum, sum, limit)));
    const Output again = b.make<ops::MatMul>("", b.input("v", "[?,?,?]"), w);
    b.output("truth", b.make<ops::Compare>("", ops::CompareFunction::greater, again, limit));
    return b.graph();
}

TEST(FuseEpilogues, ProductsHaveTheBitsOfSingleOps) {
    auto rng = test_rng();
    for (const bool constant_right : {true, false}) {
        for (const std::size_t columns : {1, 3, 17, 70}) {
            const auto graph = operands({37, columns}, constant_right);
            for (const auto& [batch, rows] :
                 {std::pair<std::size_t, std::size_t>{1, 1}, {2, 7}, {3, 200}, {0, 4}}) {
                SCOPED_TRACE(std::to_string(columns) + " columns, rows " + std::to_string(rows));
                std::vector<Tensor> inputs;
                const auto add = [&](const Shape& shape) {
                    inputs.push_back(random_tensor(ElementType::f32, shape, rng));
                };
                if (!constant_right) add({37, columns});
                add({batch, rows, 37});
                add({columns});
                add({rows, 1});
                add({batch, rows, columns});
                add({});
                add({batch, rows, 37});
                expect_bits_of_passes_up_to("fuse_elementwise", *graph, inputs, 2e-4);
            }
        }
    }
}

// An open extent of 1 that another operand widens: the product is repeated after it is complete.
TEST(FuseEpilogues, AProductMayTurnOutSmaller) {
    GraphBuilder b;
    const Output product = b.make<ops::MatMul>("", b.input("x", "[?,6]"), weights(b, {6, 24}));
    const Output sum = binary(b, BinaryFunction::add, product, b.input("y", "[?,24]"));
    b.output("z", unary(b, UnaryFunction::tanh, sum));
    const auto graph = b.graph();
    for (const auto& [x, y] : {std::pair<std::size_t, std::size_t>{1, 5}, {5, 1}, {4, 4}, {1, 0}}) {
        expect_bits_of_passes_up_to("fuse_elementwise", *graph, {numbers({x, 6}), numbers({y, 24})},
                                    1e-5);
    }
}

// Both forms of the convolution, several images, tiles that end inside of a filter's positions.
TEST(FuseEpilogues, ConvolutionsHaveTheBitsOfSingleOps) {
    for (const std::size_t filters : {1, 5, 40}) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,3,?]");
        const Output windows = b.make<ops::Convolution>("", x, weights(b, {filters, 3, 3}),
                                                        ops::ConvolutionAttributes{{2}});
        Output y = binary(b, BinaryFunction::add, windows, weights(b, {1, filters, 1}));
        y = binary(b, BinaryFunction::multiply, y,
                   b.input("whole", "[?," + std::to_string(filters) + ",?]"));
        b.output("y", unary(b, UnaryFunction::softplus, y));
        b.output("t",
                 b.make<ops::Compare>("", ops::CompareFunction::less,
                                      b.make<ops::Convolution>("", x, weights(b, {filters, 3, 1}),
                                                               ops::ConvolutionAttributes()),
                                      b.constant(scalar_of<float>(0.25f))));
        const auto graph = b.graph();
        for (const auto& [images, length] :
             {std::pair<std::size_t, std::size_t>{1, 3}, {2, 9}, {3, 21}, {2, 6001}, {0, 5}}) {
            SCOPED_TRACE(length);
            expect_bits_of_passes_up_to(
                "fuse_elementwise", *graph,
                {numbers({images, 3, length}), numbers({images, filters, (length - 3) / 2 + 1})},
                2e-5);
        }
    }
}

TEST(FuseEpilogues, AConvolutionOfNoChannels) {
    GraphBuilder b;
    const Output windows = b.make<ops::Convolution>("", b.input("x", "[?,0,?]"),
                                                    b.constant(Tensor(ElementType::f32, {4, 0, 1})),
                                                    ops::ConvolutionAttributes());
    b.output("y", binary(b, BinaryFunction::add, windows, weights(b, {1, 4, 1})));
    expect_bits_of_passes_up_to("fuse_elementwise", *b.graph(),
                                {Tensor(ElementType::f32, {2, 0, 7})}, 0);
}

// The plan computes what it knows from shapes, also through an epilogue.
TEST(FuseEpilogues, ValuesKnownFromShapes) {
    GraphBuilder b;
    const Output extents = b.make<ops::ShapeOf>("", b.input("x", "[?,3]"));
    const Output floats = b.make<ops::Convert>("", extents, ElementType::f32);
    const Output product = b.make<ops::MatMul>("", floats, weights(b, {2, 4}));
    b.output("y", unary(b, UnaryFunction::tanh, product));
    expect_bits_of_passes_up_to("fuse_elementwise", *b.graph(), {numbers({5, 3})}, 1e-6);
}

TEST(FuseEpilogues, DoublesAndErrors) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]", ElementType::f64);
    const Output w = b.input("w", "[?,?]", ElementType::f64);
    const Output product = b.make<ops::MatMul>("product", x, w);
    b.output("y", unary(b, UnaryFunction::sigmoid, product));
    const auto graph = b.graph();
    auto rng = test_rng();
    expect_bits_of_passes_up_to("fuse_elementwise", *graph,
                                {random_tensor(ElementType::f64, {9, 4}, rng),
                                 random_tensor(ElementType::f64, {4, 13}, rng)},
                                1e-14);
    auto device = on_cpu(*graph);
    expect_error<ModelError>(
        [&] {
            device.run({Tensor(ElementType::f64, {2, 3}), Tensor(ElementType::f64, {4, 5})});
        },
        "node 'product' (MatMul)");
}

}  // namespace
}  // namespace rondo::test::fuse_epilogues_test
