#include "core/ops/product/matmul.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::matmul_node_test {
namespace {

double tolerance(std::size_t k) { return 2e-6 * std::sqrt(static_cast<double>(k) + 1); }

std::shared_ptr<Graph> product(const Output& a, const Output& b, bool transpose_a,
                               bool transpose_b) {
    const auto node = named(std::make_shared<ops::MatMul>(a, b), "product");
    node->set_transpose_a(transpose_a);
    node->set_transpose_b(transpose_b);
    node->validate();
    std::vector<NodePtr> parameters;
    for (const auto& input : {a, b}) {
        if (as<ops::Parameter>(input)) parameters.push_back(input.node_ptr());
    }
    return graph_of(parameters, {node});
}

struct Case {
    Shape a;
    Shape b;
    std::size_t k;
};

const Case kCases[] = {
    {{5, 7}, {7, 9}, 7},          {{1, 64}, {64, 100}, 64},      {{3, 4, 5}, {5, 6}, 5},
    {{2, 1, 4, 5}, {3, 5, 6}, 5}, {{4, 5}, {2, 3, 5, 6}, 5},     {{2, 3, 1, 5}, {2, 3, 5, 1}, 5},
    {{70, 33}, {33, 65}, 33},     {{0, 5}, {5, 3}, 5},           {{2, 5}, {5, 0}, 5},
    {{2, 0}, {0, 3}, 0},          {{130, 200}, {200, 150}, 200},
};

Shape swapped(Shape shape) {
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    return shape;
}

// Every shape and transposition, with a right side that comes with the run and one that is known.
void expect_products(ElementType type, double lo, double hi, double absolute) {
    auto rng = test_rng();
    for (const auto& [a, b, k] : kCases) {
        for (const int flags : {0, 1, 2, 3}) {
            const bool ta = (flags & 1) != 0, tb = (flags & 2) != 0;
            const Tensor left = random_tensor(type, ta ? swapped(a) : a, rng, lo, hi);
            const Tensor right = random_tensor(type, tb ? swapped(b) : b, rng, lo, hi);
            const auto x = parameter("a", PartialShape(), type);
            const double allowed = absolute * std::sqrt(static_cast<double>(k) + 1);
            const auto open = product(x, parameter("b", PartialShape(), type), ta, tb);
            expect_like_reference(*open, {left, right}, allowed, absolute);
            expect_like_reference(*product(x, constant(right), ta, tb), {left}, allowed, absolute);
        }
    }
}

TEST(MatMulNode, EveryType) {
    expect_products(ElementType::f64, -1, 1, 1e-15);
    expect_products(ElementType::f16, -1, 1, 1e-3);
    expect_products(ElementType::bf16, -1, 1, 8e-3);
    for (const ElementType type :
         {ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8, ElementType::u64,
          ElementType::u32, ElementType::u16, ElementType::u8}) {
        expect_products(type, 0, 120, 0);
    }
}

TEST(MatMulNode, EveryTranspositionOfRunTimeMatrices) {
    auto rng = test_rng();
    for (const auto& [a, b, k] : kCases) {
        for (const int flags : {0, 1, 2, 3}) {
            const bool ta = (flags & 1) != 0;
            const bool tb = (flags & 2) != 0;
            const auto graph =
                product(parameter("a", PartialShape()), parameter("b", PartialShape()), ta, tb);
            expect_like_reference(*graph,
                                  {random_tensor(ElementType::f32, ta ? swapped(a) : a, rng),
                                   random_tensor(ElementType::f32, tb ? swapped(b) : b, rng)},
                                  tolerance(k));
        }
    }
}

TEST(MatMulNode, ConstantRightSideIsPackedOnce) {
    auto rng = test_rng();
    for (const auto& [a, b, k] : kCases) {
        if (b.size() != 2) continue;
        for (const bool tb : {false, true}) {
            const auto weights =
                constant(random_tensor(ElementType::f32, tb ? swapped(b) : b, rng));
            const auto graph = product(parameter("a", PartialShape()), weights, false, tb);
            expect_like_reference(*graph, {random_tensor(ElementType::f32, a, rng)}, tolerance(k));
            const auto kernels = on_cpu(*graph).executable->kernels();
            EXPECT_EQ(kernels.at(0).reason, "constant right side, packed once");
        }
    }
}

TEST(MatMulNode, VectorsOnEitherSide) {
    auto rng = test_rng();
    const Shape shapes[][2] = {
        {{7}, {7}}, {{7}, {7, 3}}, {{4, 7}, {7}}, {{2, 4, 7}, {7}}, {{7}, {2, 7, 3}}};
    for (const auto& [a, b] : shapes) {
        const std::vector<Tensor> inputs{random_tensor(ElementType::f32, a, rng),
                                         random_tensor(ElementType::f32, b, rng)};
        const auto graph =
            product(parameter("a", PartialShape()), parameter("b", PartialShape()), false, false);
        expect_like_reference(*graph, inputs, tolerance(7));
        const auto packed =
            product(parameter("a", PartialShape()), constant(inputs[1]), false, false);
        expect_like_reference(*packed, {inputs[0]}, tolerance(7));
    }
    // Transposing a vector changes nothing.
    const auto graph =
        product(parameter("a", PartialShape()), parameter("b", PartialShape()), true, true);
    expect_like_reference(
        *graph,
        {random_tensor(ElementType::f32, {7}, rng), random_tensor(ElementType::f32, {7}, rng)},
        tolerance(7));
}

// x * B + bias, with the bias on either side of the Add.
std::shared_ptr<Graph> dense(const Tensor& b, const Tensor& bias, bool bias_first) {
    const auto x = parameter("x", {-1, -1, static_cast<std::int64_t>(b.shape()[0])});
    const auto product = named(make_node<ops::MatMul>(x, constant(b)), "product");
    const auto row = constant(bias, "bias");
    const auto sum = bias_first ? make_node<ops::Binary>(ops::BinaryFunction::add, row, product)
                                : make_node<ops::Binary>(ops::BinaryFunction::add, product, row);
    return graph_of({x}, {named(sum, "sum")});
}

// Its rows fill vectors then, in place of its columns: the sums stay the same, bit by bit.
TEST(MatMulNode, OneColumnIsThatOfAnyProduct) {
    auto rng = test_rng();
    for (const ElementType type : {ElementType::f32, ElementType::f64}) {
        for (const std::size_t k : {0, 1, 7, 128, 1000}) {
            for (const Shape& rows : {Shape{8}, Shape{17}, Shape{3, 5, 43}, Shape{2, 600}}) {
                Shape shape = rows;
                shape.push_back(k);
                const Tensor a = random_tensor(type, shape, rng);
                const Tensor column = random_tensor(type, {1, k}, rng);
                Tensor two(type, {2, k});
                for (std::size_t i = 0; i < 2; ++i) {
                    std::copy_n(static_cast<const std::byte*>(std::as_const(column).data()),
                                column.byte_size(),
                                static_cast<std::byte*>(two.data()) + i * column.byte_size());
                }
                const auto x = parameter("a", PartialShape(), type);
                const Tensor both = on_cpu(*product(x, constant(two), false, true)).run({a})[0];
                for (const int threads : {1, 3}) {
                    const Properties some{{"INFERENCE_NUM_THREADS", std::to_string(threads)}};
                    const auto known = product(x, constant(column), false, true);
                    const Tensor one = on_cpu(*known, some).run({a})[0];
                    const auto b = parameter("b", PartialShape(), type);
                    expect_same(on_cpu(*product(x, b, false, true), some).run({a, column})[0], one);
                    ASSERT_EQ(2 * one.size(), both.size());
                    for (std::size_t i = 0; i < one.size(); ++i) {
                        ASSERT_EQ(element_at(one, i), element_at(both, 2 * i)) << i;
                    }
                }
            }
        }
    }
}

TEST(MatMulNode, OneColumnWithAnEpilogue) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::parse("[?,?,33]"));
    const Tensor column = random_tensor(ElementType::f32, {33, 1}, rng);
    const auto node = product(x, constant(column), false, false)->results()[0]->input(0);
    const auto slope = parameter("s", PartialShape::parse("[?,1,1]"));
    const auto graph =
        graph_of({x, slope},
                 {named(make_node<ops::Binary>(ops::BinaryFunction::multiply, node, slope), "y")});
    for (const Shape& shape : {Shape{2, 300, 33}, Shape{1, 7, 33}, Shape{3, 5, 33}}) {
        const Tensor a = random_tensor(ElementType::f32, shape, rng);
        const Tensor s = random_tensor(ElementType::f32, {shape[0], 1, 1}, rng);
        expect_like_reference(*graph, {a, s}, tolerance(33));
    }
}

