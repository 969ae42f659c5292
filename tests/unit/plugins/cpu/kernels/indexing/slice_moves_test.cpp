#include "plugins/cpu/kernels/indexing/slice_moves.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::cpu::slice_moves_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(SliceMoves, GathersSlicesBatchByBatch) {
    // data [2, 3, 2], a place of the axis of 3 for each of two tuples in a batch.
    const Bytes data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const std::vector<std::int64_t> indices{2, 0, -1, 1};
    const SlicePlaces places({2, 2, {3}}, ElementType::i64);
    Bytes out(8);
    gather_slices(places, 2, {data.data(), indices.data(), out.data()}, 0, 1);
    gather_slices(places, 2, {data.data(), indices.data(), out.data()}, 1, 4);
    EXPECT_EQ(out, (Bytes{4, 5, 0, 1, 10, 11, 8, 9}));
}

TEST(SliceMoves, ReadsTuplesOfAnyLength) {
    const std::vector<std::int64_t> extents(20, 2);
    const SlicePlaces places({1, 2, extents}, ElementType::u8);
    Bytes indices(40, 0);
    indices[19] = indices[20] = indices[39] = 1;
    EXPECT_EQ(places.read(indices.data(), 0), 1);
    EXPECT_EQ(places.read(indices.data(), 1), (1 << 19) + 1);
    EXPECT_FALSE(places.find_bad(indices.data()));
    indices[33] = 2;
    EXPECT_EQ(places.find_bad(indices.data()), 33);
}

TEST(SliceMoves, ScattersPartsOfAllSlices) {
    const std::vector<std::int64_t> indices{1, 1, 0};
    const SlicePlaces places({1, 3, {2}}, ElementType::i64);
    std::vector<std::int16_t> data{1, 2, 3, 4, 5, 6};
    const std::vector<std::int16_t> updates{10, 20, 30, 40, 50, 60, 70, 80, 90};
    const ScatterLoops loops = scatter_loops(ops::ScatterReduction::sum, ElementType::i16);
    const ScatterSlicesArgs args{data.data(), indices.data(), updates.data()};
    scatter_slices(places, {3, 2}, loops, args, 0, 1);
    scatter_slices(places, {3, 2}, loops, args, 1, 3);
    EXPECT_EQ(data, (std::vector<std::int16_t>{71, 82, 93, 54, 75, 96}));
}

}  // namespace
}  // namespace rondo::cpu::slice_moves_test
