// Where buffers with lifetimes lie in one block of memory.
#include "plugins/cpu/plugin/plan/buffers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/rng.hpp"

namespace rondo::cpu::memory_layout_test {
namespace {

using test::uniform_int;

bool live_together(const Lifetime& a, const Lifetime& b) {
    return a.first <= b.last && b.first <= a.last;
}

// Memory that some step can't do without.
std::size_t least_bytes(const std::vector<Lifetime>& lifetimes, std::size_t steps) {
    std::size_t most = 0;
    for (std::size_t step = 0; step < steps; ++step) {
        std::size_t sum = 0;
        for (const auto& one : lifetimes) {
            if (one.first <= step && step <= one.last) sum += one.bytes;
        }
        most = std::max(most, sum);
    }
    return most;
}

TEST(MemoryLayout, LiveBuffersNeverOverlap) {
    auto rng = test::test_rng();
    for (int round = 0; round < 300; ++round) {
        const auto steps = static_cast<std::size_t>(uniform_int(rng, 1, 40));
        std::vector<Lifetime> lifetimes(static_cast<std::size_t>(uniform_int(rng, 0, 80)));
        for (auto& one : lifetimes) {
            const auto last = static_cast<std::int64_t>(steps) - 1;
            one.first = static_cast<std::size_t>(uniform_int(rng, 0, last));
            one.last = static_cast<std::size_t>(
                uniform_int(rng, static_cast<std::int64_t>(one.first), last));
            one.bytes = static_cast<std::size_t>(uniform_int(rng, 0, 5000));
        }
        const MemoryLayout layout = lay_out(lifetimes);
        ASSERT_EQ(layout.offsets.size(), lifetimes.size());
        std::size_t sum = 0;
        for (std::size_t i = 0; i < lifetimes.size(); ++i) {
            sum += (lifetimes[i].bytes + 63) / 64 * 64;
            EXPECT_EQ(layout.offsets[i] % 64, 0u);
            EXPECT_LE(layout.offsets[i] + lifetimes[i].bytes, layout.bytes);
            for (std::size_t j = 0; j < i; ++j) {
                if (!live_together(lifetimes[i], lifetimes[j])) continue;
                const bool apart = layout.offsets[i] + lifetimes[i].bytes <= layout.offsets[j] ||
                                   layout.offsets[j] + lifetimes[j].bytes <= layout.offsets[i] ||
                                   lifetimes[i].bytes == 0 || lifetimes[j].bytes == 0;
                EXPECT_TRUE(apart) << "buffers " << i << " and " << j << " in round " << round;
            }
        }
        EXPECT_LE(layout.bytes, sum);
        EXPECT_GE(layout.bytes, least_bytes(lifetimes, steps));
    }
}

TEST(MemoryLayout, AChainTakesTwoBuffers) {
    std::vector<Lifetime> chain;
    for (std::size_t i = 0; i < 100; ++i) chain.push_back({640, i, i + 1});
    EXPECT_EQ(lay_out(chain).bytes, 1280u);
}

TEST(MemoryLayout, GrowsAGapAtTheEnd) {
    EXPECT_EQ(lay_out(std::vector<Lifetime>{{64, 0, 0}, {128, 1, 1}, {256, 2, 2}}).bytes, 256u);
}

// Buffers of an earlier segment stay where they are, and others lie around them.
TEST(MemoryLayout, KeepsWhatIsThereAlready) {
    auto rng = test::test_rng();
    for (int round = 0; round < 200; ++round) {
        std::vector<Lifetime> first(static_cast<std::size_t>(uniform_int(rng, 1, 20)));
        for (auto& one : first)
            one = {static_cast<std::size_t>(uniform_int(rng, 0, 900)), 0, 0, {}};
        const MemoryLayout before = lay_out(first);
        std::vector<Lifetime> second;
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (uniform_int(rng, 0, 1) == 0) continue;
            const auto last = static_cast<std::size_t>(uniform_int(rng, 0, 9));
            second.push_back({first[i].bytes, 0, last, before.offsets[i]});
        }
        const std::size_t kept = second.size();
        for (std::int64_t i = uniform_int(rng, 0, 20); i > 0; --i) {
            const std::int64_t start = uniform_int(rng, 0, 9);
            second.push_back({static_cast<std::size_t>(uniform_int(rng, 0, 900)),
                              static_cast<std::size_t>(start),
                              static_cast<std::size_t>(uniform_int(rng, start, 9)),
                              {}});
        }
        const MemoryLayout layout = lay_out(second);
        for (std::size_t i = 0; i < second.size(); ++i) {
            if (second[i].bytes == 0) continue;
            if (i < kept) {
                EXPECT_EQ(layout.offsets[i], second[i].offset);
            }
            EXPECT_LE(layout.offsets[i] + second[i].bytes, layout.bytes);
            for (std::size_t j = 0; j < i; ++j) {
                if (second[j].bytes == 0 || !live_together(second[i], second[j])) continue;
                EXPECT_TRUE(layout.offsets[i] + second[i].bytes <= layout.offsets[j] ||
                            layout.offsets[j] + second[j].bytes <= layout.offsets[i])
                    << "buffers " << i << " and " << j << " in round " << round;
            }
        }
    }
}

TEST(MemoryLayout, NothingTakesNothing) {
    EXPECT_EQ(lay_out({}).bytes, 0u);
    EXPECT_EQ(lay_out(std::vector<Lifetime>{{0, 0, 5}, {0, 1, 2}}).bytes, 0u);
}

}  // namespace
}  // namespace rondo::cpu::memory_layout_test