TEST(MatMulNode, StartsFromABiasRow) {
    auto rng = test_rng();
    const Tensor b = random_tensor(ElementType::f32, {33, 21}, rng);
    for (const Shape& shape : {Shape{21}, Shape{1, 21}, Shape{1, 1, 21}}) {
        for (const bool bias_first : {false, true}) {
            const auto graph = dense(b, random_tensor(ElementType::f32, shape, rng), bias_first);
            expect_like_reference(*graph, {random_tensor(ElementType::f32, {2, 5, 33}, rng)},
                                  tolerance(33));
            auto device = on_cpu(*graph, {{property::kPerfCount, "YES"}});
            const auto kernels = device.executable->kernels();
            ASSERT_EQ(kernels.size(), 2u);
            EXPECT_EQ(kernels[0].reason, "constant right side, packed once with the bias");
            EXPECT_EQ(kernels[1].node_name, "sum");
            EXPECT_EQ(kernels[1].reason, "part of 'product'");
            EXPECT_EQ(device.executor->profiling().at(1).exec_type, "part of 'product'");
        }
    }
}

// Other sums run on blocks of the product, except for those of another rank.
TEST(MatMulNode, OtherAddsAreNoBias) {
    auto rng = test_rng();
    const Tensor b = random_tensor(ElementType::f32, {33, 21}, rng);
    const Tensor x = random_tensor(ElementType::f32, {2, 5, 33}, rng);
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{5, 21}, Shape{5, 1}, Shape{1, 2, 5, 21}, Shape{1, 1, 1, 21}}) {
        const auto graph = dense(b, random_tensor(ElementType::f32, shape, rng), false);
        const std::string kernel = shape.size() > 3 ? "Add_" : "gemm_";
        EXPECT_TRUE(kernel_of(*graph, "sum").starts_with(kernel)) << to_string(shape);
        EXPECT_EQ(on_cpu(*graph).executable->kernels()[0].reason,
                  "constant right side, packed once");
        expect_like_reference(*graph, {x}, tolerance(33));
    }
    // A product with another reader is also needed without its bias.
    const auto input = parameter("x", {-1, 33});
    const auto product = make_node<ops::MatMul>(input, constant(b));
    const auto sum =
        named(make_node<ops::Binary>(ops::BinaryFunction::add, product,
                                     constant(random_tensor(ElementType::f32, {21}, rng))),
              "sum");
    const auto both = graph_of({input}, {sum, product});
    EXPECT_EQ(kernel_of(*both, "sum").substr(0, 3), "Add");
    expect_like_reference(*both, {random_tensor(ElementType::f32, {4, 33}, rng)}, tolerance(33));
    const auto doubled = make_node<ops::MatMul>(input, constant(b));
    const auto twice =
        graph_of({input}, {make_node<ops::Binary>(ops::BinaryFunction::add, doubled, doubled)});
    expect_like_reference(*twice, {random_tensor(ElementType::f32, {4, 33}, rng)}, tolerance(33));
}

}  // namespace
}  // namespace rondo::test::matmul_node_test
