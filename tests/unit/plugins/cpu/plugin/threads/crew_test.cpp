#include "plugins/cpu/plugin/threads/crew.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace rondo::cpu {
namespace {

// Brings each worker that is called on a thread of its own.
class Threads {
public:
    explicit Threads(Crew& crew) : crew_(crew) {}
    ~Threads() {
        crew_.dismiss();
        for (std::thread& thread : threads_) thread.join();
    }
    void operator()(int worker) {
        ++calls;
        threads_.emplace_back([this, worker] { crew_.attend(worker); });
    }

    int calls = 0;

private:
    Crew& crew_;
    std::vector<std::thread> threads_;
};

const auto never = [](int) {};

void expect_each_slice_once(Crew& crew, int slices, FunctionRef<void(int)> call) {
    std::array<std::atomic<int>, 64> count{};
    crew.run(
        slices, [&](int slice) { ++count[static_cast<std::size_t>(slice)]; }, call);
    for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(count[static_cast<std::size_t>(i)], i < slices ? 1 : 0) << "slice " << i;
    }
}

TEST(Crew, TheCallerFinishesAlone) {
    Crew crew(3, true);
    for (const int slices : {1, 2, 7, 64}) expect_each_slice_once(crew, slices, never);
    EXPECT_FALSE(crew.awake());
}

TEST(Crew, EachSliceIsDoneOnceHoweverManyCome) {
    Crew crew(3, false);
    Threads threads(crew);
    for (int round = 0; round < 3000; ++round) expect_each_slice_once(crew, 2 + round % 7, threads);
}

// Sleepers are woken, not called: each thread comes once within Crew::kStay.
TEST(Crew, WorkersSleepAndWakeUpAgain) {
    Crew crew(1, true);
    Threads threads(crew);
    std::atomic<int> others{0};
    const auto caller = std::this_thread::get_id();
    for (int round = 0; round < 30; ++round) {
        crew.run(
            2,
            [&](int) {
                if (std::this_thread::get_id() != caller) ++others;
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            },
            threads);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_FALSE(crew.awake());
    }
    EXPECT_GT(others, 15);
    EXPECT_EQ(threads.calls, 1);
}

TEST(Crew, AWorkerThatNoWorkCameForGoes) {
    Crew crew(1, true, std::chrono::milliseconds(20));
    std::thread worker([&] { crew.attend(0); });
    worker.join();
    expect_each_slice_once(crew, 2, never);
}

TEST(Crew, TheFirstExceptionReachesTheCallerWhenAllIsDone) {
    Crew crew(2, false);
    Threads threads(crew);
    for (int round = 0; round < 200; ++round) {
        std::atomic<int> done{0};
        const auto fail_at_2 = [&](int slice) {
            ++done;
            if (slice == 2) throw std::runtime_error("slice 2");
        };
        EXPECT_THROW(crew.run(5, fail_at_2, threads), std::runtime_error);
        EXPECT_EQ(done, 5);
        expect_each_slice_once(crew, 5, threads);
    }
}

TEST(Crew, ABodyMayRunItAgain) {
    Crew crew(2, false);
    Threads threads(crew);
    std::atomic<int> calls{0};
    crew.run(
        4,
        [&](int) {
            crew.run(
                5, [&](int) { ++calls; }, threads);
        },
        threads);
    EXPECT_EQ(calls, 20);
}

// If `call` throws, no worker comes.
TEST(Crew, ACallThatFailsLeavesTheCallerAlone) {
    Crew crew(2, true);
    const auto fail = [](int) { throw std::bad_alloc(); };
    for (int round = 0; round < 3; ++round) expect_each_slice_once(crew, 5, fail);
    Threads threads(crew);
    expect_each_slice_once(crew, 5, threads);
    EXPECT_EQ(threads.calls, 2);
}

// A forked child has the crew's memory, but none of its threads.
TEST(Crew, AForkedChildWorksAloneAndEnds) {
    Crew crew(1, true);
    Threads threads(crew);
    // It may have come and gone to sleep while this thread had no core: it is woken then.
    do {
        crew.bring(threads);
        std::this_thread::yield();
    } while (!crew.awake());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const pid_t child = ::fork();
    if (child == 0) {
        int sum = 0;
        crew.run(
            3, [&](int slice) { sum += slice; }, never);
        crew.dismiss();
        ::_exit(sum == 3 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    expect_each_slice_once(crew, 2, threads);
}

// Sleeping and waking move workers off the caller's core, but change no mask for good.
TEST(Crew, WorkersKeepTheirCores) {
    Crew crew(1, true);
    const std::vector<int> cores = allowed_cores();
    std::vector<int> seen = cores;
    {
        Threads threads(crew);
        const auto caller = std::this_thread::get_id();
        for (int round = 0; round < 2000; ++round) {
            crew.run(
                2,
                [&](int) {
                    if (std::this_thread::get_id() != caller) seen = allowed_cores();
                },
                threads);
            if (round % 4 == 0) std::this_thread::sleep_for(Crew::kLinger);
        }
    }
    EXPECT_EQ(seen, cores);
}

TEST(Crew, ADismissedWorkerLeavesAtOnce) {
    Crew crew(1, false);
    crew.dismiss();
    crew.attend(0);
    expect_each_slice_once(crew, 3, never);
}

}  // namespace
}  // namespace rondo::cpu
