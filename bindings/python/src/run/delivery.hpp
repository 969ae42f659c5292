// Calls Python code for steps of streams that have ended, on a thread of its own.
#pragma once

#include <unistd.h>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "bindings/python/src/support/gil.hpp"

namespace rondo::python {

/// A pool's threads hand over here what is to be called, so that they never wait for Python's lock.
/// What ends meanwhile is called in one go. The thread runs while calls are expected.
class Delivery : public std::enable_shared_from_this<Delivery> {
public:
    /// `function` of rondo._streams gets a list of what deliver() brings.
    explicit Delivery(const char* function) : function_(function) {}
    /// False in a forked child, which has none of the pool's threads.
    bool is_in_process() const { return process_ == ::getpid(); }
    /// Throws ModelError in a forked child, where no step of the parent's ends.
    void check_process() const;
    /// A call that deliver() brings for certain; the interpreter waits for it at its end. Throws
    /// ModelError if that has begun.
    void expect();
    /// Takes back an expect(), if there will be no call.
    void forget();
    /// `calls`: tuples of a step and the function to call with it. Python's lock isn't needed.
    void deliver(std::vector<SharedObject> calls);

private:
    void work();
    std::vector<SharedObject> next();
    void call(std::vector<SharedObject> calls) const;

    const char* const function_;
    const pid_t process_ = ::getpid();
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<SharedObject> calls_;
    std::size_t expected_ = 0;
    bool is_running_ = false;
};

/// Those of a pool. Apart, since a callback may take long, and may wait for an event loop.
struct Deliveries {
    const std::shared_ptr<Delivery> callbacks = std::make_shared<Delivery>("call_all");
    const std::shared_ptr<Delivery> wakes =
        std::make_shared<Delivery>("wake_all");  ///< of event loops
    /// See Delivery.
    bool is_in_process() const { return callbacks->is_in_process(); }
};

}  // namespace rondo::python
