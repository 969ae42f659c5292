#include "plugins/cpu/kernels/threads/phase_gang.hpp"

#include <algorithm>
#include <new>
#include <thread>

#include "plugins/cpu/kernels/threads/waiting.hpp"

namespace rondo::cpu {
namespace {

// A core is taken for milliseconds. Each time that the same is late again it is left out for
// longer.
constexpr std::uint64_t kFirstPause = 10'000'000;
constexpr std::uint64_t kLongestPause = 32 * kFirstPause;
// Looks in quick succession, since slices take about the same time; a pause is as long as a
// meeting.
constexpr int kLooksBeforePause = 200;

}  // namespace

// A worker's time with the gang.
struct PhaseGang::Stay {
    int me = 0;
    FunctionRef<void(std::int64_t, int)> body;
    std::uint64_t item_ticks = 0;       // what its last item took
    std::uint64_t pause = kFirstPause;  // for the next one that is late
    std::uint64_t forgive_at = 0;       // when those are asked back; 0: nobody left
};

PhaseGang::PhaseGang(int slices, std::int64_t phases, void* memory)
    : slices_(slices), phases_(phases), slots_(static_cast<Slot*>(memory)) {
    for (int i = 0; i < slices; ++i) new (slots_ + i) Slot{free, false};
}

void PhaseGang::run(Team& team, FunctionRef<void(std::int64_t, int)> body) {
    team.run(slices_, [&](int me) {
        Stay stay{me, body};
        work(stay);
    });
    if (late_.load(std::memory_order_relaxed)) team.note_late();
}

void PhaseGang::work(Stay& stay) {
    while (take_hold(stay)) {
        std::atomic<std::int64_t>& progress = slots_[stay.me].progress;
        std::int64_t phase = done(stay.me);
        State next = held;
        for (; phase < phases_ && next == held; ++phase) {
            complete(phase, stay);
            const std::uint64_t start = ticks();
            stay.body(phase, stay.me);
            stay.item_ticks = ticks() - start;
            if (slots_[stay.me].let_go.load(std::memory_order_relaxed)) next = free;
            progress.store(kStates * (phase + 1) + next, std::memory_order_release);
        }
        if (phase == phases_) break;
        step_aside(stay);
    }
    complete(phases_, stay);
}

// False where nothing is left to do.
bool PhaseGang::take_hold(Stay& stay) {
    std::atomic<std::int64_t>& progress = slots_[stay.me].progress;
    for (;;) {
        std::int64_t seen = progress.load(std::memory_order_acquire);
        if (done_of(seen) == phases_) return false;
        if (seen % kStates != free) {  // a helper has it for one more item
            _mm_pause();
            continue;
        }
        if (progress.compare_exchange_weak(seen, seen + held, std::memory_order_acq_rel))
            return true;
    }
}

// Its core is wanted by others too: its slice is left to whoever waits for it, until this worker is
// asked back; or nobody is at work: all may have been asked to let go, each by another.
void PhaseGang::step_aside(Stay& stay) {
    Slot& slot = slots_[stay.me];
    std::int64_t seen = done(stay.me);
    std::uint64_t since = ticks();
    while (slot.let_go.load(std::memory_order_relaxed)) {
        std::this_thread::yield();
        const std::int64_t now = done(stay.me);
        if (now == phases_) return;
        if (now != seen) {
            seen = now;
            since = ticks();
        } else if (ticks() - since > late_ticks(stay.item_ticks)) {
            slot.let_go.store(false, std::memory_order_relaxed);
        }
    }
}

// Returns when all slices have done `phase` items.
void PhaseGang::complete(std::int64_t phase, Stay& stay) {
    for (int i = 1; i < slices_; ++i) {
        const int other = stay.me + i < slices_ ? stay.me + i : stay.me + i - slices_;
        while (help(other, phase, stay)) {
        }
    }
    for (int slice = 0; slice < slices_; ++slice) {
        if (done(slice) < phase) await(slice, phase, stay);
    }
    if (stay.forgive_at != 0) forgive(stay);
}

// Does an item of a slice that nobody holds, if it is behind `phase`. The caller's own slice has
// done `phase` items, so all slices have done the one before.
bool PhaseGang::help(int slice, std::int64_t phase, const Stay& stay) {
    std::atomic<std::int64_t>& progress = slots_[slice].progress;
    std::int64_t seen = progress.load(std::memory_order_acquire);
    const std::int64_t item = done_of(seen);
    if (seen % kStates != free || item >= phase) return false;
    if (!progress.compare_exchange_strong(seen, seen + helped, std::memory_order_acq_rel))
        return true;
    stay.body(item, slice);
    progress.store(kStates * (item + 1) + free, std::memory_order_release);
    return true;
}

void PhaseGang::await(int slice, std::int64_t phase, Stay& stay) {
    for (int look = 0; look < kLooksBeforePause; ++look) {
        if (done(slice) >= phase) return;
    }
    const std::uint64_t start = ticks();
    for (int spin = 1; done(slice) < phase; ++spin) {
        if (help(slice, phase, stay)) continue;
        pause_or_yield(spin);
        const bool asked = slots_[slice].let_go.load(std::memory_order_relaxed);
        if (asked || stay.item_ticks == 0 || ticks() - start < late_ticks(stay.item_ticks))
            continue;
        // It may have been this thread that had no core.
        if (done(slice) < phase) ask_to_let_go(slice, stay);
    }
}

void PhaseGang::ask_to_let_go(int slice, Stay& stay) {
    slots_[slice].let_go.store(true, std::memory_order_relaxed);
    late_.store(true, std::memory_order_relaxed);
    stay.forgive_at = ticks() + stay.pause;
    stay.pause = std::min(2 * stay.pause, kLongestPause);
}

void PhaseGang::forgive(Stay& stay) {
    if (ticks() < stay.forgive_at) return;
    stay.forgive_at = 0;
    for (int i = 0; i < slices_; ++i) slots_[i].let_go.store(false, std::memory_order_relaxed);
}

}  // namespace rondo::cpu
