#include "plugins/cpu/plugin/threads/crew.hpp"

#include <immintrin.h>

#include <algorithm>
#include <thread>
#include <utility>

#include <sched.h>
#include <unistd.h>

#include "plugins/cpu/kernels/threads/waiting.hpp"
#include "plugins/cpu/plugin/threads/thread_sleep.hpp"

namespace rondo::cpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSliceBits = 16;
constexpr std::uint64_t kSliceMask = 0xffff;
// The clock is read once in so many reads of the offer: about a microsecond.
constexpr int kLooksPerClock = 16;

struct Offer {
    std::uint64_t number;
    int slices;
    int next;

    explicit Offer(std::uint64_t word)
        : number(word >> (2 * kSliceBits)),
          slices(static_cast<int>(word >> kSliceBits & kSliceMask)),
          next(static_cast<int>(word & kSliceMask)) {}

    std::uint64_t word() const {
        return number << (2 * kSliceBits) | static_cast<std::uint64_t>(slices) << kSliceBits |
               static_cast<std::uint64_t>(next);
    }
};

}  // namespace

Crew::Crew(int workers, bool keep_apart, std::chrono::milliseconds stay)
    : workers_(workers),
      keep_apart_(keep_apart),
      process_(::getpid()),
      stay_(stay),
      worker_(new Worker[static_cast<std::size_t>(workers)]) {}

void Crew::run(int slices, FunctionRef<void(int)> body, FunctionRef<void(int)> call) {
    if (slices > kMaxSlices || busy_.exchange(true, std::memory_order_acquire)) {
        for (int slice = 0; slice < slices; ++slice) body(slice);
        return;
    }
    body_ = &body;
    done_.store(0, std::memory_order_relaxed);
    Offer offer(offer_.load(std::memory_order_relaxed));
    ++offer.number;
    offer.slices = slices;
    offer.next = 1;
    // Sequentially consistent, like sleep(): either a worker that goes to sleep sees the offer, or
    // the caller sees that it sleeps.
    offer_.store(offer.word());
    for (int i = 0; i < std::min(slices - 1, workers_); ++i) call_worker(i, call);
    run_slice(0);
    while (work_one()) {
    }
    wait_for_others(slices);
    if (failed_.load(std::memory_order_relaxed)) throw_failure();
    busy_.store(false, std::memory_order_release);
}

void Crew::throw_failure() {
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    failed_.store(false, std::memory_order_relaxed);
    busy_.store(false, std::memory_order_release);
    std::rethrow_exception(failure);
}

void Crew::bring(FunctionRef<void(int)> call) {
    for (int i = 0; i < workers_; ++i) call_worker(i, call);
}

void Crew::call_worker(int index, FunctionRef<void(int)> call) {
    std::atomic<int>& state = worker_[index].presence;
    int presence = state.load();
    if (presence == asleep) return wake(worker_[index]);
    if (presence != away) return;
    if (keep_apart_) caller_core_.store(::sched_getcpu(), std::memory_order_relaxed);
    if (!state.compare_exchange_strong(presence, called)) return;
    try {
        call(index);
    } catch (...) {  // out of memory, say: the caller has fewer workers
        worker_[index].kept.reset();
        state.store(away);
    }
}

void Crew::wake(Worker& worker) {
    if (in_other_process()) return;
    int presence = asleep;
    if (!worker.presence.compare_exchange_strong(presence, waking)) return;
    if (keep_apart_) {
        worker.affinity = affinity_of(worker.affinity.thread);  // it may have changed
        keep_off_core(worker.affinity, ::sched_getcpu());
    }
    worker.presence.store(here);
    wake_sleeper(worker.presence);
}

bool Crew::in_other_process() const { return ::getpid() != process_; }

// An offer stays as long as one of its slices is not done, so a slice that was taken is valid.
bool Crew::work_one() {
    std::uint64_t word = offer_.load(std::memory_order_acquire);
    for (;;) {
        Offer offer(word);
        if (offer.next >= offer.slices) return false;
        const int slice = offer.next++;
        if (offer_.compare_exchange_weak(word, offer.word(), std::memory_order_acq_rel,
                                         std::memory_order_acquire)) {
            run_slice(slice);
            return true;
        }
    }
}

void Crew::run_slice(int slice) {
    try {
        (*body_)(slice);
    } catch (...) {
        if (!failed_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
    }
    done_.fetch_add(1, std::memory_order_acq_rel);
}

void Crew::wait_for_others(int slices) {
    for (int spin = 0; done_.load(std::memory_order_acquire) < slices; ++spin) {
        pause_or_yield(spin);
    }
}

bool Crew::has_offer() const {
    const Offer offer(offer_.load());
    return offer.next < offer.slices;
}

void Crew::keep_for(int worker, std::shared_ptr<void> kept) {
    worker_[worker].kept = std::move(kept);
}

std::shared_ptr<void> Crew::take_kept(int worker) { return std::move(worker_[worker].kept); }

bool Crew::awake() const {
    for (int i = 0; i < workers_; ++i) {
        if (worker_[i].presence.load(std::memory_order_relaxed) == here) return true;
    }
    return false;
}

void Crew::attend(int index) {
    Worker& worker = worker_[index];
    const ThreadAffinity affinity = own_affinity();
    worker.affinity = affinity;
    const int core = caller_core_.load(std::memory_order_relaxed);
    if (keep_apart_ && core == ::sched_getcpu()) {
        keep_off_core(affinity, core);  // moves it at once
        restore(affinity);
    }
    worker.presence.store(here);
    look_for_work(worker);
}

void Crew::look_for_work(Worker& worker) {
    Clock::time_point rest = Clock::now() + kLinger;
    int looks = 0;
    while (!dismissed_.load(std::memory_order_relaxed)) {
        if (work_one()) {
            rest = Clock::now() + kLinger;
            continue;
        }
        _mm_pause();
        if (++looks < kLooksPerClock) continue;
        looks = 0;
        if (Clock::now() < rest) continue;
        if (!sleep(worker)) return;
        rest = Clock::now() + kLinger;
    }
    worker.presence.store(away);
}

// Returns false if it has slept for its whole stay and is away now.
bool Crew::sleep(Worker& worker) {
    worker.presence.store(asleep);
    int presence = asleep;
    if (has_offer() || dismissed_.load()) {
        if (!worker.presence.compare_exchange_strong(presence, here)) get_up(worker);
        return true;
    }
    sleep_while(worker.presence, asleep, stay_);
    if (worker.presence.compare_exchange_strong(presence, away)) return false;
    get_up(worker);
    return true;
}

// Another thread wakes it: wake() has chosen the core, or will do so.
void Crew::get_up(Worker& worker) {
    while (worker.presence.load() == waking) _mm_pause();
    if (keep_apart_) restore(worker.affinity);
}

void Crew::dismiss() {
    dismissed_.store(true);
    if (in_other_process()) return;
    for (int i = 0; i < workers_; ++i) {
        for (;;) {
            const int presence = worker_[i].presence.load();
            if (presence == away || presence == called) break;
            if (presence == asleep) wake(worker_[i]);
            std::this_thread::yield();
        }
    }
}

}  // namespace rondo::cpu
