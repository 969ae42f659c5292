#include "core/ops/recurrent/gate_blocks.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/tensors.hpp"

namespace rondo::ops::gate_blocks_test {
namespace {

using test::expect_same;
using test::tensor_of;

TEST(GateBlocks, TakesBlocksOfEachDirection) {
    const Tensor value = tensor_of<float>({2, 4, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
    expect_same(ordered_blocks(value, 2, std::array<std::size_t, 2>{1, 0}),
                tensor_of<float>({2, 4, 1}, {2, 3, 0, 1, 6, 7, 4, 5}));
    expect_same(ordered_blocks(value, 4, std::array<std::size_t, 3>{3, kZeroBlock, 3}),
                tensor_of<float>({2, 3, 1}, {3, 0, 3, 7, 0, 7}));
    expect_same(
        ordered_blocks(tensor_of<float>({1, 2}, {1, 2}), 2, std::array<std::size_t, 2>{1, 0}),
        tensor_of<float>({1, 2}, {2, 1}));
}

TEST(GateBlocks, SharesWhatKeepsItsPlaces) {
    const Tensor value = tensor_of<float>({1, 2, 1}, {1, 2});
    const std::array<std::size_t, 2> order{0, 1};
    EXPECT_EQ(ordered_blocks(value, 2, order).data(), value.data());
    EXPECT_TRUE(keep_places(order, 2));
    EXPECT_FALSE(keep_places(order, 3));
}

TEST(GateBlocks, OfNothingAreNothing) {
    const Tensor none(ElementType::f32, {0, 4, 3});
    expect_same(ordered_blocks(none, 4, std::array<std::size_t, 4>{3, 2, 1, 0}), none);
    const Tensor flat(ElementType::f32, {1, 4, 0});
    expect_same(ordered_blocks(flat, 4, std::array<std::size_t, 4>{3, 2, 1, 0}), flat);
}

TEST(GateBlocks, TransposesMatrices) {
    expect_same(transposed_matrices(tensor_of<float>({2, 1, 2}, {1, 2, 3, 4})),
                tensor_of<float>({2, 2, 1}, {1, 2, 3, 4}));
    expect_same(transposed_matrices(tensor_of<float>({1, 2, 2}, {1, 2, 3, 4})),
                tensor_of<float>({1, 2, 2}, {1, 3, 2, 4}));
}

}  // namespace
}  // namespace rondo::ops::gate_blocks_test
