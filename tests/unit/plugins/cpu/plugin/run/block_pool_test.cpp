// Blocks that serve one value after the other.
#include "plugins/cpu/plugin/run/arena.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::block_pool_test {
namespace {

TEST(BlockPool, ServesOneValueAfterTheOther) {
    BlockPool pool;
    const std::size_t a = pool.take(100);
    const std::size_t b = pool.take(1000);
    EXPECT_NE(pool.data(a), pool.data(b));
    pool.give_back(b);
    EXPECT_EQ(pool.take(900), b);
    pool.give_back(a);
    EXPECT_EQ(pool.take(10), a);
    EXPECT_GE(pool.bytes(), 1100u);
}

TEST(BlockPool, ABlockIsHeldUntilAllHaveGivenItBack) {
    BlockPool pool;
    const std::size_t a = pool.take(10);
    pool.hold(a);
    pool.give_back(a);
    EXPECT_NE(pool.take(10), a);
    pool.give_back(a);
    EXPECT_EQ(pool.take(10), a);
    pool.give_back_all();
    EXPECT_EQ(pool.take(10), a);
}

// Memory for n values of rising sizes is allocated log n times.
TEST(BlockPool, GrowsGeometrically) {
    BlockPool pool;
    std::size_t changes = 0, last = 0;
    for (std::size_t bytes = 64; bytes < 64 * 1024; bytes += 64) {
        pool.give_back(pool.take(bytes));
        if (pool.bytes() != last) ++changes;
        last = pool.bytes();
    }
    EXPECT_LT(changes, 25u);
    EXPECT_LT(pool.bytes(), 128u * 1024);
}

TEST(BlockPool, GivesBackAllMemory) {
    BlockPool pool;
    pool.take(1000);
    pool.clear();
    EXPECT_EQ(pool.bytes(), 0u);
    EXPECT_EQ(pool.take(1), 0u);
}

}  // namespace
}  // namespace rondo::cpu::block_pool_test
