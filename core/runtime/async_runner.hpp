// Runs tasks in the background, on a few threads that start with the first task.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace rondo {

/// Thread-safe. The destructor waits for running tasks and drops those that have not begun, unless
/// it is a task itself that lets go of the runner: then it does not wait for that one.
class AsyncRunner {
public:
    /// `on_start` is called on each thread with its number before its first task; must not throw.
    explicit AsyncRunner(std::size_t threads, std::function<void(std::size_t)> on_start = {});
    ~AsyncRunner();
    AsyncRunner(const AsyncRunner&) = delete;
    AsyncRunner& operator=(const AsyncRunner&) = delete;

    /// `task` must not throw.
    void push(std::function<void()> task);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace rondo
