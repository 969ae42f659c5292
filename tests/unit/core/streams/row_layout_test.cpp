#include "core/streams/row_layout.hpp"

#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"

namespace rondo::test::row_layout_test {
namespace {

TEST(RowLayout, PutsRowsAndTakesThem) {
    // A batch of 3 along axis 1: [2,3,2].
    const RowLayout layout(ElementType::f32, {2, 1, 2}, 1);
    EXPECT_EQ(layout.row_bytes(), 16U);
    Tensor batch(ElementType::f32, {2, 3, 2});
    for (std::size_t row = 0; row < 3; ++row) {
        const auto base = static_cast<float>(10 * row);
        const Tensor one = tensor_of<float>({2, 1, 2}, {base, base + 1, base + 2, base + 3});
        layout.put(one.data(), batch.data(), 3, row);
    }
    expect_same(batch, tensor_of<float>({2, 3, 2}, {0, 1, 10, 11, 20, 21, 2, 3, 12, 13, 22, 23}));
    Tensor row(ElementType::f32, {2, 1, 2});
    layout.take(batch.data(), 3, 1, row.data());
    expect_same(row, tensor_of<float>({2, 1, 2}, {10, 11, 12, 13}));
    layout.clear(batch.data(), 3, 1);
    expect_same(batch, tensor_of<float>({2, 3, 2}, {0, 1, 0, 0, 20, 21, 2, 3, 0, 0, 22, 23}));
}

// Two elements of each stream along the row axis, as where batch and time are one axis.
TEST(RowLayout, ARowMayHaveSeveralElementsAlongItsAxis) {
    const RowLayout layout(ElementType::i64, {2, 1}, 0);
    const Tensor batch = tensor_of<std::int64_t>({4, 1}, {1, 2, 3, 4});
    Tensor row(ElementType::i64, {2, 1});
    layout.take(batch.data(), 2, 1, row.data());
    expect_same(row, tensor_of<std::int64_t>({2, 1}, {3, 4}));
}

TEST(RowLayout, WithoutAnAxisTheWholeIsTheRow) {
    const RowLayout layout(ElementType::f32, {2, 3}, {});
    EXPECT_EQ(layout.pieces, 1U);
    EXPECT_EQ(layout.row_bytes(), 24U);
}

}  // namespace
}  // namespace rondo::test::row_layout_test
