// Many live sequences on one compiled model, from Python: rondo.StreamPool, Stream and StreamStep.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/src/run/compiled_model.hpp"
#include "bindings/python/src/run/delivery.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo::python {

/// What a pool's Python objects share; keeps the pool alive.
struct PoolParts {
    PoolParts(std::shared_ptr<const SharedModel> of, const StreamPoolOptions& options);
    /// Waits for the pool's threads, with Python's lock given up.
    ~PoolParts();
    PoolParts(const PoolParts&) = delete;
    PoolParts& operator=(const PoolParts&) = delete;
    /// Needs Python's lock, which is given up meanwhile. In a forked child there
    /// are no threads to wait for, and nothing is done.
    void close();

    const std::shared_ptr<const SharedModel> program;
    StreamPool pool;
    const std::shared_ptr<Deliveries> deliveries = std::make_shared<Deliveries>();
    const bool blocks;  ///< a push may wait
};

/// How the pool's thread reports a step's end. It drops no Python object there.
struct StepEnd {
    explicit StepEnd(std::shared_ptr<Deliveries> to) : deliveries(std::move(to)) {}
    ~StepEnd();
    StepEnd(const StepEnd&) = delete;
    StepEnd& operator=(const StepEnd&) = delete;
    /// Runs on any thread, with Python's lock held or not.
    void finish();

    const std::shared_ptr<Deliveries> deliveries;
    std::mutex mutex;  // never held while waiting for Python's lock
    std::condition_variable changed;
    bool is_finished = false;
    std::vector<SharedObject> calls;
    std::vector<SharedObject> wakes;  ///< calls that wake event loops
};

/// Keeps the pool alive. All calls need Python's lock, which is given up while they wait.
class PyStreamStep {
public:
    PyStreamStep(std::shared_ptr<PoolParts> pool, std::shared_ptr<StepEnd> end, StreamStep step)
        : pool_(std::move(pool)), end_(std::move(end)), step_(std::move(step)) {}

    bool is_done() const { return step_.is_done(); }
    /// True if it has ended within `timeout`, if there is one. Looks for Ctrl-C now and then.
    bool wait(std::optional<std::chrono::nanoseconds> timeout);
    /// Waits, and throws TimeoutError if that takes longer; then throws what the step threw.
    void check(const py::object& timeout);
    /// As check(); then the outputs, which are the same object in each call.
    py::object result(const py::object& timeout);
    /// True if the step will have no outputs since it was cancelled.
    bool cancel();
    bool is_cancelled() const;

    /// `call`: a tuple of the step and a function. False if the step has ended: then the caller
    /// is to call it.
    bool call_at_end(const py::tuple& call);
    /// As call_at_end(), for a function that wakes an event loop. Callbacks don't hold it up.
    bool wake_at_end(const py::tuple& call);

private:
    bool wait_a_moment(std::chrono::nanoseconds timeout);
    bool bring(const py::tuple& call, Delivery& by, std::vector<SharedObject>& calls);

    std::shared_ptr<PoolParts> pool_;
    std::shared_ptr<StepEnd> end_;
    StreamStep step_;
    py::object results_;
};

/// All calls need Python's lock, which is given up while they wait.
class PyStream {
public:
    PyStream(std::shared_ptr<PoolParts> pool, Stream stream)
        : pool_(std::move(pool)), stream_(std::move(stream)) {}
    ~PyStream();
    PyStream(const PyStream&) = delete;
    PyStream& operator=(const PyStream&) = delete;

    std::unique_ptr<PyStreamStep> push(const py::object& inputs);
    Results infer(const py::object& inputs);
    /// Variable -> array.
    py::dict state() const;
    /// From a dict of arrays or tensors.
    void set_state(const py::object& state);
    py::bytes save_state() const;
    void load_state(const py::bytes& bytes);
    std::unique_ptr<PyStream> fork() const;
    Stream& stream() { return stream_; }

private:
    std::shared_ptr<PoolParts> pool_;
    Stream stream_;
};

/// All calls need Python's lock, which is given up while they wait.
class PyStreamPool {
public:
    PyStreamPool(std::shared_ptr<const SharedModel> program, const StreamPoolOptions& options);

    std::unique_ptr<PyStream> open(int priority, const py::object& deadline);
    StreamPoolStats stats() const { return parts_->pool.stats(); }
    void warm_up(const py::object& inputs);
    void close();

private:
    std::shared_ptr<PoolParts> parts_;
};

/// "reject", "block" or "drop_oldest"; throws ModelError for others.
Overflow overflow_from(const std::string& name);

/// Makes Python close all pools that are left before it ends.
void close_pools_at_exit();

}  // namespace rondo::python
