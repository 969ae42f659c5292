#include "plugins/cpu/kernels/phase_gang.hpp"

#include <immintrin.h>

#include <new>
#include <thread>

namespace rondo::cpu {
namespace {

// How long the item of a worker that has arrived is left to it: some microseconds.
constexpr int kGraceSpins = 200;
// Then the claimer has probably lost its core, perhaps to the one that waits.
constexpr int kSpinsBeforeYield = 2000;

}  // namespace

PhaseGang::PhaseGang(int slices, std::int64_t phases, void* memory)
    : slices_(slices), phases_(phases), slots_(static_cast<Slot*>(memory)) {
    for (int i = 0; i <= slices; ++i) new (slots_ + i) Slot{0, false};
    done_ = &slots_[slices].next_phase;
}

void PhaseGang::run(Team& team, FunctionRef<void(std::int64_t, int)> body) {
    team.run(slices_, [&](int me) { work(me, body); });
}

// An item of phase p can be claimed only once p - 1 is complete: its slot then holds p, and p is
// not complete before it is claimed. So a claim never meets a later phase.
bool PhaseGang::claim_and_run(std::int64_t phase, int slice,
                              FunctionRef<void(std::int64_t, int)> body) {
    std::int64_t expected = phase;
    if (slots_[slice].next_phase.load(std::memory_order_relaxed) != phase) return false;
    if (!slots_[slice].next_phase.compare_exchange_strong(expected, phase + 1)) return false;
    body(phase, slice);
    done_->fetch_add(1, std::memory_order_acq_rel);
    return true;
}

void PhaseGang::help(std::int64_t phase, int me, FunctionRef<void(std::int64_t, int)> body) {
    for (int i = 1; i < slices_; ++i) {
        const int other = (me + i) % slices_;
        if (slots_[other].present.load(std::memory_order_relaxed)) {
            for (int spin = 0; spin < kGraceSpins; ++spin) {
                if (slots_[other].next_phase.load(std::memory_order_relaxed) != phase) break;
                _mm_pause();
            }
        }
        claim_and_run(phase, other, body);
    }
}

void PhaseGang::work(int me, FunctionRef<void(std::int64_t, int)> body) {
    slots_[me].present.store(true, std::memory_order_relaxed);
    // A late worker joins at the phase that is going on.
    for (std::int64_t phase = items_done() / slices_; phase < phases_; ++phase) {
        claim_and_run(phase, me, body);
        help(phase, me, body);
        for (int spin = 0; items_done() < (phase + 1) * slices_; ++spin) {
            spin < kSpinsBeforeYield ? _mm_pause() : std::this_thread::yield();
        }
    }
}

}  // namespace rondo::cpu
