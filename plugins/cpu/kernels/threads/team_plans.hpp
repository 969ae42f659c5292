// Plans of one piece of work for every state that a team may be in when it runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// `Plan` has splits(), whether it uses more than one thread, and scratch_bytes. A team that sleeps
/// costs more to start, so that more work stays on one thread.
template <typename Plan>
class TeamPlans {
public:
    /// make(state) returns the plan for a team in that state.
    template <typename Make>
    explicit TeamPlans(Make make)
        : plans_{make(TeamState::awake), make(TeamState::asleep), make(TeamState::alone)} {}

    /// The plan for the team as it is now. Nothing else asks a team for its state.
    const Plan& of(Team& team) const {
        return awake().splits() ? plans_[static_cast<std::size_t>(team.state())] : awake();
    }

    /// What is expected, for reports.
    const Plan& awake() const { return plans_[0]; }

    /// Enough for each of the plans.
    std::size_t scratch_bytes() const {
        std::size_t most = 0;
        for (const Plan& plan : plans_) most = std::max(most, plan.scratch_bytes);
        return most;
    }

private:
    std::array<Plan, 3> plans_;  // in the order of TeamState
};

}  // namespace rondo::cpu
