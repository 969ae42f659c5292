#include "plugins/cpu/plugin/run/memory_ranges.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/rng.hpp"

namespace rondo::cpu::memory_ranges_test {
namespace {

class MemoryRangesTest : public ::testing::Test {
protected:
    Tensor at(std::size_t begin, std::size_t count) {
        return Tensor(ElementType::u8, {count}, bytes_.data() + begin);
    }
    MemoryRange range(std::size_t begin, std::size_t count) { return range_of(at(begin, count)); }

    std::array<std::uint8_t, 64> bytes_{};
    MemoryRanges ranges_;
};

TEST_F(MemoryRangesTest, FindsWhatSharesMemory) {
    ranges_.assign(std::vector<Tensor>{at(30, 5), at(0, 10), Tensor(), at(2, 3)});
    EXPECT_TRUE(ranges_.any_overlaps(range(9, 1)));
    EXPECT_FALSE(ranges_.any_overlaps(range(10, 20)));
    EXPECT_TRUE(ranges_.any_overlaps(range(10, 21)));
    EXPECT_FALSE(ranges_.any_overlaps(range(35, 9)));
    EXPECT_EQ(ranges_.shared(), std::pair(std::size_t{1}, std::size_t{3}));
    ranges_.assign(std::vector<Tensor>{at(30, 5), at(35, 5), at(20, 10)});
    EXPECT_EQ(ranges_.shared(), std::nullopt);
    ranges_.assign({});
    EXPECT_FALSE(ranges_.any_overlaps(range(0, 64)));
}

TEST_F(MemoryRangesTest, NoElementsShareNothing) {
    ranges_.assign(std::vector<Tensor>{at(5, 0), at(0, 10)});
    EXPECT_EQ(ranges_.shared(), std::nullopt);
    EXPECT_FALSE(ranges_.any_overlaps(range(5, 0)));
    EXPECT_FALSE(overlap(range(5, 0), range(0, 10)));
}

TEST_F(MemoryRangesTest, AgreesWithComparingEachPair) {
    auto rng = test::test_rng();
    for (int round = 0; round < 300; ++round) {
        std::vector<Tensor> tensors;
        for (std::int64_t i = test::uniform_int(rng, 0, 8); i > 0; --i) {
            const auto begin = static_cast<std::size_t>(test::uniform_int(rng, 0, 50));
            tensors.push_back(at(begin, static_cast<std::size_t>(test::uniform_int(rng, 0, 9))));
        }
        ranges_.assign(tensors);
        bool any = false;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                any = any || overlap(range_of(tensors[i]), range_of(tensors[j]));
            }
        }
        const auto shared = ranges_.shared();
        ASSERT_EQ(shared.has_value(), any);
        if (shared) {
            EXPECT_LT(shared->first, shared->second);
            EXPECT_TRUE(
                overlap(range_of(tensors[shared->first]), range_of(tensors[shared->second])));
        }
        const MemoryRange asked = range(20, 6);
        bool hit = false;
        for (const Tensor& tensor : tensors) hit = hit || overlap(range_of(tensor), asked);
        ASSERT_EQ(ranges_.any_overlaps(asked), hit);
    }
}

}  // namespace
}  // namespace rondo::cpu::memory_ranges_test
