#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace rondo::cpu::tests::aligned_buffer_test {
namespace {

constexpr std::size_t kSizes[] = {
    0, 1, 64, 65, kHugePage - 1, kHugePage, kHugePage + 1, 2 * kHugePage, 3 * kHugePage + 100};

std::uintptr_t address(const AlignedBytes& bytes) {
    return reinterpret_cast<std::uintptr_t>(bytes.data());
}

// Also where the memory was used before.
TEST(AlignedBuffer, IsZeroAndAligned) {
    for (const std::size_t size : kSizes) {
        for (int i = 0; i < 3; ++i) {
            AlignedBytes bytes(size);
            EXPECT_EQ(bytes.size(), size);
            EXPECT_NE(bytes.data(), nullptr) << size;
            EXPECT_EQ(address(bytes) % (size < kHugePage ? kCacheLine : kHugePage), 0u) << size;
            EXPECT_EQ(std::count(bytes.data(), bytes.data() + size, std::byte{0}),
                      static_cast<std::ptrdiff_t>(size));
            std::fill_n(bytes.data(), size, std::byte{7});
        }
    }
}

TEST(AlignedBuffer, MovesWithItsSize) {
    for (const std::size_t size : kSizes) {
        AlignedBytes bytes(size);
        const std::byte* memory = bytes.data();
        AlignedBytes other(10);
        other = std::move(bytes);
        EXPECT_EQ(other.data(), memory);
        EXPECT_EQ(other.size(), size);
    }
}

TEST(AlignedBuffer, RefusesWhatNoMachineHas) {
    for (const std::size_t size :
         {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() / 4}) {
        EXPECT_THROW(allocate_zeroed(size), std::bad_alloc);
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::aligned_buffer_test
