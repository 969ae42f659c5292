// Tests a part of core/ops/product/matmul.hpp.
#include "core/ops/product/matmul.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::matmul_integer_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr auto u8 = ElementType::u8;
constexpr auto i8 = ElementType::i8;

struct Operand {
    const char* shape;
    const char* zero_point = "";
    ElementType type = ElementType::u8;
};

NodePtr product(const Operand& a, const Operand& b) {
    return unchecked<ops::MatMulInteger>({parameter(a.shape, a.type), parameter(b.shape, b.type),
                                          parameter(a.zero_point, a.type),
                                          parameter(b.zero_point, b.type)});
}

std::string infer(const Operand& a, const Operand& b) {
    const auto node = product(a, b);
    node->validate();
    return inferred(*node);
}

template <typename T>
Tensor bytes(const Shape& shape, const std::vector<int>& values) {
    return tensor_of<T, int>(shape, values);
}

Tensor run(const Tensor& a, const Tensor& b, const Tensor& a_zero, const Tensor& b_zero) {
    return evaluate_one(*unchecked<ops::MatMulInteger>({}), {a, b, a_zero, b_zero});
}

TEST(MatMulInteger, Infers) {
    EXPECT_EQ(infer({"2,3"}, {"3,4"}), "i32[2,4]");
    EXPECT_EQ(infer({"2,3", "2,1"}, {"3,4", "4", i8}), "i32[2,4]");
    EXPECT_EQ(infer({"2,3", "1"}, {"3,4", "1,4"}), "i32[2,4]");
    EXPECT_EQ(infer({"5,1,2,3", "5,1,2,1"}, {"6,3,4", "6,1,4"}), "i32[5,6,2,4]");
    EXPECT_EQ(infer({"?,3", "?,?"}, {"3,?", "..."}), "i32[?,?]");
    EXPECT_EQ(infer({"3"}, {"3", "1"}), "i32[]");
    EXPECT_EQ(infer({"...", "..."}, {"3,4", "4"}), "i32[...]");
}

TEST(MatMulInteger, Refuses) {
    const auto refused = [](const Operand& a, const Operand& b) {
        return [=] { product(a, b)->validate(); };
    };
    expect_error<UnsupportedError>(refused({"2,3", "", ElementType::i16}, {"3,4"}),
                                   "node 'n' (MatMulInteger): a has type i16; expected type u8");
    expect_error<ModelError>(refused({"2,3"}, {"4,5"}), "3 columns meet 4 rows");
    expect_error<ModelError>(refused({""}, {"3"}), "an input is a scalar");
    expect_error<ModelError>(refused({"2,3", "3"}, {"3,4"}),
                             "a_zero_point has shape [3], but a has shape [2,3]; expected the same "
                             "extents or 1, and 1 along the inner axis");
    expect_error<ModelError>(refused({"2,3", "3,1"}, {"3,4"}), "a_zero_point has shape [3,1]");
    expect_error<ModelError>(refused({"2,3", "1,2,1"}, {"3,4"}), "a_zero_point has shape [1,2,1]");
    expect_error<ModelError>(refused({"2,3"}, {"3,4", "3,4"}), "b_zero_point has shape [3,4]");
    expect_error<ModelError>(refused({"2,3"}, {"3", "3"}), "b_zero_point has shape [3]");
    expect_error<ModelError>(
        [] {
            unchecked<ops::MatMulInteger>(
                {parameter("2,3", u8), parameter("3,4", u8), parameter("", i8), parameter("", u8)})
                ->validate();
        },
        "input 2 has type i8; expected u8");
}

TEST(MatMulInteger, MultipliesDifferences) {
    const auto a = bytes<std::uint8_t>({2, 3}, {11, 7, 3, 10, 6, 2});
    const auto b = bytes<std::int8_t>({3, 2}, {1, 4, -2, 5, 3, -6});
    expect_same(run(a, b, scalar_of<std::uint8_t>(12), scalar_of<std::int8_t>(0)),
                tensor_of<std::int32_t>({2, 2}, {-18, 25, -20, 22}));
    // Rows less 10 and 2, columns less 1 and -1.
    expect_same(run(a, b, bytes<std::uint8_t>({2, 1}, {10, 2}), bytes<std::int8_t>({2}, {1, -1})),
                tensor_of<std::int32_t>({2, 2}, {1 * 0 + -3 * -3 + -7 * 2, 1 * 5 + -3 * 6 + -7 * -5,
                                                 8 * 0 + 4 * -3 + 0 * 2, 8 * 5 + 4 * 6 + 0 * -5}));
}

TEST(MatMulInteger, HasBatchesAndVectors) {
    const auto a = bytes<std::uint8_t>({2, 1, 2}, {1, 2, 3, 4});
    const auto b = bytes<std::uint8_t>({2, 2}, {1, 0, 0, 255});
    expect_same(run(a, b, bytes<std::uint8_t>({2, 1, 1}, {0, 3}), scalar_of<std::uint8_t>(0)),
                tensor_of<std::int32_t>({2, 1, 2}, {1, 510, 0, 255}));
    const auto v = bytes<std::uint8_t>({2}, {1, 2});
    const auto zero = scalar_of<std::uint8_t>(1);
    expect_same(run(v, v, zero, zero), scalar_of<std::int32_t>(1));
    expect_same(run(Tensor(u8, {2, 0}), Tensor(u8, {0, 2}), zero, zero),
                Tensor(ElementType::i32, {2, 2}));
}

}  // namespace
}  // namespace rondo::matmul_integer_test
