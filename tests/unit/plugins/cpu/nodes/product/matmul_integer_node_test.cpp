#include <gtest/gtest.h>

#include "core/ops/product/matmul.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::matmul_integer_node_test {
namespace {

struct Operand {
    Shape shape;
    Shape zero_point = {};
    ElementType type = ElementType::u8;
};

Tensor bytes(ElementType type, const Shape& shape, Rng& rng) {
    const bool is_signed = type == ElementType::i8;
    return random_tensor(type, shape, rng, is_signed ? -128 : 0, is_signed ? 127 : 255);
}

// With b and its zero point as inputs and as constants.
void expect_exact(const Operand& a, const Operand& b) {
    SCOPED_TRACE(to_string(a.shape) + " x " + to_string(b.shape));
    auto rng = test_rng();
    const std::vector<Tensor> values{bytes(a.type, a.shape, rng), bytes(b.type, b.shape, rng),
                                     bytes(a.type, a.zero_point, rng),
                                     bytes(b.type, b.zero_point, rng)};
    const auto open = [](const char* name, const Tensor& value) {
        return parameter(name, PartialShape::of_rank(value.shape().size()), value.element_type());
    };
    const NodePtr left = open("a", values[0]), left_zero = open("a_zero", values[2]);
    const NodePtr right = open("b", values[1]), right_zero = open("b_zero", values[3]);
    expect_like_reference(
        *graph_of({left, right, left_zero, right_zero},
                  {make_node<ops::MatMulInteger>(left, right, left_zero, right_zero)}),
        values);
    const NodePtr known = make_node<ops::MatMulInteger>(left, constant(values[1], "b"), left_zero,
                                                        constant(values[3], "b_zero"));
    expect_like_reference(*graph_of({left, left_zero}, {known}), {values[0], values[2]});
}

TEST(MatMulIntegerNode, MultipliesMatricesOfEveryType) {
    for (const auto a : {ElementType::u8, ElementType::i8}) {
        for (const auto b : {ElementType::u8, ElementType::i8}) {
            expect_exact({{3, 5}, {}, a}, {{5, 18}, {}, b});
            expect_exact({{3, 5}, {3, 1}, a}, {{5, 18}, {18}, b});
        }
    }
}

TEST(MatMulIntegerNode, HasBatchesVectorsAndEmptyTensors) {
    expect_exact({{4, 3, 5}}, {{5, 7}, {1, 7}});
    expect_exact({{4, 3, 5}, {4, 3, 1}}, {{5, 7}});
    expect_exact({{4, 1, 3, 5}, {4, 1, 1, 1}}, {{2, 5, 7}, {2, 1, 7}});
    expect_exact({{2, 5}}, {{3, 5, 7}, {3, 1, 1}});
    expect_exact({{5}, {1}}, {{5}, {1}});
    expect_exact({{5}}, {{2, 5, 3}});
    expect_exact({{2, 3, 5}, {3, 1}}, {{5}});
    for (const std::size_t m : {0u, 2u}) {
        for (const std::size_t k : {0u, 2u}) {
            for (const std::size_t n : {0u, 2u}) {
                expect_exact({{2, m, k}}, {{k, n}});
                expect_exact({{0, m, k}}, {{k, n}});
            }
        }
    }
}

TEST(MatMulIntegerNode, SharesLargeProducts) { expect_exact({{70, 100}}, {{100, 900}, {900}}); }

}  // namespace
}  // namespace rondo::test::matmul_integer_node_test
