// Threads that go through a grid of layers and tiles of time, each item after its two neighbours.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Item (layer, tile) runs once (layer, tile - 1) is done and the layer below has done `tile` and
/// the next `ahead` tiles. A worker stays with its own layers, so that their weights stay in its
/// core's L2; it takes items of others where their worker has not arrived, or is late. A worker
/// only ever waits for an item that a running thread has claimed: a team that runs everything on
/// one thread finishes too.
class Wavefront {
public:
    /// A layer's place in shared memory: its next item to claim, and the first that isn't done.
    struct alignas(kCacheLine) Row {
        std::atomic<std::int64_t> claimed;
        std::atomic<std::int64_t> done;
        std::atomic<bool> attended;  ///< its worker has arrived, and has no other layer
    };

    static constexpr std::size_t bytes(int layers) {
        return static_cast<std::size_t>(layers) * sizeof(Row);
    }

    /// `memory`: bytes(layers) on a 64-byte boundary.
    Wavefront(int layers, std::int64_t tiles, void* memory, std::int64_t ahead = 0);

    /// Calls body(layer, tile) once for each pair. `workers`: 1 to layers; layer l belongs to
    /// worker l % workers. Calls Team::note_late() where a worker waited for another for so long
    /// that another process must use its core.
    void run(Team& team, int workers, FunctionRef<void(int, std::int64_t)> body);

private:
    void work(int me, int workers, FunctionRef<void(int, std::int64_t)> body);
    bool run_own(int me, int workers, FunctionRef<void(int, std::int64_t)> body);
    bool help(bool also_attended, FunctionRef<void(int, std::int64_t)> body);
    bool try_item(int layer, FunctionRef<void(int, std::int64_t)> body);
    std::int64_t items_done() const;
    bool is_late(std::uint64_t since) const;

    int layers_;
    std::int64_t tiles_;
    std::int64_t ahead_;
    Row* rows_;
    std::atomic<std::uint64_t> longest_{0};  // of all items, in ticks
    std::atomic<std::uint64_t> lost_{0};     // the most ticks that a worker waited for late ones
};

}  // namespace rondo::cpu
