// The threads that a kernel may share its work among, without saying where they come from.
#pragma once

#include "core/support/function_ref.hpp"

namespace rondo::cpu {

/// Runs slices of work. Implemented over TBB by the plugin folder.
class Team {
public:
    virtual ~Team() = default;

    /// How many threads may run at once; at least 1.
    virtual int size() const = 0;

    /// Threads that are worth counting on now: size(), or 1 for a while after note_late().
    virtual int ready() const { return size(); }

    /// Whether the other threads are looking out for work, so that sharing costs next to nothing;
    /// or will be, since the caller comes back at once each time. Waking them takes many
    /// microseconds.
    virtual bool awake() { return true; }

    /// Says that a thread held up the others for long: another program may have its core.
    virtual void note_late() {}

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
