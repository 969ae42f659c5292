// Runs tasks in the background, on a few threads that start with the first task.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "core/support/function_ref.hpp"

namespace rondo {

/// Calls what sets up the calling thread, such as its core. What that throws is logged: a thread
/// without its set-up is slower and no less right, and an exception would end the process.
void set_up_thread(FunctionRef<void()> set_up) noexcept;

/// Thread-safe. The destructor waits for running tasks and drops those that have not begun. It does
/// not wait for a task that destroys the runner itself. A forked child starts threads of its own,
/// and doesn't run the tasks that the parent's threads had.
class AsyncRunner {
public:
    /// `on_start` is called on each thread with its number before its first task, by
    /// set_up_thread().
    explicit AsyncRunner(std::size_t threads, std::function<void(std::size_t)> on_start = {});
    ~AsyncRunner();
    AsyncRunner(const AsyncRunner&) = delete;
    AsyncRunner& operator=(const AsyncRunner&) = delete;

    /// `task` must not throw. `owner` names it for help().
    void push(std::function<void()> task, const void* owner = nullptr);

    /// On a thread of this runner: runs a task of this owner that has not begun, so that a task may
    /// wait for another one. False if there is none, and on other threads. It runs no other
    /// task, which might wait for the one that waits here.
    bool help(const void* owner);

    /// How many tasks have not begun.
    std::size_t waiting() const;

private:
    struct State;
    std::shared_ptr<State> state_of_this_process();

    std::atomic<std::shared_ptr<State>*> state_;
};

}  // namespace rondo
