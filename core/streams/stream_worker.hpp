// Runs the steps of a part of a pool's streams, one batch after the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/streams/pool_settings.hpp"
#include "core/streams/state_store.hpp"
#include "core/streams/step.hpp"
#include "core/streams/stream_leader.hpp"

namespace rondo {

/// Any thread posts steps, without locks. One thread at a time leads: it takes in what was posted,
/// forms batches and runs them. Mostly that is the worker's own thread; a thread that waits for the
/// only step there is leads for that one.
class StreamWorker final : public StepOwner, public std::enable_shared_from_this<StreamWorker> {
public:
    /// `number` of the worker in its pool. Throws what making an executor throws.
    StreamWorker(std::shared_ptr<const PoolSettings> settings, std::size_t number);
    ~StreamWorker() override;
    StreamWorker(const StreamWorker&) = delete;
    StreamWorker& operator=(const StreamWorker&) = delete;

    /// Starts the thread, which keeps the worker alive until stop().
    void start();
    /// Cancels what runs and waits. To be called once, from the owner; from the worker's own thread
    /// it returns before that ends.
    void stop();
    /// Runs what waits, and then stops. To be called instead of stop(), once no stream is left that
    /// could push; from the worker's own thread it returns before that ends.
    void finish();
    bool is_stopped() const { return stopping_.load(std::memory_order_seq_cst); }

    /// A step for a new turn, with one reference for the caller.
    StepRef make_step(std::shared_ptr<StreamRecord> stream, StreamStep::Impl::Task task);
    /// Without `wakes`, the caller will wait() for the step. False if the worker has stopped:
    /// the step is dropped, and its callback isn't called.
    bool post(StepRef step, bool wakes);
    void help(const StreamStep::Impl& step) override;
    bool wait_until(const StreamStep::Impl& step, StreamClock::time_point time) override;
    void notify_timed() override;
    void keep_spare(std::unique_ptr<StreamStep::Impl> step) override;
    void check_may_wait() const override;
    /// False in a child process.
    bool is_in_its_process() const;
    /// Throws ModelError in a child process, which doesn't have the worker's thread.
    void check_process() const;
    /// A new stream of this worker.
    std::shared_ptr<StreamRecord> open_stream(const StreamOptions& options);
    /// Closes it before the next stream is opened: for a lack of memory.
    void close_later(std::shared_ptr<StreamRecord> stream) noexcept;

    const PoolSettings& settings() const { return *settings_; }
    StateStore& states() { return states_; }
    WorkerCounts& counts() { return counts_; }

private:
    using Step = StreamStep::Impl;
    using Time = StreamClock::time_point;

    void work();
    void sleep_until(Time time);
    void wake();
    void leave_thread();
    void join();
    void end();
    std::shared_ptr<StreamRecord> take_left();
    void close_left();
    bool try_lead();
    void stop_leading();

    const std::shared_ptr<const PoolSettings> settings_;
    const std::size_t number_;
    const unsigned process_;  // its fork_count()
    StateStore states_;
    WorkerCounts counts_;

    StepInbox inbox_;
    std::atomic<std::size_t> posting_{0};  // threads that are about to push into it, or not
    std::atomic<bool> leading_{false};
    std::atomic<bool> stopping_{false};
    std::atomic<bool> finishing_{false};
    std::atomic<bool> has_left_over_{false};  // a thread that helped leaves work to the worker's

    StreamLeader leader_;

    std::mutex mutex_;  // of what follows
    std::condition_variable rise_;
    bool must_rise_ = false;
    std::atomic<bool> sleeping_{false};  // also read without the mutex

    std::atomic<int> timed_waiters_{0};
    std::mutex timed_mutex_;
    std::condition_variable timed_;

    std::mutex spare_mutex_;
    std::vector<std::unique_ptr<Step>> spare_;
    std::mutex left_mutex_;
    std::shared_ptr<StreamRecord> left_;  // to be closed as soon as there is memory for the step
    std::thread thread_;
};

}  // namespace rondo
