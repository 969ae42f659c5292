// Teams of forked children.

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/support/emulated.hpp"
#include "tests/support/forked_child.hpp"

namespace rondo::cpu::own_team_test {
namespace {

void expect_each_slice_once(Team& team, int slices) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(slices));
    team.run(slices, [&](int slice) { ++calls[static_cast<std::size_t>(slice)]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(OwnTeam, RunsEachSliceOnce) {
    const auto team = make_own_team(3, true);
    EXPECT_EQ(team->size(), 3);
    for (int round = 0; round < 100; ++round) {
        for (const int slices : {0, 1, 2, 7, 64}) expect_each_slice_once(*team, slices);
    }
}

TEST(OwnTeam, AnExceptionReachesTheCaller) {
    const auto team = make_own_team(2, true);
    EXPECT_THROW(team->run(4,
                           [](int slice) {
                               if (slice == 2) throw std::runtime_error("2");
                           }),
                 std::runtime_error);
    expect_each_slice_once(*team, 4);
}

// The slices wait for each other until a second thread has come.
bool has_two_threads(Team& team) {
    team.state();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    std::atomic<int> there{0};
    while (there < 2 && std::chrono::steady_clock::now() < end) {
        there = 0;
        team.run(2, [&](int) {
            ++there;
            const auto moment = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
            while (there < 2 && std::chrono::steady_clock::now() < moment) {
            }
            if (there < 2) there = -1;
        });
    }
    return there == 2;
}

TEST(OwnTeam, HasThreads) {
    const auto team = make_own_team(2, false);
    EXPECT_TRUE(has_two_threads(*team));
}

TEST(OwnTeam, TeamsThatAreMadeAndDroppedEndTheirThreads) {
    for (int i = 0; i < 200; ++i) {
        const auto team = make_own_team(3, true);
        expect_each_slice_once(*team, 5);
    }
}

// TBB's threads stay in the parent.
TEST(OwnTeam, AForkedChildOfAUserOfTbbHasOne) {
    if (available_cores() < 2) GTEST_SKIP() << "teams need two cores";
    if (test::is_emulated()) GTEST_SKIP() << "an emulator has no threads in forked children";
    const auto team = make_team(2);
    expect_each_slice_once(*team, 4);
    EXPECT_TRUE(test::succeeds_in_a_child([&] {
        expect_each_slice_once(*team, 4);  // alone
        const auto own = make_team(2);
        return has_two_threads(*own);
    }));
    expect_each_slice_once(*team, 4);
}

}  // namespace
}  // namespace rondo::cpu::own_team_test
