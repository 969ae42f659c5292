#include "plugins/cpu/kernels/threads/team_plans.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::team_plans_test {
namespace {

struct Plan {
    TeamState state;
    bool split;
    std::size_t scratch_bytes;

    bool splits() const { return split; }
};

// Returns what the test sets, and counts the calls.
class StatedTeam final : public Team {
public:
    int size() const override { return 2; }
    TeamState state() override {
        ++asked;
        return now;
    }
    void run(int, FunctionRef<void(int)>) override {}

    TeamState now = TeamState::awake;
    int asked = 0;
};

TEST(TeamPlans, ThePlanIsThatOfTheTeamsState) {
    const TeamPlans<Plan> plans([](TeamState state) { return Plan{state, true, 1}; });
    StatedTeam team;
    for (const TeamState state : {TeamState::awake, TeamState::asleep, TeamState::alone}) {
        team.now = state;
        EXPECT_EQ(plans.of(team).state, state);
    }
    EXPECT_EQ(team.asked, 3);
    EXPECT_EQ(plans.awake().state, TeamState::awake);
}

// Asking wakes threads: work that would stay on one anyway doesn't.
TEST(TeamPlans, WorkForOneThreadAsksNoTeam) {
    const TeamPlans<Plan> plans([](TeamState state) { return Plan{state, false, 1}; });
    StatedTeam team;
    team.now = TeamState::asleep;
    EXPECT_EQ(plans.of(team).state, TeamState::awake);
    EXPECT_EQ(team.asked, 0);
}

TEST(TeamPlans, ScratchIsEnoughForAll) {
    const TeamPlans<Plan> plans([](TeamState state) {
        return Plan{state, true, state == TeamState::asleep ? std::size_t{7} : std::size_t{3}};
    });
    EXPECT_EQ(plans.scratch_bytes(), 7u);
}

}  // namespace
}  // namespace rondo::cpu::team_plans_test
