// Teams that requests share: as many as can be of use at once, however many requests there are.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/support/process.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"

namespace rondo::cpu {

/// A request has a team only while it uses one. Threads stay with the pool: making and dropping
/// requests makes and drops none, and a thousand requests have no more sleeping threads than a few.
/// Usable from many threads. A forked child has new teams.
class TeamPool {
    struct Slot;

public:
    explicit TeamPool(const TeamOptions& options);

    /// A team for one caller at a time. It is taken from the pool where work is first split, so
    /// that short inferences do without, and given back when this goes. Where all are taken, the
    /// caller does everything.
    class Lease final : public Team {
    public:
        /// `last` is the slot that the caller had before: its threads are awake most likely, and
        /// pinned to the caller's cores. Both must outlive this object.
        Lease(TeamPool& pool, std::size_t& last) : pool_(pool), last_(last) {}
        ~Lease() override {
            if (slot_ != nullptr) give_back();
        }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        int size() const override { return pool_.threads_; }
        TeamState state() override { return team().state(); }
        std::uint64_t late_credit() const override {
            return team_ != nullptr ? team_->late_credit() : 0;
        }
        void note_late(std::uint64_t lost) override { team().note_late(lost); }
        void run(int slices, FunctionRef<void(int)> body) override { team().run(slices, body); }

        /// The pool's team, or one of the caller alone.
        Team& team() { return team_ != nullptr ? *team_ : take(); }

    private:
        Team& take();
        void give_back();

        TeamPool& pool_;
        std::size_t& last_;
        Slot* slot_ = nullptr;  // null where the caller works alone
        SerialTeam alone_;
        Team* team_ = nullptr;
    };

    /// How many teams there are at most; where all are taken, callers work alone.
    std::size_t size() const { return slots_.size(); }

private:
    struct alignas(64) Slot {
        std::atomic<bool> taken{false};
        std::unique_ptr<Team> team;  // made by the first that takes the slot
    };

    void leave_parents_teams();

    TeamOptions options_;
    int threads_ = 1;          // of a team
    std::vector<Slot> slots_;  // empty where teams are of one thread
    std::atomic<unsigned> made_at_{fork_count()};
    ForkMutex leaving_;
};

/// The pool of these options that is alive in this process, or a new one.
std::shared_ptr<TeamPool> shared_team_pool(const TeamOptions& options);

}  // namespace rondo::cpu
