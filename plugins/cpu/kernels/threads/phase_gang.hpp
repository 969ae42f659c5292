// Threads that go through many short phases together, and can't hang when some of them never run.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Every phase has one item a slice, and starts when all items of the phase before are done. A
/// worker that has come holds its slice, so that the slice's weights stay in its core's L2; slices
/// that nobody holds are done by those that wait. Waiting is only ever for a thread that has
/// started: a team that runs everything on one thread finishes too. A worker that is late by far
/// (another program has its core) is asked to let go of its slice for a while.
class PhaseGang {
public:
    /// What threads see of a slice. One store tells that an item is done and the next one held.
    struct alignas(kCacheLine) Slot {
        std::atomic<std::int64_t> progress;  ///< 4 * items done + State
        std::atomic<bool> let_go;            ///< its worker is asked to leave it to others
    };

    static constexpr int kMaxSlices = 64;
    static constexpr std::size_t bytes(int slices) {
        return static_cast<std::size_t>(slices) * sizeof(Slot);
    }

    /// `memory`: bytes(slices) on a 64-byte boundary.
    PhaseGang(int slices, std::int64_t phases, void* memory);

    /// Calls body(phase, slice) once for each pair. Both are up to the body to give a meaning.
    void run(Team& team, FunctionRef<void(std::int64_t, int)> body);

private:
    /// Of a slice: nobody's, in the hands of a helper for one item, or held by its worker.
    enum State : std::int64_t { free, helped, held, kStates = 4 };
    struct Stay;

    static std::int64_t done_of(std::int64_t progress) { return progress / kStates; }
    std::int64_t done(int slice) const {
        return done_of(slots_[slice].progress.load(std::memory_order_acquire));
    }
    void work(Stay& stay);
    bool take_hold(Stay& stay);
    void step_aside(Stay& stay);
    void complete(std::int64_t phase, Stay& stay);
    bool help(int slice, std::int64_t phase, const Stay& stay);
    void await(int slice, std::int64_t phase, Stay& stay);
    void ask_to_let_go(int slice, Stay& stay);
    void forgive(Stay& stay);

    int slices_;
    std::int64_t phases_;
    Slot* slots_;
    std::atomic<bool> late_{false};
};

}  // namespace rondo::cpu
