#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/passes/passes.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::convolve_bytes_test {
namespace {

enum class Zero { none, constant, input };

struct Window {
    Shape data = {2, 8, 9, 11};
    Shape filters = {16, 8, 3, 2};
    ops::ConvolutionAttributes attributes = {};
    ElementType type = ElementType::u8;
    Zero zero = Zero::input;
    double least = -100, most = 100;  // of the filters
};

Output wide(const Output& narrow) {
    return named(make_node<ops::Convert>(narrow, ElementType::f32), narrow.node().name() + "/f32");
}

// relu(f32(i32(convolution of (bytes - zero point)))).
std::shared_ptr<Graph> graph_of(const Window& window) {
    auto rng = test_rng();
    std::vector<NodePtr> parameters{parameter("x", window.data, window.type)};
    Output x = wide(parameters[0]);
    if (window.zero == Zero::constant) {
        const float zero = window.type == ElementType::u8 ? 200 : -3;
        const Output number = constant(scalar_of<float>(zero), "zero");
        x = named(make_node<ops::Binary>(ops::BinaryFunction::subtract, x, number), "less");
    }
    if (window.zero == Zero::input) {
        parameters.push_back(parameter("zero", Shape{1}, window.type));
        x = named(make_node<ops::Binary>(ops::BinaryFunction::subtract, x, wide(parameters[1])),
                  "less");
    }
    Tensor filters =
        random_tensor(ElementType::f32, window.filters, rng, window.least, window.most);
    for (std::size_t i = 0; i < filters.size(); ++i) {
        filters.data<float>()[i] = std::round(filters.data<float>()[i]);
    }
    const auto sums =
        named(make_node<ops::Convolution>(x, constant(filters), window.attributes), "sums");
    const auto integers = named(make_node<ops::Convert>(sums, ElementType::i32), "integers");
    return test::graph_of(
        parameters,
        {named(make_node<ops::Unary>(ops::UnaryFunction::relu, wide(integers)), "relu")});
}

std::vector<Tensor> bytes_for(const Graph& graph) {
    auto rng = test_rng();
    std::vector<Tensor> inputs;
    for (const auto& input : graph.parameters()) {
        const bool is_signed = input->output_type(0) == ElementType::i8;
        inputs.push_back(random_tensor(input->output_type(0), input->output_shape(0).to_shape(),
                                       rng, is_signed ? -128 : 0, is_signed ? 127 : 255));
    }
    return inputs;
}

bool multiplies_in_fours() {
    return cpu::best_isa() == cpu::Isa::avx512 && cpu::cpu_features().vnni;
}

void expect_products(const Window& window) {
    const auto graph = graph_of(window);
    expect_rewritten(*graph, cpu::convolve_bytes, bytes_for(*graph));
    EXPECT_EQ(count_nodes(*graph, "MatMulInteger"), multiplies_in_fours() ? 1 : 0);
    const auto original = graph_of(window);
    expect_like_reference(*original, bytes_for(*original));
}

TEST(ConvolveBytes, KeepsEveryBit) {
    for (const ElementType type : {ElementType::u8, ElementType::i8}) {
        for (const Zero zero : {Zero::none, Zero::constant, Zero::input}) {
            expect_products({.type = type, .zero = zero});
        }
    }
    expect_products({.least = -30, .most = 220});
    expect_products({.least = 0, .most = 250});
    expect_products({.attributes = {{2, 3}, {}, {1, 0}, {2, 1}}});
    expect_products({.attributes = {{1, 2}, {2, 3}, {2, 4}, {0, 3}}});
    expect_products({.attributes = {.auto_pad = ops::AutoPad::valid}});
    expect_products({.data = {1, 8, 30}, .filters = {17, 8, 5}, .attributes = {{2}, {}, {2}, {2}}});
    expect_products({.data = {3, 12, 6}, .filters = {16, 12, 1}});
    expect_products({.data = {1, 8, 4, 5, 6}, .filters = {16, 8, 2, 1, 3}});
    expect_products({.data = {1, 8, 5}, .filters = {16, 8, 7}, .attributes = {{}, {}, {1}, {1}}});
}

// Without the way to i32 and back, all the same.
TEST(ConvolveBytes, LeavesConvolutionsOfFewChannels) {
    for (const Window& window :
         {Window{.data = {1, 3, 9, 11}, .filters = {16, 3, 3, 2}}, Window{.filters = {5, 8, 3, 2}},
          Window{.attributes = {.auto_pad = ops::AutoPad::same_upper}}}) {
        const auto graph = graph_of(window);
        EXPECT_EQ(count_nodes(*graph, "Convert"), window.zero == Zero::input ? 4u : 3u);
        expect_rewritten(*graph, cpu::convolve_bytes, bytes_for(*graph));
        EXPECT_EQ(count_nodes(*graph, "Convolution"), 1u);
        EXPECT_EQ(count_nodes(*graph, "Convert"), 2u);
    }
}

TEST(ConvolveBytes, LeavesSumsThatF32Rounds) {
    // 255 * 255 * 8 * 64 is above 2^24.
    const Window large{.data = {1, 8, 8, 10}, .filters = {16, 8, 8, 8}, .least = 250, .most = 255};
    expect_unchanged(*graph_of(large), cpu::convolve_bytes);
    auto rng = test_rng();
    const auto x = parameter("x", {1, 8, 20}, ElementType::u8);
    const Tensor fractions = random_tensor(ElementType::f32, {16, 8, 3}, rng);
    expect_unchanged(
        *test::graph_of({x}, {make_node<ops::Convolution>(wide(x), constant(fractions),
                                                          ops::ConvolutionAttributes{})}),
        cpu::convolve_bytes);
}

// Both of two ways back to f32 are outputs of the model.
TEST(ConvolveBytes, KeepsTheNamesOfOutputs) {
    auto rng = test_rng();
    const auto x = parameter("x", {1, 8, 20}, ElementType::u8);
    Tensor filters = random_tensor(ElementType::f32, {16, 8, 3}, rng, -9, 9);
    for (std::size_t i = 0; i < filters.size(); ++i) {
        filters.data<float>()[i] = std::round(filters.data<float>()[i]);
    }
    const auto sums =
        named(make_node<ops::Convolution>(wide(x), constant(filters), ops::ConvolutionAttributes{}),
              "sums");
    const auto integers = named(make_node<ops::Convert>(sums, ElementType::i32), "integers");
    const auto first = named(make_node<ops::Convert>(integers, ElementType::f32), "first");
    const auto second = named(make_node<ops::Convert>(integers, ElementType::f32), "second");
    const auto graph = test::graph_of({x}, {first, second});
    expect_rewritten(*graph, cpu::convolve_bytes, bytes_for(*graph));
}

// Data of rank 3 that a zero point makes rank 4.
TEST(ConvolveBytes, LeavesZeroPointsThatAddAxes) {
    const auto x = parameter("x", {8, 9, 11}, ElementType::u8);
    const auto zero = parameter("zero", {1, 1, 1, 1}, ElementType::u8);
    const auto less =
        named(make_node<ops::Binary>(ops::BinaryFunction::subtract, wide(x), wide(zero)), "less");
    Tensor filters(ElementType::f32, {16, 8, 2, 2});
    std::fill_n(filters.data<float>(), filters.size(), 1.0F);
    expect_unchanged(
        *test::graph_of({x, zero}, {make_node<ops::Convolution>(less, constant(filters),
                                                                ops::ConvolutionAttributes{})}),
        cpu::convolve_bytes);
}

}  // namespace
}  // namespace rondo::test::convolve_bytes_test
