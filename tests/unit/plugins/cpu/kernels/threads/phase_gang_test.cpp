#include "plugins/cpu/kernels/threads/phase_gang.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"

namespace rondo::cpu::test {
namespace {

// Counts items, and checks that a phase starts only when the one before is complete.
void run_gang(Team& team, int slices, std::int64_t phases) {
    std::vector<PhaseGang::Slot> memory(static_cast<std::size_t>(slices + 1));
    PhaseGang gang(slices, phases, memory.data());
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(phases));
    std::atomic<int> early{0};
    gang.run(team, [&](std::int64_t phase, int) {
        const auto at = static_cast<std::size_t>(phase);
        if (phase > 0 && done[at - 1] != slices) ++early;
        ++done[at];
    });
    EXPECT_EQ(early, 0);
    for (const auto& count : done) EXPECT_EQ(count, slices);
}

TEST(PhaseGang, OneThreadFinishesAlone) {
    SerialTeam serial;
    BackwardTeam backward(4);
    run_gang(serial, 4, 100);
    run_gang(backward, 4, 100);
}

TEST(PhaseGang, ThreadsMeetAtEveryPhase) {
    for (int slices : {1, 2, 3, 5}) {
        ThreadTeam team(slices);
        run_gang(team, slices, 2000);
    }
}

TEST(PhaseGang, NoPhases) {
    ThreadTeam team(2);
    run_gang(team, 2, 0);
}

TEST(PhaseGang, LateWorkersJoinOrFindNothingToDo) {
    LateTeam team;
    run_gang(team, 3, 20000);
}

// Workers that lose their cores in the middle of an item, again and again, sometimes all of them.
TEST(PhaseGang, LateWorkersLetGoAndComeBack) {
    constexpr std::int64_t kPhases = 400;
    constexpr int kSlices = 3;
    ThreadTeam team(kSlices);
    std::vector<PhaseGang::Slot> memory(kSlices);
    PhaseGang gang(kSlices, kPhases, memory.data());
    std::vector<std::atomic<int>> calls(kPhases * kSlices);
    gang.run(team, [&](std::int64_t phase, int slice) {
        ++calls[static_cast<std::size_t>(phase * kSlices + slice)];
        if ((phase * 7 + slice) % 37 == 0 || phase % 50 == 3) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace rondo::cpu::test
