#include "tests/support/busy_process.hpp"

#include <gmock/gmock.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace rondo::test::busy_process_test {
namespace {

double cpu_seconds(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// However long the process waits for a core.
TEST(BusyProcess, ComputesUntilItIsDestroyed) {
    auto busy = std::make_unique<BusyProcess>();
    const pid_t process = busy->id();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(4);
    while (cpu_seconds(process) < 0.02 && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_GE(cpu_seconds(process), 0.02);
    busy.reset();
    EXPECT_NE(::kill(process, 0), 0);
}

TEST(BusyProcess, StaysOnItsCore) {
    cpu_set_t allowed, got;
    ASSERT_EQ(::sched_getaffinity(0, sizeof(allowed), &allowed), 0);
    int core = 0;
    while (!CPU_ISSET(static_cast<std::size_t>(core), &allowed)) ++core;
    const BusyProcess busy(core);
    ASSERT_EQ(::sched_getaffinity(busy.id(), sizeof(got), &got), 0);
    EXPECT_EQ(CPU_COUNT(&got), 1);
    EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(core), &got));
}

TEST(BusyProcess, HasItsPriority) {
    const BusyProcess usual, low(BusyProcess::kAnyCore, BusyProcess::kLowPriority);
    EXPECT_EQ(::getpriority(PRIO_PROCESS, static_cast<id_t>(low.id())), 19);
    EXPECT_EQ(::getpriority(PRIO_PROCESS, static_cast<id_t>(usual.id())),
              ::getpriority(PRIO_PROCESS, 0));
}

TEST(BusyProcess, RefusesACoreThatIsNotThere) {
    try {
        const BusyProcess busy(CPU_SETSIZE - 1);
        FAIL() << "no error";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("can't start a busy process on core 1023"));
    }
}

}  // namespace
}  // namespace rondo::test::busy_process_test
