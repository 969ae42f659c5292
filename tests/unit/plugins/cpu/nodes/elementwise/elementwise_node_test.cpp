// elementwise_node.cpp and softmax_node.cpp.
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::elementwise_node_test {
namespace {

constexpr double kTolerance = 5e-7;  // 4 ULP near 1

std::shared_ptr<Graph> unary_graph(ops::UnaryFunction function,
                                   ElementType type = ElementType::f32) {
    const auto x = parameter("x", PartialShape(), type);
    return graph_of({x}, {named(make_node<ops::Unary>(function, x), "op")});
}

void expect_unary(ops::UnaryFunction function, const std::string& kernel_start) {
    auto rng = test_rng();
    const auto graph = unary_graph(function);
    EXPECT_TRUE(kernel_of(*graph, "op").starts_with(kernel_start)) << kernel_of(*graph, "op");
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{17}, Shape{3, 0}, Shape{2, 3, 41}, Shape{70000}}) {
        const Tensor x = random_tensor(ElementType::f32, shape, rng, -6, 6);
        expect_like_reference(*graph, {x}, kTolerance, kTolerance);
    }
}

TEST(UnaryNode, Sigmoid) { expect_unary(ops::UnaryFunction::sigmoid, "Sigmoid_"); }
TEST(UnaryNode, Tanh) { expect_unary(ops::UnaryFunction::tanh, "Tanh_"); }
TEST(UnaryNode, Relu) { expect_unary(ops::UnaryFunction::relu, "ReLU_"); }

void expect_unary_f64(ops::UnaryFunction function) {
    auto rng = test_rng();
    const auto graph = unary_graph(function, ElementType::f64);
    EXPECT_TRUE(kernel_of(*graph, "op").ends_with("_f64")) << kernel_of(*graph, "op");
    for (const Shape& shape : {Shape{}, Shape{3, 0}, Shape{2, 3, 41}, Shape{70000}}) {
        const Tensor x = random_tensor(ElementType::f64, shape, rng, -6, 6);
        expect_like_reference(*graph, {x}, 1e-15, 1e-15);
    }
}

TEST(UnaryNode, Logarithm) {
    auto rng = test_rng();
    const auto graph = unary_graph(ops::UnaryFunction::log);
    EXPECT_TRUE(kernel_of(*graph, "op").starts_with("Log_"));
    for (const Shape& shape : {Shape{}, Shape{2, 3, 41}}) {
        const Tensor x = random_tensor(ElementType::f32, shape, rng, 0, 60);
        expect_like_reference(*graph, {x}, kTolerance, kTolerance);
    }
}

TEST(UnaryNode, SigmoidOfDoubles) { expect_unary_f64(ops::UnaryFunction::sigmoid); }
TEST(UnaryNode, TanhOfDoubles) { expect_unary_f64(ops::UnaryFunction::tanh); }
TEST(UnaryNode, ReluOfDoubles) { expect_unary_f64(ops::UnaryFunction::relu); }

TEST(UnaryNode, OtherTypesAndFunctionsRunPlainLoops) {
    auto rng = test_rng();
    const auto graph = unary_graph(ops::UnaryFunction::relu, ElementType::i32);
    EXPECT_EQ(kernel_of(*graph, "op"), "ReLU_plain_i32");
    expect_like_reference(*graph, {random_tensor(ElementType::i32, {3, 5}, rng, -9, 9)});
    const auto half = unary_graph(ops::UnaryFunction::tanh, ElementType::f16);
    expect_like_reference(*half, {random_tensor(ElementType::f16, {3, 5}, rng)});
    const auto root = unary_graph(ops::UnaryFunction::sqrt);
    expect_like_reference(*root, {random_tensor(ElementType::f32, {3, 5}, rng, 0, 9)}, 1e-6);
}

std::shared_ptr<Graph> binary_graph(ops::BinaryFunction function,
                                    ElementType type = ElementType::f32) {
    const auto a = parameter("a", PartialShape(), type);
    const auto b = parameter("b", PartialShape(), type);
    return graph_of({a, b}, {named(make_node<ops::Binary>(function, a, b), "op")});
}

