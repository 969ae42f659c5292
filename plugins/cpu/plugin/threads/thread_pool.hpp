// A pool of threads: slices of work for workers that spin, sleep, or may never come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/plugin/threads/pinning.hpp"

namespace rondo::cpu {

/// A steady clock, and sleep on a number in memory until another thread changes it. Tests have a
/// clock whose time they set.
class ThreadClock {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    virtual TimePoint now() = 0;

    /// Returns when woken after `number` has changed from `value`, or after `most`; never before.
    virtual void sleep_while(const std::atomic<int>& number, int value,
                             std::chrono::nanoseconds most) = 0;

    /// Wakes the thread that sleeps on `number`, which has been changed.
    virtual void wake(std::atomic<int>& number) = 0;

protected:
    ~ThreadClock() = default;  // clocks are not owned
};

/// The time of the system, which threads sleep by.
ThreadClock& system_clock();

/// One caller at a time offers a job: slices of work that workers, on another library's threads,
/// claim. A worker without work spins for kSpin, and starts a job that comes meanwhile within a
/// fraction of a microsecond; then it sleeps, which costs nothing; after kMaxSleep it returns its
/// thread. No thread waits for a worker that has taken nothing: the caller alone always finishes.
class ThreadPool {
public:
    static constexpr std::chrono::microseconds kSpin{35};
    static constexpr std::chrono::seconds kMaxSleep{10};
    static constexpr int kMaxSlices = 0xffff;

    /// `keep_apart`: workers are moved off the caller's core. The kernel often wakes a thread on
    /// the core of the thread that wakes it, where it would start milliseconds too late. `clock`
    /// outlives the pool.
    ThreadPool(int workers, bool keep_apart, ThreadClock& clock = system_clock());

    /// Calls body(0) .. body(slices - 1), each once, slice 0 on the calling thread. `start(worker)`
    /// requests that work(worker) runs on another thread, soon or never. The first exception of a
    /// body is thrown when all slices are done. From within a body, or while another thread is in
    /// run(), it does all on the calling thread, up to an exception. Only `start` may allocate; if
    /// it throws, that worker doesn't come.
    void run(int slices, FunctionRef<void(int)> body, FunctionRef<void(int)> start);

    /// Starts the workers that have no thread, for later jobs.
    void start_workers(FunctionRef<void(int)> start);

    /// Whether a worker spins.
    bool awake() const;

    /// What a worker does on its thread: returns when no work came for long or after stop().
    void work(int worker);

    /// For `start`: an object that lives until the worker that starts takes it.
    void keep_for(int worker, std::shared_ptr<void> kept);
    std::shared_ptr<void> take_kept(int worker);

    /// Ends the workers, and waits for those that have a thread.
    void stop();

private:
    // A futex waits on it. While it is `waking`, the thread that wakes the worker chooses its core.
    enum State : int { absent, starting, spinning, asleep, waking };
    struct alignas(kCacheLine) Worker {
        std::atomic<int> state{absent};
        std::shared_ptr<void> kept;
        ThreadAffinity affinity;  // of its thread; set before it first spins
    };
    // What has become of the job that is offered.
    struct alignas(kCacheLine) Result {
        std::atomic<int> done{0};
        std::atomic<bool> failed{false};
        std::exception_ptr failure;
    };

    void start_or_wake(int index, FunctionRef<void(int)> start);
    void wake(Worker& worker);
    bool work_one();
    void look_for_work(Worker& worker);
    void get_up(Worker& worker);
    bool in_other_process() const;
    bool sleep(Worker& worker);
    bool has_offer() const;
    void run_slice(int slice);
    void wait_for_others(int slices);
    void throw_failure();

    // The offer: 32 bits that count jobs, then 16 each: slices, and the first not taken.
    alignas(kCacheLine) std::atomic<std::uint64_t> offer_{0};
    FunctionRef<void(int)>* body_ = nullptr;  // of the job
    std::atomic<int> caller_core_{-1};
    Result result_;
    alignas(kCacheLine) std::atomic<bool> busy_{false};
    std::atomic<bool> stopped_{false};
    int workers_;
    bool keep_apart_;
    int process_;  // a child that was forked has none of the threads
    ThreadClock& clock_;
    std::unique_ptr<Worker[]> worker_;
};

}  // namespace rondo::cpu
