// Tests a part of plugins/cpu/kernels/indexing/scatter_loops.hpp.
#include "plugins/cpu/kernels/indexing/scatter_loops.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::cpu::scatter_mean_test {
namespace {

template <typename T>
std::vector<T> means(bool counts_data, std::vector<T> data, const std::vector<T>& updates) {
    const ScatterMean mean(element_type_of<T>(), static_cast<std::int64_t>(data.size()),
                           counts_data);
    std::vector<std::uint64_t> scratch(mean.scratch_bytes() / 8, 99);
    const std::vector<std::int64_t> places{2, 2, 0};
    mean.start(scratch.data());
    mean.add(scratch.data(), data.data(), places.data(), updates.data(), 2);
    mean.add(scratch.data(), data.data(), places.data() + 2, updates.data() + 2, 1);
    mean.finish(scratch.data(), data.data());
    return data;
}

TEST(ScatterMean, TakesMeansWithAndWithoutTheData) {
    EXPECT_EQ(means<float>(true, {1, 5, 6}, {3, 9, 4}), (std::vector<float>{2.5F, 5, 6}));
    EXPECT_EQ(means<double>(false, {1, 5, 6}, {3, 9, 4}), (std::vector<double>{4, 5, 6}));
}

TEST(ScatterMean, RoundsIntegersTowardsZeroWithoutOverflow) {
    EXPECT_EQ(means<std::int8_t>(true, {-1, 5, -128}, {-128, -127, -2}),
              (std::vector<std::int8_t>{-1, 5, -127}));
    EXPECT_EQ(means<std::uint8_t>(true, {1, 5, 255}, {255, 254, 2}),
              (std::vector<std::uint8_t>{1, 5, 254}));
}

}  // namespace
}  // namespace rondo::cpu::scatter_mean_test
