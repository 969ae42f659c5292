// Many live sequences on one compiled model: steps of several streams run as one batch.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rondo/export.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// What happens to a step that is pushed while `queue_limit` steps of its stream wait.
enum class Overflow : std::uint8_t {
    reject,      ///< push() throws QueueFullError
    block,       ///< push() waits until there is room
    drop_oldest  ///< the stream's oldest waiting step ends with CancelledError
};

/// Options of CompiledModel::create_stream_pool().
struct StreamPoolOptions {
    /// Streams of one inference. The results of a stream don't depend on the others.
    std::size_t max_batch = 64;
    /// How long a step may wait for steps of other streams, which makes larger batches. Steps that
    /// arrive while a batch runs form the next one in any case, and a lone stream never waits.
    std::chrono::microseconds max_delay{0};
    /// Inferences that run at once; 0: as many as the model was compiled for.
    std::size_t threads = 0;
    /// open() throws QueueFullError beyond this number of streams; 0: any number.
    std::size_t max_streams = 0;
    /// Steps of one stream that may wait; 0: any number.
    std::size_t queue_limit = 64;
    Overflow overflow = Overflow::reject;
    /// A stream is closed if it had no step for this time; 0: never. push() then throws ModelError;
    /// a step that it has returned runs.
    std::chrono::milliseconds idle_timeout{0};
};

/// Options of StreamPool::open().
struct StreamOptions {
    /// Steps of streams of higher priority run first.
    int priority = 0;
    /// The time from push() to the result that is wanted. Steps of equal priority run in the order
    /// in which these times end; a step that waited for an earlier one of its stream counts from
    /// the end of that one, so that a late stream can't hold up the others.
    std::chrono::microseconds deadline{10000};
};

/// What a pool has done, from its creation on.
struct StreamPoolStats {
    std::uint64_t steps = 0;     ///< that ended with outputs
    std::uint64_t failed = 0;    ///< that ended with an exception of the inference
    std::uint64_t dropped = 0;   ///< that were cancelled, or dropped from a full queue
    std::uint64_t rejected = 0;  ///< pushes that threw QueueFullError
    std::uint64_t batches = 0;
    std::uint64_t late = 0;                   ///< steps that ended past their deadline
    std::vector<std::uint64_t> batch_counts;  ///< at [n]: how many batches had n steps
    std::size_t streams = 0;                  ///< that are open
    std::size_t waiting = 0;                  ///< steps that wait or run
    /// From push() to the outputs; the quantiles are at most 4 % too large.
    std::chrono::nanoseconds latency_p50{0};
    std::chrono::nanoseconds latency_p90{0};
    std::chrono::nanoseconds latency_p99{0};
    std::chrono::nanoseconds latency_max{0};
    /// The share of the time, from 0 to 1, in which the pool's threads ran inferences.
    double occupancy = 0;
    /// Why steps aren't batched; empty if they are.
    std::string why_not_batched;
};

/// One step of a stream: what push() returns. A handle: copies share the step.
class RONDO_API StreamStep {
public:
    class Impl;
    StreamStep() = default;
    StreamStep(const StreamStep& other);
    StreamStep(StreamStep&& other) noexcept : impl_(other.impl_) { other.impl_ = nullptr; }
    StreamStep& operator=(StreamStep other) noexcept;
    ~StreamStep();
    /// For Rondo's own code: takes over one reference.
    explicit StreamStep(Impl* impl) : impl_(impl) {}

    explicit operator bool() const { return impl_ != nullptr; }

    /// Returns when the step has ended; rethrows the inference's exception, or CancelledError.
    void wait() const;
    /// True if it ended within `timeout`, however.
    bool wait_for(std::chrono::microseconds timeout) const;
    bool is_done() const { return wait_for(std::chrono::microseconds(0)); }

    /// Waits as wait() does. The batch extent is 1. The tensor is the caller's.
    Tensor get_tensor(const std::string& output) const;
    Tensor get_output_tensor(std::size_t index = 0) const;

