// Registers by role.
#include "plugins/cpu/jit/jit_base.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu::jit::register_pool_test {
namespace {

TEST(RegisterPool, HandsOutTheLowestFreeRegister) {
    RegisterPool pool("vector", {3, 5, 7});
    const int first = pool.take("a");
    EXPECT_EQ(first, 3);
    EXPECT_EQ(pool.take("b"), 5);
    pool.release(first);
    EXPECT_EQ(pool.take("c"), 3);
    EXPECT_EQ(pool.free_count(), 1);
}

TEST(RegisterPool, ThrowsWhenEmptyAndSaysWhoHoldsWhat) {
    RegisterPool pool("vector", {0, 1});
    pool.take("accumulator");
    pool.take("weights");
    rondo::test::expect_error<InternalError>(
        [&] { pool.take("mask"); },
        "no vector register left for 'mask'; in use: accumulator, weights");
}

TEST(RegisterPool, KnowsOnlyItsRegisters) {
    RegisterPool pool("general", {1});
    rondo::test::expect_error<InternalError>([&] { pool.release(2); },
                                             "register 2 is not in the general pool");
}

TEST(Lease, FreesItsRegisterWithItsLastCopy) {
    RegisterPool pool("vector", {0, 1});
    Lease lease(pool, "x");
    EXPECT_TRUE(lease.alone());
    {
        const Lease copy = lease;
        EXPECT_FALSE(lease.alone());
        EXPECT_EQ(copy.index(), lease.index());
    }
    EXPECT_TRUE(lease.alone());
    Lease moved = std::move(lease);
    EXPECT_TRUE(moved.alone());
    moved = Lease();
    EXPECT_EQ(pool.free_count(), 2);
}

}  // namespace
}  // namespace rondo::cpu::jit::register_pool_test
