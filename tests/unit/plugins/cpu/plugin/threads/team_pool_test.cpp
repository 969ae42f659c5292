#include "plugins/cpu/plugin/threads/team_pool.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <deque>
#include <filesystem>
#include <thread>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/core.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::cpu::team_pool_test {
namespace {

TeamOptions pair_of_threads() {
    TeamOptions options;
    options.threads = 2;
    return options;
}

std::size_t threads_of_process() {
    std::size_t count = 0;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        count += thread.exists() ? 1 : 0;
    }
    return count;
}

TEST(TeamPool, ATeamIsThatOfTheLastTime) {
    TeamPool pool(pair_of_threads());
    std::size_t last = 0;
    Team* first = nullptr;
    for (int round = 0; round < 3; ++round) {
        TeamPool::Lease lease(pool, last);
        if (first == nullptr) first = &lease.team();
        if (pool.size() > 0) {
            EXPECT_EQ(&lease.team(), first);
        }
        std::atomic<int> calls{0};
        lease.run(5, [&](int) { ++calls; });
        EXPECT_EQ(calls, 5);
    }
}

TEST(TeamPool, CallersAtOnceHaveTeamsOfTheirOwnWhileThereAreAny) {
    TeamPool pool(pair_of_threads());
    std::deque<std::size_t> last(pool.size() + 3, 0);
    std::deque<TeamPool::Lease> leases;
    for (std::size_t i = 0; i < last.size(); ++i) {
        leases.emplace_back(pool, last[i]);
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(&leases[i].team(), &leases[j].team());
        EXPECT_EQ(leases[i].state() == TeamState::alone, i >= pool.size());
    }
    leases.clear();
    TeamPool::Lease again(pool, last[0]);
    EXPECT_EQ(again.team().size(), pool.size() > 0 ? 2 : 1);
}

// A short inference doesn't pay for a team that it doesn't use.
TEST(TeamPool, NoTeamIsTakenBeforeWorkIsSplit) {
    TeamPool pool(pair_of_threads());
    std::size_t last = 0;
    std::deque<TeamPool::Lease> idle;
    for (std::size_t i = 0; i < pool.size() + 1; ++i) {
        EXPECT_EQ(idle.emplace_back(pool, last).size(), pool.size() > 0 ? 2 : 1);
    }
    EXPECT_EQ(idle.back().state() == TeamState::alone, pool.size() == 0);
}

TEST(TeamPool, OneForEachKindOfTeam) {
    const auto pool = shared_team_pool(pair_of_threads());
    EXPECT_EQ(pool, shared_team_pool(pair_of_threads()));
    TeamOptions other = pair_of_threads();
    other.flush_denormals = false;
    EXPECT_NE(pool, shared_team_pool(other));
}

TEST(TeamPool, OneThreadNeedsNone) {
    TeamOptions options;
    TeamPool pool(options);
    std::size_t last = 0;
    EXPECT_EQ(pool.size(), 0u);
    EXPECT_EQ(TeamPool::Lease(pool, last).size(), 1);
}

// Each live request used to keep a sleeping thread for ever.
TEST(TeamPool, ManyLiveRequestsHaveFewThreads) {
    test::RecurrentCase layer;
    layer.attributes.hidden_size = 64;
    layer.batch = 16;
    layer.time = 30;
    layer.open_shapes = false;
    const auto graph = test::make_recurrent<ops::LSTMSequence>(layer);
    auto model =
        Core().compile_model(Model(graph.graph), "CPU", {{property::kInferenceNumThreads, "2"}});
    const std::size_t before = threads_of_process();
    std::vector<InferRequest> requests;
    for (int i = 0; i < 200; ++i) {
        requests.push_back(model.create_infer_request());
        for (std::size_t j = 0; j < graph.inputs.size(); ++j) {
            requests.back().set_input_tensor(j, graph.inputs[j]);
        }
        requests.back().infer();
    }
    EXPECT_LE(threads_of_process(), before + 2 * static_cast<std::size_t>(available_cores()) + 4);
}

// Bytes of the heap that `rounds` calls of `body` leak, after as many for caches to fill.
template <typename Body>
std::size_t growth(int rounds, Body body) {
    for (int i = 0; i < rounds; ++i) body();
    const std::size_t before = ::mallinfo2().uordblks;
    for (int i = 0; i < rounds; ++i) body();
    const std::size_t after = ::mallinfo2().uordblks;
    return after > before ? after - before : 0;
}

constexpr std::size_t kMegabyte = 1024 * 1024;

// A task that calls a thread for a team must not outlive it: each would keep the memory of its
// team.
TEST(TbbTeam, TeamsThatAreMadeAndDroppedLeaveNothing) {
    const std::size_t bytes = growth(1000, [] {
        const auto team = make_team(2);
        team->run(2, [](int) {});
    });
    EXPECT_LT(bytes, kMegabyte);
}

TEST(TeamPool, RequestsThatAreMadeAndDroppedLeaveNothing) {
    test::RecurrentCase layer;
    layer.attributes.hidden_size = 64;
    layer.batch = 16;
    layer.open_shapes = false;
    const auto graph = test::make_recurrent<ops::LSTMSequence>(layer);
    auto model =
        Core().compile_model(Model(graph.graph), "CPU", {{property::kInferenceNumThreads, "2"}});
    const std::size_t bytes = growth(500, [&] {
        InferRequest request = model.create_infer_request();
        for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
            request.set_input_tensor(i, graph.inputs[i]);
        }
        request.infer();
    });
    EXPECT_LT(bytes, kMegabyte);
}

}  // namespace
}  // namespace rondo::cpu::team_pool_test