    /// A step that hasn't begun ends with CancelledError, and the stream goes on after it.
    void cancel();

private:
    Impl* impl_ = nullptr;
};

/// One live sequence: its steps run in their order, each from the state that the one before left.
/// Thread-safe. A handle: copies share the stream, and it is closed when the last one goes.
class RONDO_API Stream {
public:
    class Impl;
    using Callback = std::function<void(const StreamStep&)>;
    Stream() = default;
    explicit Stream(std::shared_ptr<Impl> impl) : impl_((std::move)(impl)) {}

    explicit operator bool() const { return impl_ != nullptr; }

    /// Queues a step. `inputs`: in the order of the model's inputs, or by name, with an extent of 1
    /// along the batch axis; they are copied. Throws ModelError if one doesn't fit or is
    /// missing.
    StreamStep push(const std::vector<Tensor>& inputs);
    StreamStep push(std::initializer_list<Tensor> inputs) { return push(std::vector(inputs)); }
    StreamStep push(const std::map<std::string, Tensor>& inputs);
    /// `callback` is called with the ended step on one of the pool's threads; it must not throw,
    /// and may push.
    StreamStep push(const std::vector<Tensor>& inputs, Callback callback);
    StreamStep push(const std::map<std::string, Tensor>& inputs, Callback callback);
    /// push() and wait(), on the calling thread if nothing else waits.
    StreamStep infer(const std::vector<Tensor>& inputs);
    StreamStep infer(std::initializer_list<Tensor> inputs) { return infer(std::vector(inputs)); }
    StreamStep infer(const std::map<std::string, Tensor>& inputs);

    /// The variables by their names, after all steps that were pushed; their batch extent is 1.
    std::map<std::string, Tensor> state() const;
    /// Steps that are pushed from now on start from these values; variables that aren't named keep
    /// theirs. Throws ModelError if one doesn't fit.
    void set_state(const std::map<std::string, Tensor>& state);
    /// The whole state as bytes (u8[size]), after all steps that were pushed: for load_state() of
    /// a stream of the same model, in this process or another one.
    Tensor save_state() const;
    /// Steps that are pushed from now on go on from where the stream was that save_state() was
    /// called for. Throws ModelError for damaged bytes, or those of another model.
    void load_state(const Tensor& bytes);
    /// Steps that are pushed from now on start as those of a new stream do.
    void reset();
    /// Another stream that goes on from this one's state, after all steps that were pushed.
    Stream fork() const;

    /// Cancels the steps that wait.
    void cancel();
    /// The steps that were pushed still run; others can't be pushed.
    void close();
    bool is_open() const;

private:
    std::shared_ptr<Impl> impl_;
};

/// Runs the steps of many streams on one compiled model, whose variables are kept for each stream.
/// If the model's rows are independent (`rondo info --rows` shows it), the steps of several
/// streams run as one inference, with the same bits as alone; otherwise one by one. Thread-safe. A
/// handle: copies share the pool, and its streams keep it alive. When the last handle of the pool
/// and its streams goes, it waits until the steps that were pushed have ended; on a thread of the
/// pool it doesn't wait.
class RONDO_API StreamPool {
public:
    class Impl;
    StreamPool() = default;
    explicit StreamPool(std::shared_ptr<Impl> impl) : impl_((std::move)(impl)) {}

    explicit operator bool() const { return impl_ != nullptr; }

    /// Throws QueueFullError if `max_streams` are open.
    Stream open(const StreamOptions& options = {});
    StreamPoolStats stats() const;
    /// Plans inferences of `steps` steps and fewer with inputs as these, so that later ones don't
    /// have to: `inputs` as for Stream::push().
    void warm_up(const std::vector<Tensor>& inputs);
    /// Closes all streams and cancels the steps that wait.
    void close();

private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace rondo
