#include "plugins/cpu/kernels/sequence/wavefront.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "plugins/cpu/kernels/threads/waiting.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"

namespace rondo::cpu::tests::wavefront_test {
namespace {

// Counts items, and checks that each comes after its neighbours below and before.
void run_grid(Team& team, int workers, int layers, std::int64_t tiles, std::int64_t ahead = 0) {
    std::vector<Wavefront::Row> memory(static_cast<std::size_t>(layers));
    Wavefront wave(layers, tiles, memory.data(), ahead);
    std::vector<std::atomic<std::int64_t>> done(static_cast<std::size_t>(layers));
    std::atomic<int> early{0}, repeated{0};
    wave.run(team, workers, [&](int layer, std::int64_t tile) {
        const auto at = static_cast<std::size_t>(layer);
        if (layer > 0 && done[at - 1] < std::min(tile + 1 + ahead, tiles)) ++early;
        if (done[at]++ != tile) ++repeated;
    });
    EXPECT_EQ(early, 0);
    EXPECT_EQ(repeated, 0);
    for (const auto& count : done) EXPECT_EQ(count, tiles);
}

TEST(Wavefront, OneThreadFinishesAlone) {
    for (int layers : {1, 2, 3, 8}) {
        SerialTeam serial;
        BackwardTeam backward(4);
        for (int workers = 1; workers <= std::min(layers, 4); ++workers) {
            run_grid(serial, workers, layers, 50);
            run_grid(backward, workers, layers, 50);
        }
    }
}

TEST(Wavefront, ThreadsKeepTheOrder) {
    for (int layers : {2, 3, 5}) {
        for (int workers = 1; workers <= layers; ++workers) {
            ThreadTeam team(workers);
            run_grid(team, workers, layers, 3000);
            run_grid(team, workers, layers, 1000, 2);
        }
    }
}

TEST(Wavefront, NoTiles) {
    ThreadTeam team(2);
    run_grid(team, 2, 3, 0);
}

TEST(Wavefront, OneTile) {
    ThreadTeam team(3);
    run_grid(team, 3, 3, 1);
    run_grid(team, 3, 3, 1, 1);
}

TEST(Wavefront, LateWorkersJoinOrFindNothingToDo) {
    LateTeam team;
    run_grid(team, 3, 4, 20000);
    run_grid(team, 2, 2, 20000);
}

TEST(Wavefront, SaysWhereAWorkerWasLate) {
    for (const bool late : {true, false}) {
        PatientTeam team;
        std::vector<Wavefront::Row> memory(2);
        Wavefront wave(2, 4, memory.data());
        wave.run(team, 2, [&](int layer, std::int64_t tile) {
            if (late && layer == 0 && tile == 2) {
                std::this_thread::sleep_for(std::chrono::milliseconds(30));
            }
        });
        if (late) {
            EXPECT_EQ(team.late, 1);
            EXPECT_GE(team.lost_ticks, ticks_of_microseconds(300));
        }
        EXPECT_LE(team.late, 1);
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::wavefront_test
