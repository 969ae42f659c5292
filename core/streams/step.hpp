// One thing that a stream does in its turn: an inference, or a look at or change of its state; and
// queues of them that allocate nothing, since the steps are linked with each other.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rondo/stream_pool.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

class StreamRecord;
class StepOwner;
using StreamClock = std::chrono::steady_clock;

/// Counts its references, since handles and queues pass it on without allocating. One without any
/// is kept by its owner for the next push.
class StreamStep::Impl {
public:
    enum class Task : std::uint8_t {
        infer,
        warm_up,
        get_state,
        save_state,  ///< get_state that shows which variables have a value
        set_state,
        load_state,  ///< reset, and set_state
        reset,
        fork,
        close,
        cancel_waiting  ///< done when it arrives, before those in front of it
    };
    enum class Status : std::uint32_t { waiting, running, cancelled, done };
    using Values = std::map<std::string, Tensor>;

    void add_reference() { references_.fetch_add(1, std::memory_order_relaxed); }
    /// Gives it back to its owner if this was the last reference.
    void release();

    /// waiting -> running; false if it was cancelled.
    bool begin();
    /// -> done, and wakes those that wait. A step that was cancelled stays so; then it returns when
    /// that is done.
    void end(std::exception_ptr problem = nullptr);
    /// waiting -> done with a CancelledError of this reason; false if it had begun.
    bool cancel(const char* reason);

    bool is_done() const { return status_.load(std::memory_order_acquire) == Status::done; }
    bool is_waiting() const { return status_.load(std::memory_order_acquire) == Status::waiting; }
    /// Helps if nothing else is to be done, then waits.
    void wait();
    bool wait_until(StreamClock::time_point time);
    /// Rethrows the exception of a step that has ended.
    void check() const;

    /// For a new turn; the tensors stay, so that equal ones need no other memory.
    void start(StepOwner& owner, std::shared_ptr<StreamRecord> stream, Task task);

    // Owned by the pushing thread until the step is posted, then by the worker until it is done.
    Task task = Task::infer;
    bool may_run_here = true;  ///< the thread that waits may run it
    std::shared_ptr<StreamRecord> stream;
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    Values values;                         ///< of tasks that get or set the state
    std::shared_ptr<StreamRecord> forked;  ///< by fork
    Stream::Callback callback;
    StreamClock::time_point pushed;
    Impl* next = nullptr;  ///< in the queue that holds it

private:
    StepOwner* owner_ = nullptr;
    std::atomic<std::uint32_t> references_{1};
    std::atomic<Status> status_{Status::waiting};
    std::exception_ptr error_;
};

/// What a step asks of the worker that runs it. The step's stream keeps it alive.
class StepOwner {
public:
    virtual ~StepOwner() = default;

    /// Runs the step on this thread if no other thread runs steps, and nothing else is to be done.
    virtual void help(const StreamStep::Impl& step) = 0;
    /// True if the step has ended by `time`.
    virtual bool wait_until(const StreamStep::Impl& step, StreamClock::time_point time) = 0;
    /// Wakes those that wait with a limit of time, when a step has ended.
    virtual void notify_timed() = 0;
    /// Keeps a step without references. Throws nothing, as handles end with it.
    virtual void keep_spare(std::unique_ptr<StreamStep::Impl> step) = 0;
    /// Throws ModelError on a thread of a pool: waiting there would never end; and in a child
    /// process, which doesn't have the worker's thread.
    virtual void check_may_wait() const = 0;
};

/// A counted reference to a step.
class StepRef {
public:
    StepRef() = default;
    explicit StepRef(StreamStep::Impl* step) : step_(step) {}
    StepRef(StepRef&& other) noexcept : step_(std::exchange(other.step_, nullptr)) {}
    StepRef& operator=(StepRef&& other) noexcept {
        std::swap(step_, other.step_);
        return *this;
    }
    ~StepRef() {
        if (step_ != nullptr) step_->release();
    }
    StreamStep::Impl* operator->() const { return step_; }
    StreamStep::Impl& operator*() const { return *step_; }
    StreamStep::Impl* get() const { return step_; }
    /// Hands the reference over.
    StreamStep::Impl* detach() { return std::exchange(step_, nullptr); }

private:
    StreamStep::Impl* step_ = nullptr;
};

/// First in, first out; for one thread at a time.
class StepQueue {
public:
    StreamStep::Impl* front() const { return first_; }
    bool empty() const { return first_ == nullptr; }
    std::size_t size() const { return size_; }

    void push(StreamStep::Impl* step) {
        step->next = nullptr;
        (last_ != nullptr ? last_->next : first_) = step;
        last_ = step;
        ++size_;
    }

    StreamStep::Impl* pop() {
        StreamStep::Impl* step = first_;
        first_ = step->next;
        if (first_ == nullptr) last_ = nullptr;
        --size_;
        return step;
    }

private:
    StreamStep::Impl* first_ = nullptr;
    StreamStep::Impl* last_ = nullptr;
    std::size_t size_ = 0;
};

/// Any thread pushes, one at a time takes; without locks. Steps of one thread keep their order.
class StepInbox {
public:
    void push(StreamStep::Impl* step) {
        StreamStep::Impl* top = top_.load(std::memory_order_relaxed);
        do {
            step->next = top;
        } while (!top_.compare_exchange_weak(top, step, std::memory_order_seq_cst,
                                             std::memory_order_relaxed));
    }

    bool empty() const { return top_.load(std::memory_order_seq_cst) == nullptr; }

    /// All steps, linked by `next`, the first one pushed in front; or null.
    StreamStep::Impl* take() {
        StreamStep::Impl* top = top_.exchange(nullptr, std::memory_order_acquire);
        StreamStep::Impl* first = nullptr;
        while (top != nullptr) {
            StreamStep::Impl* below = top->next;
            top->next = first;
            first = top;
            top = below;
        }
        return first;
    }

private:
    std::atomic<StreamStep::Impl*> top_{nullptr};
};

}  // namespace rondo
