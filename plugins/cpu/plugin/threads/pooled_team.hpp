// What teams over a ThreadPool have in common, wherever the threads come from.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>

#include "plugins/cpu/kernels/threads/team.hpp"
#include "plugins/cpu/kernels/threads/waiting.hpp"
#include "plugins/cpu/plugin/threads/thread_pool.hpp"

namespace rondo::cpu {

/// Used by one thread at a time.
class Pace {
public:
    using Clock = std::chrono::steady_clock;
    /// From the end of one call to the start of the next: within what a worker stays awake. The
    /// calls themselves may be longer, so time is counted from one start to the next.
    static constexpr std::chrono::microseconds kBrisk{200};
    static constexpr int kCalls = 8;

    /// Call it once a call: true from the kCalls-th call on that came within kBrisk of the previous
    /// one.
    bool is_brisk() { return is_brisk(Clock::now()); }

    /// The same for a given time.
    bool is_brisk(Clock::time_point now) {
        calls_ = now - last_ < kBrisk ? std::min(calls_ + 1, kCalls) : 0;
        last_ = now;
        return calls_ >= kCalls;
    }

private:
    Clock::time_point last_;
    int calls_ = 0;
};

/// One caller at a time. A derived class stops the pool in its destructor.
class PooledTeam : public Team {
public:
    int size() const override { return size_; }

    // The first call creates threads. Later calls don't allocate, unless the team was idle longer
    // than ThreadPool::kMaxSleep.
    TeamState state() override {
        if (back_off_.pausing()) return TeamState::alone;
        if (!started_) {
            started_ = true;
            pool_->start_workers([this](int worker) { start(worker); });
        }
        const bool brisk = pace_.is_brisk();
        return pool_->awake() || brisk ? TeamState::awake : TeamState::asleep;
    }

    std::uint64_t late_credit() const override { return credit_.left(); }

    void note_late(std::uint64_t lost) override {
        if (!credit_.pay(lost)) back_off_.note_late();
    }

    void run(int slices, FunctionRef<void(int)> body) override {
        if (slices <= 1 || back_off_.pausing()) {
            for (int slice = 0; slice < slices; ++slice) body(slice);
            return;
        }
        before_run();
        const std::uint64_t start_ticks = ticks();
        pool_->run(slices, body, [this](int worker) { start(worker); });
        credit_.add_work(ticks() - start_ticks);
    }

protected:
    /// `size` as users see it. `workers` besides the caller, `keep_apart`: see ThreadPool.
    PooledTeam(int size, int workers, bool keep_apart)
        : size_(size), pool_(std::make_shared<ThreadPool>(workers, keep_apart)) {}

    /// Soon or never runs ThreadPool::work(worker) on another thread, which keeps the pool alive.
    virtual void start(int worker) = 0;
    virtual void before_run() {}

    const std::shared_ptr<ThreadPool>& pool() const { return pool_; }

private:
    // A run whose worker is late takes about a millisecond more: a few per cent of this.
    static constexpr std::chrono::milliseconds kFirstPause{32};

    int size_;
    std::shared_ptr<ThreadPool> pool_;
    BackOff back_off_{kFirstPause};
    LateCredit credit_;
    Pace pace_;
    bool started_ = false;
};

}  // namespace rondo::cpu
