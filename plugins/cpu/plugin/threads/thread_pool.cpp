#include "plugins/cpu/plugin/threads/thread_pool.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdint>
#include <ctime>

#include "plugins/cpu/kernels/threads/waiting.hpp"

namespace rondo::cpu {
namespace {

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

ThreadPool::ThreadPool(int workers, bool keep_apart, ThreadClock& clock)
    : workers_(workers),
      keep_apart_(keep_apart),
      process_(::getpid()),
      clock_(clock),
      worker_(new Worker[static_cast<std::size_t>(workers)]) {}

void ThreadPool::run(int slices, FunctionRef<void(int)> body, FunctionRef<void(int)> start) {
    if (slices > kMaxSlices || busy_.exchange(true, std::memory_order_acquire)) {
        for (int slice = 0; slice < slices; ++slice) body(slice);
        return;
    }
    body_ = &body;
    result_.done.store(0, std::memory_order_relaxed);
    Offer offer(offer_.load(std::memory_order_relaxed));
    ++offer.number;
    offer.slices = slices;
    offer.next = 1;
    // Sequentially consistent, like sleep(): either a worker that goes to sleep sees the offer, or
    // the caller sees that it sleeps.
    offer_.store(offer.word());
    for (int i = 0; i < std::min(slices - 1, workers_); ++i) start_or_wake(i, start);
    run_slice(0);
    while (work_one()) {
    }
    wait_for_others(slices);
    if (result_.failed.load(std::memory_order_relaxed)) throw_failure();
    busy_.store(false, std::memory_order_release);
}

void ThreadPool::throw_failure() {
    const std::exception_ptr failure = std::exchange(result_.failure, nullptr);
    result_.failed.store(false, std::memory_order_relaxed);
    busy_.store(false, std::memory_order_release);
    std::rethrow_exception(failure);
}

void ThreadPool::start_workers(FunctionRef<void(int)> start) {
    for (int i = 0; i < workers_; ++i) start_or_wake(i, start);
}

void ThreadPool::start_or_wake(int index, FunctionRef<void(int)> start) {
    std::atomic<int>& state = worker_[index].state;
    int seen = state.load();
    if (seen == asleep) return wake(worker_[index]);
    if (seen != absent) return;
    if (keep_apart_) caller_core_.store(::sched_getcpu(), std::memory_order_relaxed);
    if (!state.compare_exchange_strong(seen, starting)) return;
    try {
        start(index);
    } catch (...) {  // out of memory, say: the caller has fewer workers
        worker_[index].kept.reset();
        state.store(absent);
    }
}

void ThreadPool::wake(Worker& worker) {
    if (in_other_process()) return;
    int seen = asleep;
    if (!worker.state.compare_exchange_strong(seen, waking)) return;
    if (keep_apart_) {
        worker.affinity = affinity_of(worker.affinity.thread);  // it may have changed
        keep_off_core(worker.affinity, ::sched_getcpu());
    }
    worker.state.store(spinning);
    clock_.wake(worker.state);
}

bool ThreadPool::in_other_process() const { return ::getpid() != process_; }

// An offer stays as long as one of its slices is not done, so a slice that was taken is valid.
bool ThreadPool::work_one() {
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

void ThreadPool::run_slice(int slice) {
    try {
        (*body_)(slice);
    } catch (...) {
        if (!result_.failed.exchange(true, std::memory_order_relaxed)) {
            result_.failure = std::current_exception();
        }
    }
    result_.done.fetch_add(1, std::memory_order_acq_rel);
}

void ThreadPool::wait_for_others(int slices) {
    const std::uint64_t start = ticks();
    while (result_.done.load(std::memory_order_acquire) < slices) pause_or_offer(start);
}

bool ThreadPool::has_offer() const {
    const Offer offer(offer_.load());
    return offer.next < offer.slices;
}

void ThreadPool::keep_for(int worker, std::shared_ptr<void> kept) {
    worker_[worker].kept = std::move(kept);
}

std::shared_ptr<void> ThreadPool::take_kept(int worker) { return std::move(worker_[worker].kept); }

bool ThreadPool::awake() const {
    for (int i = 0; i < workers_; ++i) {
        if (worker_[i].state.load(std::memory_order_relaxed) == spinning) return true;
    }
    return false;
}

void ThreadPool::work(int index) {
    Worker& worker = worker_[index];
    const ThreadAffinity affinity = own_affinity();
    worker.affinity = affinity;
    const int core = caller_core_.load(std::memory_order_relaxed);
    if (keep_apart_ && core == ::sched_getcpu()) {
        keep_off_core(affinity, core);  // moves it at once
        restore(affinity);
    }
    worker.state.store(spinning);
    look_for_work(worker);
}

void ThreadPool::look_for_work(Worker& worker) {
    ThreadClock::TimePoint rest = clock_.now() + kSpin;
    int looks = 0;
    while (!stopped_.load(std::memory_order_relaxed)) {
        if (work_one()) {
            rest = clock_.now() + kSpin;
            continue;
        }
        spin_pause();
        if (++looks < kLooksPerClock) continue;
        looks = 0;
        if (clock_.now() < rest) continue;
        if (!sleep(worker)) return;
        rest = clock_.now() + kSpin;
    }
    worker.state.store(absent);
}

// Returns false if it has slept for kMaxSleep and is absent now.
bool ThreadPool::sleep(Worker& worker) {
    worker.state.store(asleep);
    int seen = asleep;
    if (has_offer() || stopped_.load()) {
        if (!worker.state.compare_exchange_strong(seen, spinning)) get_up(worker);
        return true;
    }
    clock_.sleep_while(worker.state, asleep, kMaxSleep);
    if (worker.state.compare_exchange_strong(seen, absent)) return false;
    get_up(worker);
    return true;
}

// Another thread wakes it: wake() has chosen the core, or will do so.
void ThreadPool::get_up(Worker& worker) {
    while (worker.state.load() == waking) spin_pause();
    if (keep_apart_) restore(worker.affinity);
}

void ThreadPool::stop() {
    stopped_.store(true);
    if (in_other_process()) return;
    for (int i = 0; i < workers_; ++i) {
        for (;;) {
            const int seen = worker_[i].state.load();
            if (seen == absent || seen == starting) break;
            if (seen == asleep) wake(worker_[i]);
            std::this_thread::yield();
        }
    }
}

namespace {

using Clock = std::chrono::steady_clock;

static_assert(sizeof(std::atomic<int>) == sizeof(int), "the kernel compares an int");

class SystemClock final : public ThreadClock {
public:
    TimePoint now() override { return Clock::now(); }

    void sleep_while(const std::atomic<int>& number, int value,
                     std::chrono::nanoseconds most) override {
        const TimePoint end = now() + most;
        while (number.load() == value) {
            const std::chrono::nanoseconds left = end - now();
            if (left.count() <= 0) return;
            constexpr std::int64_t kBillion = 1'000'000'000;
            const timespec wait{static_cast<time_t>(left.count() / kBillion),
                                static_cast<long>(left.count() % kBillion)};
            ::syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, value, &wait, nullptr, 0);
        }
    }

    void wake(std::atomic<int>& number) override {
        ::syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
};

}  // namespace

ThreadClock& system_clock() {
    static SystemClock clock;
    return clock;
}

}  // namespace rondo::cpu
