// Teams that requests share: as many as can be of use at once, however many requests there are.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "plugins/cpu/plugin/threads/tbb_team.hpp"

namespace rondo::cpu {

/// A request has a team only while it runs. Threads stay with the pool: making and dropping
/// requests makes and drops none, and a thousand requests have no more sleeping threads than a few.
/// Usable from many threads.
class TeamPool {
public:
    explicit TeamPool(const TeamOptions& options);

    /// A team, for one caller at a time, until this goes.
    class Lease {
    public:
        Lease(TeamPool& pool, std::size_t& last);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        Team& operator*() const { return *team_; }

    private:
        std::atomic<bool>* taken_ = nullptr;  // null where the caller works alone
        SerialTeam alone_;
        Team* team_ = &alone_;
    };

    /// How many teams there are at most; where all are taken, callers work alone.
    std::size_t size() const { return slots_.size(); }

private:
    struct alignas(64) Slot {
        std::atomic<bool> taken{false};
        std::unique_ptr<Team> team;  // made by the first that takes the slot
    };

    TeamOptions options_;
    std::vector<Slot> slots_;  // empty where teams are of one thread
};

/// The pool of these options that is alive in this process, or a new one.
std::shared_ptr<TeamPool> shared_team_pool(const TeamOptions& options);

}  // namespace rondo::cpu
