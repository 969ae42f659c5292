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

/// One caller at a time offers slices of work; workers on another library's threads claim them. A
/// worker without work spins for kLinger, and starts work that is offered meanwhile within a
/// fraction of a microsecond; then it sleeps, which costs nothing; after kStay it returns its
/// thread. No thread waits for a worker that has taken nothing: the caller alone always finishes.
class Crew {
public:
    static constexpr std::chrono::microseconds kLinger{35};
    static constexpr std::chrono::seconds kStay{10};
    static constexpr int kMaxSlices = 0xffff;

    /// `keep_apart`: workers are moved off the caller's core. The kernel often wakes a thread on
    /// the core of the thread that wakes it, where it would start milliseconds too late.
    Crew(int workers, bool keep_apart, std::chrono::milliseconds stay = kStay);

    /// Calls body(0) .. body(slices - 1), each once, slice 0 on the calling thread. `call(worker)`
    /// requests that attend(worker) runs on another thread, soon or never. The first exception of a
    /// body is thrown when all slices are done. From within a body, or while another thread is in
    /// run(), it does all on the calling thread, up to an exception. Only `call` may allocate; if
    /// it throws, that worker doesn't come.
    void run(int slices, FunctionRef<void(int)> body, FunctionRef<void(int)> call);

    /// Calls the workers that are away, for later offers.
    void bring(FunctionRef<void(int)> call);

    /// Whether a worker spins.
    bool awake() const;

    /// A worker's stay: works, and returns when no work came for long or after dismiss().
    void attend(int worker);

    /// For `call`: an object that lives until the called worker takes it.
    void keep_for(int worker, std::shared_ptr<void> kept);
    std::shared_ptr<void> take_kept(int worker);

    /// Ends the workers' stays, and waits for those that are here.
    void dismiss();

private:
    // A futex waits on it. While it is `waking`, whoever wakes the worker arranges its core.
    enum Presence : int { away, called, here, asleep, waking };
    struct alignas(kCacheLine) Worker {
        std::atomic<int> presence{away};
        std::shared_ptr<void> kept;
        ThreadAffinity affinity;  // of its thread; set before it is first here
    };

    void call_worker(int index, FunctionRef<void(int)> call);
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

    // The offer: 32 bits that count offers, then 16 each: slices, and the first not taken.
    alignas(kCacheLine) std::atomic<std::uint64_t> offer_{0};
    FunctionRef<void(int)>* body_ = nullptr;  // of the offer
    std::atomic<int> caller_core_{-1};
    alignas(kCacheLine) std::atomic<int> done_{0};
    std::atomic<bool> failed_{false};
    std::exception_ptr failure_;
    alignas(kCacheLine) std::atomic<bool> busy_{false};
    std::atomic<bool> dismissed_{false};
    int workers_;
    bool keep_apart_;
    int process_;  // a child that was forked has none of the threads
    std::chrono::milliseconds stay_;
    std::unique_ptr<Worker[]> worker_;
};

}  // namespace rondo::cpu
