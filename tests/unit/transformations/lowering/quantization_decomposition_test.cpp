#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/product/matmul.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::quantization_decomposition_test {
namespace {

using namespace test;  // NOLINT: tests only

std::shared_ptr<Graph> quantized(std::string_view shape) {
    GraphBuilder b;
    const auto node = b.make<ops::DynamicQuantizeLinear>("q", b.input("x", shape));
    const char* const names[] = {"y", "scale", "zero_point"};
    for (std::size_t i = 0; i < 3; ++i) b.output(names[i], node->output(i));
    return b.graph();
}

// DynamicQuantizeLinear -> ReduceMin, ReduceMax -> scale, zero point -> Round.
TEST(QuantizationDecomposition, RoundsByTheRangeOfAllElements) {
    const std::vector<std::vector<float>> cases{
        {-1, 0.25F, 2, 0.7F}, {1, 2, 3, 4}, {-3, -2, -1, -0.5F}, {0, 0, 0, 0}, {5, 5, 5, 5}};
    for (const auto& values : cases) {
        const auto graph = quantized("[?,2]");
        expect_rewritten(*graph, quantization_decomposition, {tensor_of<float>({2, 2}, values)});
        EXPECT_EQ(count_nodes(*graph, "DynamicQuantizeLinear"), 0u);
    }
    expect_unchanged(*quantized("..."), quantization_decomposition);
}

// The longest extents of each way, and elements whose products are the greatest.
TEST(QuantizationDecomposition, MultipliesIntegersExactly) {
    for (const std::size_t inner : {3, 258, 259, 4112}) {
        for (const bool is_extreme : {false, true}) {
            GraphBuilder b;
            Rng rng = test_rng();
            const double low = is_extreme ? 255 : 0;
            const Output a = b.input("a", "[2,?]", ElementType::u8);
            const Output matrix = b.constant(
                random_tensor(ElementType::u8, {inner, 3}, rng, is_extreme ? 0 : 0, 255 - low));
            const std::uint8_t b_zero = is_extreme ? 255 : 7;
            b.output("y", b.make<ops::MatMulInteger>("m", a, matrix,
                                                     b.constant(scalar_of<std::uint8_t>(0)),
                                                     b.constant(scalar_of<std::uint8_t>(b_zero))));
            const auto graph = b.graph();
            expect_rewritten(*graph, quantization_decomposition,
                             {random_tensor(ElementType::u8, {2, inner}, rng, low, 255)});
            EXPECT_EQ(count_nodes(*graph, "MatMul"), inner <= 258 ? 1u : 2u);
        }
    }
}

TEST(QuantizationDecomposition, LeavesSumsThatF32MightRound) {
    for (const char* shape : {"[2,4113]", "[2,?]"}) {
        GraphBuilder b;
        const Output a = b.input("a", shape, ElementType::u8);
        const Output matrix = b.input("b", shape[3] == '?' ? "[?,3]" : "[4113,3]", ElementType::u8);
        const Output zero = b.constant(scalar_of<std::uint8_t>(0));
        b.output("y", b.make<ops::MatMulInteger>("m", a, matrix, zero, zero));
        expect_unchanged(*b.graph(), quantization_decomposition);
    }
}

}  // namespace
}  // namespace rondo::passes::quantization_decomposition_test
