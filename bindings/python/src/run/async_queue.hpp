// A pool of requests that take work as they become free: rondo.AsyncInferQueue.
#pragma once

#include <memory>
#include <vector>

#include "bindings/python/src/run/infer_request.hpp"

namespace rondo::python {

/// All calls need Python's lock, which is given up while they wait. In a forked child those that
/// need a free request throw ModelError if the queue ran inferences at the fork.
class AsyncQueue {
public:
    /// `jobs` requests; 0 for as many as the model runs best with.
    AsyncQueue(std::shared_ptr<const SharedModel> program, std::size_t jobs);

    /// Waits for a free request and starts it. Throws what an earlier inference or callback threw.
    void start_async(const py::object& inputs, const py::object& userdata, bool share_inputs);
    bool is_ready() const;
    /// Throws what the first inference or callback that failed threw; the next call starts afresh.
    void wait_all();
    /// Waits until a request is free, and returns its index.
    std::size_t idle_request();
    /// `callback(request, userdata)` is called after each inference that didn't fail.
    void set_callback(const py::object& callback);

    const std::vector<std::shared_ptr<Request>>& requests() const;
    py::list userdata() const;

    class State;
    State& state() { return *state_; }

private:
    std::shared_ptr<State> state_;
};

/// For Python's garbage collector: calls `visit` on what the queue refers to.
int visit_objects(AsyncQueue& queue, visitproc visit, void* argument);
void clear_objects(AsyncQueue& queue);

}  // namespace rondo::python
