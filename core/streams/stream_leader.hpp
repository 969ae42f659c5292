// Takes in steps, forms batches of them, and runs those.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <vector>

#include "core/streams/batch_runner.hpp"
#include "core/streams/pool_settings.hpp"
#include "core/streams/state_store.hpp"
#include "core/streams/step.hpp"
#include "core/streams/stream_queues.hpp"

namespace rondo {

/// The part of a StreamWorker that one thread at a time uses.
class StreamLeader {
public:
    using Step = StreamStep::Impl;
    using Time = StreamClock::time_point;
    /// The time of a run that only a step makes necessary.
    static constexpr Time kForever = Time::max();

    /// All must outlive this object. Throws what making an executor throws.
    StreamLeader(const PoolSettings& settings, StateStore& states, WorkerCounts& counts,
                 StepOwner& owner);

    /// Runs all steps, those that arrive meanwhile too, until there are none or `stopping` is true.
    /// Returns when it wants to run again even if no step arrives by then.
    Time run(StepInbox& inbox, const std::atomic<bool>& stopping);
    /// Runs the step if it is the only one. True if all is done.
    bool run_only(const Step& step, StepInbox& inbox);
    /// True if no step that was taken in waits.
    bool is_idle() const { return ready_.empty() && to_call_back_.empty(); }
    /// Ends all steps with CancelledError.
    void cancel_all(StepInbox& inbox);
    /// Streams that were never closed. They are kept until then.
    void forget_streams();
    /// Stops an inference that runs; from any thread.
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

private:
    void take_in(StepInbox& inbox);
    void take_in(Step* step);
    void cancel_waiting(Step* order);
    void drop_surplus(StreamRecord& stream);
    void make_ready(const std::shared_ptr<StreamRecord>& stream);
    void refuse(StreamRecord& stream, const std::exception_ptr& problem);
    Step* next_step(StreamRecord& stream);
    void do_task(Step& step);
    void fork(Step& step);
    void warm_up(Step& step);
    void close(StreamRecord& stream);
    void end(Step* step, std::exception_ptr problem = nullptr);
    void drop(Step* step, std::exception_ptr problem = nullptr);
    Time start_of_batch(Time now) const;
    bool another_may_join(Time now) const;
    void form_batch();
    void run_batch();
    void run_each();
    void end_batch(Time begin);
    void call_back();
    Time close_idle();

    const PoolSettings& settings_;
    StateStore& states_;
    WorkerCounts& counts_;
    StepOwner& owner_;
    std::atomic<bool> cancelled_{false};
    BatchRunner runner_;
    ReadyStreams ready_;
    StreamAges ages_;
    std::vector<Step*> batch_;
    std::vector<std::exception_ptr> problems_;  // of the batch's steps
    std::vector<ReadyStreams::Entry> set_aside_;
    StepQueue to_call_back_;  // each with a reference
};

}  // namespace rondo
