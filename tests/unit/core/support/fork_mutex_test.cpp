// Tests a part of core/support/process.hpp.
#include "core/support/process.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/support/forked_child.hpp"

namespace rondo::fork_mutex_test {
namespace {

using test::succeeds_in_a_child;

TEST(ForkMutex, ForksAreCounted) {
    const ForkMutex mutex;  // from now on
    const unsigned before = fork_count();
    EXPECT_TRUE(succeeds_in_a_child([&] {
        EXPECT_EQ(fork_count(), before + 1);
        return succeeds_in_a_child([&] { return fork_count() == before + 2; });
    }));
    EXPECT_EQ(fork_count(), before);
}

// What two mutexes guard is equal in each child, and both are free.
TEST(ForkMutex, WhatItGuardsIsWholeInTheChild) {
    ForkMutex outer, inner;
    long first = 0, second = 0;
    std::atomic<bool> stops{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            while (!stops) {
                const std::lock_guard hold(outer);
                ++first;
                const std::lock_guard too(inner);
                second = first;
            }
        });
    }
    for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(succeeds_in_a_child([&] {
            const std::lock_guard hold(outer);
            const std::lock_guard too(inner);
            return first == second;
        }));
    }
    stops = true;
    for (auto& thread : threads) thread.join();
}

// It waits for two seconds, no longer.
TEST(ForkMutex, AThreadThatForksUnderItHasAChildAllTheSame) {
    ForkMutex mutex;
    mutex.lock();
    EXPECT_TRUE(succeeds_in_a_child([&] {
        const std::lock_guard lock(mutex);
        return true;
    }));
    EXPECT_FALSE(mutex.try_lock());  // the parent's own
    mutex.unlock();
}

TEST(ForkMutex, MutexesComeAndGoMeanwhile) {
    std::atomic<bool> stops{false};
    std::thread maker([&] {
        while (!stops) {
            std::vector<std::unique_ptr<ForkMutex>> some;
            for (int i = 0; i < 5; ++i) some.push_back(std::make_unique<ForkMutex>());
            some.erase(some.begin() + 2);
        }
    });
    for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(succeeds_in_a_child([] {
            ForkMutex own;
            return own.try_lock();
        }));
    }
    stops = true;
    maker.join();
}

}  // namespace
}  // namespace rondo::fork_mutex_test
