// The threads that a kernel may split its work among, without saying where they come from.
#pragma once

#include <cstdint>

#include "core/support/function_ref.hpp"

namespace rondo::cpu {

/// What may be expected of a team's other threads.
enum class TeamState {
    awake,   ///< they look for work, or will: splitting costs next to nothing
    asleep,  ///< waking them takes many microseconds
    alone,   ///< there are none now, or they are late: the caller does everything
};

/// Runs slices of work. Implemented over TBB by the plugin folder.
class Team {
public:
    virtual ~Team() = default;

    /// How many threads may run at once; at least 1.
    virtual int size() const = 0;

    /// The state now. Called once for each layer that could be split, before it runs: calls that
    /// follow each other fast keep a team awake.
    virtual TeamState state() { return size() > 1 ? TeamState::awake : TeamState::alone; }

    /// How long threads may wait for late ones, in ticks(), before they do without.
    virtual std::uint64_t late_credit() const { return 0; }

    /// Says that a thread held up the others for long: another process may use its core. `lost`:
    /// what they lost by it, in ticks().
    virtual void note_late(std::uint64_t lost) { static_cast<void>(lost); }

    /// Calls body(0) .. body(slices - 1), each exactly once, in any order, on any number of threads
    /// (all on one is valid), and returns when all are done. A body never waits for one that has
    /// not started. Must not allocate. Exceptions from a body reach the caller.
    virtual void run(int slices, FunctionRef<void(int)> body) = 0;
};

/// A team of the calling thread alone.
class SerialTeam final : public Team {
public:
    int size() const override { return 1; }
    void run(int slices, FunctionRef<void(int)> body) override {
        for (int slice = 0; slice < slices; ++slice) body(slice);
    }
};

}  // namespace rondo::cpu
