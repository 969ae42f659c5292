#include "plugins/cpu/plugin/run/arena.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "tests/support/expect_error.hpp"

namespace rondo::cpu::arena_test {
namespace {

TEST(Arena, GrowsWithWhatIsKept) {
    Arena arena;
    arena.grow(100, 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.data()) % 64, 0u);
    std::memset(arena.data(), 7, 100);
    const char* small = arena.data();
    arena.grow(90, 90);
    EXPECT_EQ(arena.data(), small);
    arena.grow(1 << 20, 100);
    EXPECT_GE(arena.bytes(), std::size_t{1} << 20);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(arena.data()[i], 7);
}

TEST(Arena, StaysAsItIsWhereItCantGrow) {
    Arena arena;
    arena.reserve(64);
    std::memset(arena.data(), 7, 64);
    const char* before = arena.data();
    constexpr std::size_t kTooMuch = std::numeric_limits<std::size_t>::max() / 4;
    test::expect_error<OutOfMemoryError>([&] { arena.grow(kTooMuch, 64); }, "can't allocate");
    EXPECT_EQ(arena.data(), before);
    EXPECT_EQ(arena.data()[63], 7);
    test::expect_error<OutOfMemoryError>([&] { arena.reserve(kTooMuch); }, "can't allocate");
    EXPECT_EQ(arena.data(), nullptr);
}

}  // namespace
}  // namespace rondo::cpu::arena_test
