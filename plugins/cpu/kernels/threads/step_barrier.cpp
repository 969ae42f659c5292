#include "plugins/cpu/kernels/threads/step_barrier.hpp"

#include <chrono>
#include <new>

#include "plugins/cpu/kernels/threads/waiting.hpp"

namespace rondo::cpu {
namespace {

// Another process keeps a core for milliseconds.
constexpr std::chrono::milliseconds kFirstPause{4};
// Slices take about the same time, so that most waits end within these looks. A pause instruction
// takes as long as a meeting of two threads.
constexpr int kLooksBeforePause = 200;

}  // namespace

// What one thread knows while it works here.
struct StepBarrier::Visit {
    int me = 0;
    Body body;
    std::uint64_t item_ticks = 0;  // what its last item took
    bool has_evicted = false;      // until it recalls the workers
    std::uint64_t lost = 0;        // ticks that it waited for late workers, or did without
    std::uint64_t without = 0;     // since when it does without
    BackOff back_off{kFirstPause};
};

StepBarrier::StepBarrier(int slices, std::int64_t phases, void* memory)
    : slices_(slices), phases_(phases), slots_(static_cast<Slot*>(memory)) {
    for (int i = 0; i < slices; ++i) new (slots_ + i) Slot{none, false};
}

void StepBarrier::run(Team& team, Body body) {
    credit_ = team.late_credit();
    team.run(slices_, [&](int me) {
        Visit visit{me, body};
        work(visit);
        note_lost(visit);
    });
    const std::uint64_t lost = lost_.load(std::memory_order_relaxed);
    if (lost > 0) team.note_late(lost);
}

void StepBarrier::work(Visit& visit) {
    while (acquire(visit)) {
        std::atomic<std::int64_t>& progress = slots_[visit.me].progress;
        std::int64_t phase = done(visit.me);
        Owner next = worker;
        for (; phase < phases_ && next == worker; ++phase) {
            complete(phase, visit);
            const std::uint64_t start = ticks();
            if (!visit.body(phase, visit.me)) {
                return progress.store(kOwners * phases_ + none, std::memory_order_release);
            }
            visit.item_ticks = ticks() - start;
            if (slots_[visit.me].evicted.load(std::memory_order_relaxed)) next = none;
            progress.store(kOwners * (phase + 1) + next, std::memory_order_release);
        }
        if (phase == phases_) break;
        wait_evicted(visit);
    }
    complete(phases_, visit);
}

// Makes the worker the owner of its slice. False if all items of the slice are done.
bool StepBarrier::acquire(Visit& visit) {
    std::atomic<std::int64_t>& progress = slots_[visit.me].progress;
    for (;;) {
        std::int64_t seen = progress.load(std::memory_order_acquire);
        if (done_of(seen) == phases_) return false;
        if (seen % kOwners != none) {  // a helper, for one more item
            spin_pause();
            continue;
        }
        if (progress.compare_exchange_weak(seen, seen + worker, std::memory_order_acq_rel))
            return true;
    }
}

// Another process uses this core. Others do this slice until the worker is recalled, or until no
// worker is left, since each may have evicted another.
void StepBarrier::wait_evicted(Visit& visit) {
    Slot& slot = slots_[visit.me];
    std::int64_t seen = done(visit.me);
    std::uint64_t since = ticks();
    while (slot.evicted.load(std::memory_order_relaxed)) {
        offer_core();
        const std::int64_t now = done(visit.me);
        if (now == phases_) return;
        if (now != seen) {
            seen = now;
            since = ticks();
        } else if (ticks() - since > late_ticks(visit.item_ticks)) {
            slot.evicted.store(false, std::memory_order_relaxed);
        }
    }
}

// Returns when all slices have done `phase` items.
void StepBarrier::complete(std::int64_t phase, Visit& visit) {
    for (int i = 1; i < slices_; ++i) {
        const int other = visit.me + i < slices_ ? visit.me + i : visit.me + i - slices_;
        while (help(other, phase, visit)) {
        }
    }
    for (int slice = 0; slice < slices_; ++slice) {
        if (done(slice) < phase) await(slice, phase, visit);
    }
    if (visit.has_evicted) recall(visit);
}

// Does an item of a slice without an owner, if it has done fewer than `phase` items. The caller's
// own slice has done `phase` items, so all slices have done the one before.
bool StepBarrier::help(int slice, std::int64_t phase, const Visit& visit) {
    std::atomic<std::int64_t>& progress = slots_[slice].progress;
    std::int64_t seen = progress.load(std::memory_order_acquire);
    const std::int64_t item = done_of(seen);
    if (seen % kOwners != none || item >= phase) return false;
    if (!progress.compare_exchange_strong(seen, seen + helper, std::memory_order_acq_rel))
        return true;
    const std::int64_t done = visit.body(item, slice) ? item + 1 : phases_;
    progress.store(kOwners * done + none, std::memory_order_release);
    return true;
}

void StepBarrier::await(int slice, std::int64_t phase, Visit& visit) {
    for (int look = 0; look < kLooksBeforePause; ++look) {
        if (done(slice) >= phase) return;
    }
    const std::uint64_t start = ticks();
    std::uint64_t late = 0;  // how long it waited when it last looked
    while (done(slice) < phase) {
        if (help(slice, phase, visit)) continue;
        pause_or_offer(start);
        const bool evicted = slots_[slice].evicted.load(std::memory_order_relaxed);
        const std::uint64_t waited = ticks() - start;
        if (evicted || visit.item_ticks == 0 || waited < late_ticks(visit.item_ticks)) continue;
        if (!visit.has_evicted) late = waited;  // else it counts as time without a worker
        // It may have been this thread that had no core.
        if (visit.lost + waited > credit_ && done(slice) < phase) evict(slice, visit);
    }
    visit.lost += late;
}

void StepBarrier::evict(int slice, Visit& visit) {
    slots_[slice].evicted.store(true, std::memory_order_relaxed);
    if (!visit.has_evicted) visit.without = ticks();
    visit.has_evicted = true;
    visit.back_off.note_late();
}

void StepBarrier::recall(Visit& visit) {
    if (visit.back_off.pausing()) return;
    visit.lost += ticks() - visit.without;
    visit.has_evicted = false;
    for (int i = 0; i < slices_; ++i) slots_[i].evicted.store(false, std::memory_order_relaxed);
}

void StepBarrier::note_lost(const Visit& visit) {
    const std::uint64_t lost = visit.lost + (visit.has_evicted ? ticks() - visit.without : 0);
    raise_to(lost_, lost);
}

}  // namespace rondo::cpu
