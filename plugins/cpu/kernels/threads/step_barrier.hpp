// Takes threads through many short phases together; it can't hang if some of them never run.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Every phase has one item for each slice, and starts when all items of the phase before are done.
/// A worker that has started owns its slice, so that the slice's weights stay in its core's L2.
/// Workers that wait do the items of slices without an owner. A worker only ever waits for a thread
/// that has started: a team that runs everything on one thread finishes too. A worker that is much
/// too late (another process uses its core) is evicted from its slice for a while, if the team has
/// no credit left.
class StepBarrier {
public:
    /// The public state of a slice. One store publishes a finished item and the owner of the next.
    struct alignas(kCacheLine) Slot {
        std::atomic<std::int64_t> progress;  ///< 4 * items done + Owner
        std::atomic<bool> evicted;           ///< its worker leaves the slice after its item
    };

    static constexpr int kMaxSlices = 64;
    static constexpr std::size_t bytes(int slices) {
        return static_cast<std::size_t>(slices) * sizeof(Slot);
    }

    /// `memory`: bytes(slices) on a 64-byte boundary.
    StepBarrier(int slices, std::int64_t phases, void* memory);

    /// body(phase, slice) does an item. It returns false to stop: no more items of its slice
    /// follow.
    using Body = FunctionRef<bool(std::int64_t, int)>;

    /// Calls body(phase, slice) once for each pair, until it stops. Where the body stops in one
    /// slice, it has to stop in all others at their next phase at the latest.
    void run(Team& team, Body body);

private:
    /// Owner of a slice: none, a helper (for one item), or its worker.
    enum Owner : std::int64_t { none, helper, worker, kOwners = 4 };
    struct Visit;

    static std::int64_t done_of(std::int64_t progress) { return progress / kOwners; }
    std::int64_t done(int slice) const {
        return done_of(slots_[slice].progress.load(std::memory_order_acquire));
    }
    void work(Visit& visit);
    bool acquire(Visit& visit);
    void wait_evicted(Visit& visit);
    void complete(std::int64_t phase, Visit& visit);
    bool help(int slice, std::int64_t phase, const Visit& visit);
    void await(int slice, std::int64_t phase, Visit& visit);
    void evict(int slice, Visit& visit);
    void note_lost(const Visit& visit);
    void recall(Visit& visit);

    int slices_;
    std::int64_t phases_;
    Slot* slots_;
    std::uint64_t credit_ = 0;            // ticks that threads may lose before one is evicted
    std::atomic<std::uint64_t> lost_{0};  // the most that a thread lost
};

}  // namespace rondo::cpu
