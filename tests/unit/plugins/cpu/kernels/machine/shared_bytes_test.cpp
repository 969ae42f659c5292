#include "plugins/cpu/kernels/machine/shared_bytes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace rondo::cpu::shared_bytes_test {
namespace {

SharedBytes bytes_of(std::size_t size, int value) {
    return {size, [&](std::byte* bytes) { std::memset(bytes, value, size); }, [](Digester&) {}};
}

TEST(SharedBytes, EqualOnesShareMemoryWhileOneLives) {
    const SharedBytes first = bytes_of(10'000, 1);
    EXPECT_EQ(bytes_of(10'000, 1).data(), first.data());
    EXPECT_NE(bytes_of(10'000, 2).data(), first.data());
    EXPECT_NE(bytes_of(9'999, 1).data(), first.data());
    EXPECT_EQ(first.size(), 10'000U);
    EXPECT_EQ(first.data()[9'999], std::byte{1});
}

TEST(SharedBytes, WhatIsGoneIsMadeAgain) {
    for (int i = 0; i < 1000; ++i) {
        const SharedBytes bytes = bytes_of(5'000, i % 7);
        EXPECT_EQ(bytes.data()[4'999], static_cast<std::byte>(i % 7));
    }
}

TEST(SharedBytes, SmallOnesAndNoneHaveTheirOwn) {
    EXPECT_NE(bytes_of(100, 1).data(), bytes_of(100, 1).data());
    EXPECT_EQ(SharedBytes().data(), nullptr);
    EXPECT_EQ(SharedBytes().size(), 0U);
    EXPECT_EQ(bytes_of(0, 1).size(), 0U);
}

TEST(SharedBytes, ManyThreadsMayMakeThem) {
    std::vector<std::thread> threads;
    std::vector<std::vector<SharedBytes>> made(4);
    for (auto& mine : made) {
        threads.emplace_back([&mine] {
            for (int i = 0; i < 300; ++i) mine.push_back(bytes_of(5'000, i % 50));
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& mine : made) {
        for (std::size_t i = 0; i < mine.size(); ++i) {
            EXPECT_EQ(mine[i].data()[0], static_cast<std::byte>(i % 50));
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::shared_bytes_test
