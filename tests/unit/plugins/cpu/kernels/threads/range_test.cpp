// Tests a part of plugins/cpu/kernels/threads/share.hpp.
#include "plugins/cpu/kernels/threads/share.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::range_test {
namespace {

TEST(Range, SlicesCoverEverythingOnceInNearlyEqualParts) {
    for (const std::int64_t total : {0, 1, 2, 7, 64, 1001}) {
        for (const std::int64_t count : {1, 2, 3, 7, 64}) {
            std::int64_t next = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                const Range slice = slice_of(total, i, count);
                EXPECT_EQ(slice.begin, next);
                EXPECT_GE(slice.size(), total / count);
                EXPECT_LE(slice.size(), divide_up(total, count));
                EXPECT_EQ(slice.empty(), slice.size() == 0);
                next = slice.end;
            }
            EXPECT_EQ(next, total);
        }
    }
}

TEST(Range, DivideUp) {
    EXPECT_EQ(divide_up(0, 3), 0);
    EXPECT_EQ(divide_up(1, 3), 1);
    EXPECT_EQ(divide_up(6, 3), 2);
    EXPECT_EQ(divide_up(7, 3), 3);
}

}  // namespace
}  // namespace rondo::cpu::range_test
