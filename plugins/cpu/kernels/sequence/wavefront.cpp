#include "plugins/cpu/kernels/sequence/wavefront.hpp"

#include <algorithm>
#include <new>

#include "plugins/cpu/kernels/threads/waiting.hpp"

namespace rondo::cpu {
namespace {

// How long an item whose worker has arrived is left to it: some microseconds.
constexpr int kGraceSpins = 200;

}  // namespace

Wavefront::Wavefront(int layers, std::int64_t tiles, void* memory, std::int64_t ahead)
    : layers_(layers), tiles_(tiles), ahead_(ahead), rows_(static_cast<Row*>(memory)) {
    for (int i = 0; i < layers; ++i) new (rows_ + i) Row{0, 0, false};
}

void Wavefront::run(Team& team, int workers, FunctionRef<void(int, std::int64_t)> body) {
    team.run(workers, [&](int me) { work(me, workers, body); });
    const std::uint64_t lost = lost_.load(std::memory_order_relaxed);
    if (lost > 0) team.note_late(lost);
}

std::int64_t Wavefront::items_done() const {
    std::int64_t items = 0;
    for (int i = 0; i < layers_; ++i) items += rows_[i].done.load(std::memory_order_acquire);
    return items;
}

// The layer's next item, if it is ready and free. A row's `done` never overtakes its `claimed`, and
// only the thread that claims an item moves `done` past it: a claim that succeeds is for the tile
// that was ready.
bool Wavefront::try_item(int layer, FunctionRef<void(int, std::int64_t)> body) {
    Row& row = rows_[layer];
    std::int64_t tile = row.done.load(std::memory_order_acquire);
    if (tile >= tiles_ || row.claimed.load(std::memory_order_relaxed) != tile) return false;
    const std::int64_t wanted = std::min(tile + 1 + ahead_, tiles_);
    if (layer > 0 && rows_[layer - 1].done.load(std::memory_order_acquire) < wanted) return false;
    if (!row.claimed.compare_exchange_strong(tile, tile + 1, std::memory_order_acq_rel)) {
        return false;
    }
    const std::uint64_t start = ticks();
    body(layer, tile);
    const std::uint64_t took = ticks() - start;
    if (took > longest_.load(std::memory_order_relaxed)) {
        longest_.store(took, std::memory_order_relaxed);
    }
    row.done.store(tile + 1, std::memory_order_release);
    return true;
}

// The uppermost first: its input is still in the cache.
bool Wavefront::run_own(int me, int workers, FunctionRef<void(int, std::int64_t)> body) {
    const int last = me + (layers_ - 1 - me) / workers * workers;
    for (int layer = last; layer >= 0; layer -= workers) {
        if (try_item(layer, body)) return true;
    }
    return false;
}

bool Wavefront::help(bool also_attended, FunctionRef<void(int, std::int64_t)> body) {
    for (int layer = 0; layer < layers_; ++layer) {
        const bool attended = rows_[layer].attended.load(std::memory_order_relaxed);
        if ((also_attended || !attended) && try_item(layer, body)) return true;
    }
    return false;
}

bool Wavefront::is_late(std::uint64_t since) const {
    const std::uint64_t longest = longest_.load(std::memory_order_relaxed);
    return longest > 0 && ticks() - since > late_ticks(longest);
}

// An item gets ready when another is done: the grace starts again with each. A worker with several
// layers lets all workers take their items, since it may be busy with another.
void Wavefront::work(int me, int workers, FunctionRef<void(int, std::int64_t)> body) {
    if (me + workers >= layers_) rows_[me].attended.store(true, std::memory_order_relaxed);
    std::int64_t seen = -1;
    std::uint64_t since = 0;
    bool waits_for_late = false;
    std::uint64_t lost = 0;
    for (int spin = 0;; ++spin) {
        const std::int64_t items = items_done();
        if (items != seen) {
            if (waits_for_late) lost += ticks() - since;
            waits_for_late = false;
            if (items == layers_ * tiles_) return raise_to(lost_, lost);
            seen = items;
            since = ticks();
            spin = 0;
        }
        if (run_own(me, workers, body) || help(spin >= kGraceSpins, body)) {
            waits_for_late = false;
            continue;
        }
        pause_or_offer(since);
        // Asked again: it may have been this thread that had no core.
        if (is_late(since) && items_done() == seen) waits_for_late = true;
    }
}

}  // namespace rondo::cpu
