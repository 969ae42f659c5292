// Threads that go through many short phases together, and can't hang when some of them never run.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/aligned_buffer.hpp"
#include "plugins/cpu/kernels/team.hpp"

namespace rondo::cpu {

/// Every phase has one item a slice, and starts when all items of the phase before are done. A
/// worker claims the item of its own slice first, so that a slice's weights stay in its core's L2;
/// it takes items of others where they have not arrived, or are late. Waiting is only ever for an
/// item that a running thread has claimed: a team that runs everything on one thread finishes too.
class PhaseGang {
public:
    /// A worker's place in shared memory: the next phase its item is to be claimed for.
    struct alignas(kCacheLine) Slot {
        std::atomic<std::int64_t> next_phase;
        std::atomic<bool> present;
    };

    static constexpr int kMaxSlices = 64;
    static constexpr std::size_t bytes(int slices) {
        return static_cast<std::size_t>(slices + 1) * sizeof(Slot);
    }

    /// `memory`: bytes(slices) on a 64-byte boundary.
    PhaseGang(int slices, std::int64_t phases, void* memory);

    /// Calls body(phase, slice) once for each pair. Both are up to the body to give a meaning.
    void run(Team& team, FunctionRef<void(std::int64_t, int)> body);

private:
    void work(int me, FunctionRef<void(std::int64_t, int)> body);
    void help(std::int64_t phase, int me, FunctionRef<void(std::int64_t, int)> body);
    bool claim_and_run(std::int64_t phase, int slice, FunctionRef<void(std::int64_t, int)> body);
    std::int64_t items_done() const { return done_->load(std::memory_order_acquire); }

    int slices_;
    std::int64_t phases_;
    Slot* slots_;
    std::atomic<std::int64_t>* done_;  // items of all phases
};

}  // namespace rondo::cpu
