#include "core/runtime/async_runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>

#include "rondo/log.hpp"
#include "tests/support/emulated.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/support/sanitizers.hpp"

namespace rondo::async_runner_test {
namespace {

void wait_until(const std::function<bool()>& holds) {
    for (int i = 0; i < 2000 && !holds(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(holds());
}

TEST(AsyncRunner, RunsEveryTaskOnce) {
    std::atomic<int> count{0};
    AsyncRunner runner(3);
    for (int i = 0; i < 1000; ++i) runner.push([&] { ++count; });
    wait_until([&] { return count == 1000; });
}

TEST(AsyncRunner, RunsTasksAtTheSameTime) {
    std::atomic<int> inside{0};
    AsyncRunner runner(2);
    // Each waits for the other: one thread alone would never end.
    for (int i = 0; i < 2; ++i) {
        runner.push([&] {
            ++inside;
            wait_until([&] { return inside == 2; });
        });
    }
    wait_until([&] { return inside == 2; });
}

TEST(AsyncRunner, TheDestructorWaitsForRunningTasks) {
    std::atomic<bool> begun{false};
    std::atomic<bool> ended{false};
    {
        AsyncRunner runner(1);
        runner.push([&] {
            begun = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            ended = true;
        });
        wait_until([&] { return begun.load(); });
    }
    EXPECT_TRUE(ended);
}

TEST(AsyncRunner, ATaskMayBeTheLastToHoldIt) {
    std::atomic<bool> gone{false};
    auto runner = std::make_shared<AsyncRunner>(1);
    AsyncRunner& reference = *runner;
    reference.push([owner = std::move(runner), &gone]() mutable {
        owner.reset();
        gone = true;
    });
    wait_until([&] { return gone.load(); });
}

TEST(AsyncRunner, SaysWhichThreadStarts) {
    std::mutex mutex;
    std::set<std::size_t> started;
    std::atomic<int> inside{0};
    {
        AsyncRunner runner(2, [&](std::size_t thread) {
            const std::lock_guard lock(mutex);
            EXPECT_TRUE(started.insert(thread).second);
        });
        for (int i = 0; i < 2; ++i) {
            runner.push([&] {
                ++inside;
                while (inside < 2) std::this_thread::yield();
            });
        }
        while (inside < 2) std::this_thread::yield();
    }
    EXPECT_EQ(started, (std::set<std::size_t>{0, 1}));
}

TEST(AsyncRunner, AThreadWhoseStartThrowsRunsTasksAllTheSame) {
    std::mutex mutex;
    std::string logged;
    set_log_level(LogLevel::warning);
    set_log_callback([&](LogLevel, const std::string& text) {
        const std::lock_guard lock(mutex);
        logged += text + "\n";
    });
    std::atomic<int> count{0};
    {
        AsyncRunner runner(2, [](std::size_t thread) {
            if (thread == 0) throw std::bad_alloc();
            throw 1;  // not even an exception of the library
        });
        for (int i = 0; i < 100; ++i) runner.push([&] { ++count; });
        wait_until([&] { return count == 100; });
    }
    set_log_callback({});
    set_log_level(LogLevel::off);
    EXPECT_NE(logged.find("a background thread runs without its set-up"), std::string::npos)
        << logged;
}

TEST(AsyncRunner, RunsTasksInAForkedChild) {
    if (test::kIsThreadSanitized) {
        GTEST_SKIP() << "the thread sanitizer knows no threads of children";
    }
    if (test::is_emulated()) GTEST_SKIP() << "an emulator has no threads in forked children";
    std::atomic<int> count{0};
    auto runner = std::make_unique<AsyncRunner>(2);
    for (int i = 0; i < 10; ++i) runner->push([&] { ++count; });
    wait_until([&] { return count == 10; });
    EXPECT_TRUE(test::succeeds_in_a_child([&] {
        std::vector<std::thread> pushers;
        for (int i = 0; i < 4; ++i) {
            pushers.emplace_back([&] { runner->push([&] { ++count; }); });
        }
        for (auto& pusher : pushers) pusher.join();
        wait_until([&] { return count == 14; });
        runner.reset();
        return count == 14;
    }));
    runner->push([&] { ++count; });
    wait_until([&] { return count == 11; });
}

TEST(AsyncRunner, AForkedChildMayDestroyTheParentsRunner) {
    auto runner = std::make_unique<AsyncRunner>(2);
    std::atomic<int> count{0};
    runner->push([&] { ++count; });
    wait_until([&] { return count == 1; });
    EXPECT_TRUE(test::succeeds_in_a_child([&] {
        runner.reset();
        return true;
    }));
}

TEST(AsyncRunner, ATaskMayRunTasksOfAnOwnerThatWait) {
    AsyncRunner runner(1);
    std::atomic<int> count{0};
    std::atomic<int> others{0};
    std::atomic<bool> ended{false};
    runner.push([&] {
        for (int i = 0; i < 3; ++i) {
            runner.push([&] { ++others; }, &others);
            runner.push([&] { ++count; }, &count);
        }
        while (runner.help(&count)) {
        }
        ended = count == 3 && others == 0;
    });
    wait_until([&] { return others == 3; });
    EXPECT_TRUE(ended);
    EXPECT_FALSE(runner.help(&count));  // not a thread of its own
}

}  // namespace
}  // namespace rondo::async_runner_test
