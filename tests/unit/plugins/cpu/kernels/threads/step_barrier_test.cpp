#include "plugins/cpu/kernels/threads/step_barrier.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "plugins/cpu/kernels/threads/waiting.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"

namespace rondo::cpu::tests::step_barrier_test {
namespace {

// Counts items, and checks that a phase starts only when the one before is complete.
void run_phases(Team& team, int slices, std::int64_t phases) {
    std::vector<StepBarrier::Slot> memory(static_cast<std::size_t>(slices + 1));
    StepBarrier barrier(slices, phases, memory.data());
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(phases));
    std::atomic<int> early{0};
    barrier.run(team, [&](std::int64_t phase, int) {
        const auto at = static_cast<std::size_t>(phase);
        if (phase > 0 && done[at - 1] != slices) ++early;
        ++done[at];
        return true;
    });
    EXPECT_EQ(early, 0);
    for (const auto& count : done) EXPECT_EQ(count, slices);
}

TEST(StepBarrier, OneThreadFinishesAlone) {
    SerialTeam serial;
    BackwardTeam backward(4);
    run_phases(serial, 4, 100);
    run_phases(backward, 4, 100);
}

TEST(StepBarrier, ThreadsMeetAtEveryPhase) {
    for (int slices : {1, 2, 3, 5}) {
        ThreadTeam team(slices);
        run_phases(team, slices, 2000);
    }
}

TEST(StepBarrier, NoPhases) {
    ThreadTeam team(2);
    run_phases(team, 2, 0);
}

TEST(StepBarrier, LateWorkersJoinOrFindNothingToDo) {
    LateTeam team;
    run_phases(team, 3, 20000);
}

// Workers that lose their cores in the middle of an item, again and again, sometimes all of them.
TEST(StepBarrier, EvictedWorkersComeBack) {
    constexpr std::int64_t kPhases = 400;
    constexpr int kSlices = 3;
    ThreadTeam team(kSlices);
    std::vector<StepBarrier::Slot> memory(kSlices);
    StepBarrier barrier(kSlices, kPhases, memory.data());
    std::vector<std::atomic<int>> calls(kPhases * kSlices);
    barrier.run(team, [&](std::int64_t phase, int slice) {
        ++calls[static_cast<std::size_t>(phase * kSlices + slice)];
        if ((phase * 7 + slice) % 37 == 0 || phase % 50 == 3) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return true;
    });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(StepBarrier, SaysHowLongItWaitedForALateWorker) {
    PatientTeam team;
    std::vector<StepBarrier::Slot> memory(2);
    StepBarrier barrier(2, 100, memory.data());
    barrier.run(team, [&](std::int64_t phase, int slice) {
        const bool late = phase == 50 && slice == 1;
        std::this_thread::sleep_for(late ? std::chrono::milliseconds(30)
                                         : std::chrono::microseconds(50));
        return true;
    });
    EXPECT_EQ(team.late, 1);
    EXPECT_GE(team.lost_ticks, ticks_of_microseconds(10'000));
}

// A body that stops ends the run for all, long before the last phase.
TEST(StepBarrier, StopsWhereTheBodySaysSo) {
    constexpr std::int64_t kPhases = std::int64_t{1} << 60;
    SerialTeam serial;
    BackwardTeam backward(3);
    ThreadTeam threads(3);
    LateTeam late;
    for (Team* team : {static_cast<Team*>(&serial), static_cast<Team*>(&backward),
                       static_cast<Team*>(&threads), static_cast<Team*>(&late)}) {
        std::vector<StepBarrier::Slot> memory(3);
        StepBarrier barrier(3, kPhases, memory.data());
        std::atomic<bool> stop{false};
        std::atomic<std::int64_t> last{0};
        barrier.run(*team, [&](std::int64_t phase, int slice) {
            if (phase > last) last = phase;
            if (phase == 100 && slice == 1) stop = true;
            return !stop;
        });
        EXPECT_GE(last, 100);
        EXPECT_LE(last, 101);
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::step_barrier_test