void expect_binary(ops::BinaryFunction function) {
    auto rng = test_rng();
    const auto graph = binary_graph(function);
    const std::vector<std::pair<Shape, Shape>> shapes = {{{}, {}},
                                                         {{5}, {}},
                                                         {{}, {5}},
                                                         {{2, 3}, {2, 3}},
                                                         {{2, 3, 4}, {4}},
                                                         {{4}, {2, 3, 4}},
                                                         {{2, 3, 4}, {3, 1}},
                                                         {{2, 1, 4}, {1, 3, 1}},
                                                         {{7, 1}, {1, 9}},
                                                         {{0, 3}, {3}},
                                                         {{3, 0}, {3, 1}},
                                                         {{1, 300}, {500, 300}},
                                                         {{1, 1}, {200000}},
                                                         {{2, 1, 5, 1}, {3, 1, 7}}};
    for (const auto& [a, b] : shapes) {
        expect_like_reference(*graph, {random_tensor(ElementType::f32, a, rng, 0.5, 2),
                                       random_tensor(ElementType::f32, b, rng, 0.5, 2)});
    }
}

TEST(BinaryNode, Add) { expect_binary(ops::BinaryFunction::add); }
TEST(BinaryNode, Subtract) { expect_binary(ops::BinaryFunction::subtract); }
TEST(BinaryNode, Multiply) { expect_binary(ops::BinaryFunction::multiply); }
TEST(BinaryNode, Divide) { expect_binary(ops::BinaryFunction::divide); }

TEST(BinaryNode, Maximum) { expect_binary(ops::BinaryFunction::maximum); }
TEST(BinaryNode, SquaredDifference) {
    const auto graph = binary_graph(ops::BinaryFunction::squared_difference);
    auto rng = test_rng();
    expect_like_reference(
        *graph,
        {random_tensor(ElementType::f32, {7, 9}, rng), random_tensor(ElementType::f32, {9}, rng)},
        1e-6);
}

TEST(CompareNode, EveryComparisonAndBroadcast) {
    auto rng = test_rng();
    for (int function = 0; function < 6; ++function) {
        const auto a = parameter("a", PartialShape()), b = parameter("b", PartialShape());
        const auto node =
            make_node<ops::Compare>(static_cast<ops::CompareFunction>(function), a, b);
        const auto graph = graph_of({a, b}, {named(node, "op")});
        for (const Shape& shape : {Shape{}, Shape{9}, Shape{4, 9}, Shape{70000, 9}}) {
            Tensor x = random_tensor(ElementType::f32, shape, rng);
            const Tensor y = random_tensor(ElementType::f32, {9}, rng);
            x.data<float>()[0] = y.data<float>()[0];
            expect_like_reference(*graph, {x, y});
        }
    }
}

TEST(BinaryNode, IntegersRunPlainLoops) {
    auto rng = test_rng();
    const auto graph = binary_graph(ops::BinaryFunction::subtract, ElementType::i64);
    EXPECT_EQ(kernel_of(*graph, "op"), "Subtract_plain_i64");
    expect_like_reference(*graph, {random_tensor(ElementType::i64, {2, 3}, rng, -99, 99),
                                   random_tensor(ElementType::i64, {3}, rng, -99, 99)});
}

TEST(BinaryNode, ADivisionByZeroNamesTheNode) {
    const auto graph = binary_graph(ops::BinaryFunction::divide, ElementType::i32);
    auto device = on_cpu(*graph);
    const auto run = [&](std::int32_t divisor) {
        std::vector<std::int32_t> divisors(100000, 3);
        divisors[99000] = divisor;
        return device.run(
            {scalar_of(std::int32_t{-7}), tensor_of<std::int32_t>({divisors.size()}, divisors)})[0];
    };
    EXPECT_EQ(element_at(run(2), 99000), -4);
    expect_error<ModelError>(
        [&] { run(0); }, "node 'op' (Divide): divides an integer by 0; expected other divisors");
    EXPECT_EQ(element_at(run(3), 0), -3);
}

TEST(SoftmaxNode, AnyAxis) {
    auto rng = test_rng();
    for (const std::int64_t axis : {-1, 0, 1, 2}) {
        const auto x = parameter("x", PartialShape::of_rank(3));
        const auto graph = graph_of({x}, {named(make_node<ops::Softmax>(x, axis), "op")});
        for (const Shape& shape :
             {Shape{2, 3, 17}, Shape{4, 9, 1}, Shape{5, 1, 1}, Shape{2, 0, 3}, Shape{300, 2, 40}}) {
            expect_like_reference(*graph, {random_tensor(ElementType::f32, shape, rng, -9, 9)},
                                  kTolerance);
        }
    }
}

}  // namespace
}  // namespace rondo::test::elementwise_node_test
