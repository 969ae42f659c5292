#include "plugins/cpu/plugin/threads/tbb_team.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>

namespace rondo::cpu::tbb_team_test {
namespace {

void expect_each_slice_once(Team& team, int slices) {
    std::array<std::atomic<int>, 64> calls{};
    team.run(slices, [&](int slice) { ++calls[static_cast<std::size_t>(slice)]; });
    for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(calls[static_cast<std::size_t>(i)], i < slices ? 1 : 0) << "slice " << i;
    }
}

TEST(TbbTeam, RunsEachSliceOnce) {
    for (const int threads : {1, 2, 3, 8}) {
        const auto team = make_team(threads);
        EXPECT_EQ(team->size(), available_cores() > 1 ? threads : 1);
        for (const int slices : {0, 1, 2, 7, 64}) expect_each_slice_once(*team, slices);
    }
}

TEST(TbbTeam, MayBeNested) {
    const auto team = make_team(2);
    std::atomic<int> calls{0};
    team->run(5, [&](int) { team->run(7, [&](int) { ++calls; }); });
    EXPECT_EQ(calls, 35);
}

TEST(TbbTeam, TeamsRunSideBySide) {
    const auto outer = make_team(2);
    std::array<std::unique_ptr<Team>, 4> inner;
    for (auto& team : inner) team = make_team(2);
    std::atomic<int> calls{0};
    outer->run(4, [&](int slice) {
        for (int round = 0; round < 50; ++round) {
            inner[static_cast<std::size_t>(slice)]->run(3, [&](int) { ++calls; });
        }
    });
    EXPECT_EQ(calls, 600);
}

TEST(TbbTeam, AnExceptionReachesTheCaller) {
    const auto team = make_team(2);
    const auto run = [&] {
        team->run(4, [&](int slice) {
            if (slice == 2) throw std::runtime_error("slice 2");
        });
    };
    EXPECT_THROW(run(), std::runtime_error);
    expect_each_slice_once(*team, 4);
}

TEST(TbbTeam, OneSliceStaysOnTheCallersThread) {
    const auto team = make_team(2);
    const auto caller = pthread_self();
    team->run(1, [&](int) { EXPECT_TRUE(pthread_equal(caller, pthread_self())); });
}

TEST(TbbTeam, ThereIsACore) { EXPECT_GE(available_cores(), 1); }

}  // namespace
}  // namespace rondo::cpu::tbb_team_test
