#include "core/runtime/async_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/support/log.hpp"

namespace rondo {

struct AsyncRunner::State {
    struct Task {
        std::function<void()> run;
        const void* owner;
    };

    const pid_t process = ::getpid();
    std::size_t max_threads = 1;
    std::function<void(std::size_t)> on_start;
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<Task> tasks;
    std::vector<std::thread> threads;
    std::size_t idle = 0;
    bool stopping = false;
};

namespace {

thread_local const void* t_state = nullptr;  // of the runner whose thread this is

template <typename State>
void work(const std::shared_ptr<State>& state, std::size_t number) {
    t_state = state.get();
    if (state->on_start) set_up_thread([&] { state->on_start(number); });
    std::unique_lock lock(state->mutex);
    while (true) {
        ++state->idle;
        state->wake.wait(lock, [&] { return state->stopping || !state->tasks.empty(); });
        --state->idle;
        if (state->stopping) return;
        auto task = std::move(state->tasks.front());
        state->tasks.pop_front();
        lock.unlock();
        task.run();
        task.run = nullptr;  // what it holds dies here, outside the lock
        lock.lock();
    }
}

}  // namespace

void set_up_thread(FunctionRef<void()> set_up) noexcept {
    try {
        set_up();
    } catch (...) {
        log(LogLevel::warning, "runtime: a background thread runs without its set-up, which threw");
    }
}

AsyncRunner::AsyncRunner(std::size_t threads, std::function<void(std::size_t)> on_start) {
    auto state = std::make_shared<State>();
    state->max_threads = threads == 0 ? 1 : threads;
    state->on_start = std::move(on_start);
    state_ = new std::shared_ptr<State>(std::move(state));
}

AsyncRunner::~AsyncRunner() {
    if ((*state_.load())->process != ::getpid()) return;
    const std::unique_ptr<std::shared_ptr<State>> held(state_.load());
    State& state = **held;
    {
        const std::lock_guard lock(state.mutex);
        state.stopping = true;
    }
    state.wake.notify_all();
    for (auto& thread : state.threads) {
        if (thread.get_id() == std::this_thread::get_id()) {
            thread.detach();  // a task dropped the runner: its thread ends by itself
        } else {
            thread.join();
        }
    }
    // Tasks that no thread has taken die with the state, outside the lock.
}

// A forked child has the parent's state but none of its threads, and one of them may have held the
// mutex at that moment. So the child makes a state of its own, and neither uses nor destroys the
// other.
std::shared_ptr<AsyncRunner::State> AsyncRunner::state_of_this_process() {
    std::shared_ptr<State>* held = state_;
    if ((*held)->process == ::getpid()) return *held;
    auto fresh = std::make_shared<State>();
    fresh->max_threads = (*held)->max_threads;
    fresh->on_start = (*held)->on_start;
    auto* made = new std::shared_ptr<State>(std::move(fresh));
    if (state_.compare_exchange_strong(held, made)) return *made;
    delete made;  // another thread was faster
    return *held;
}

bool AsyncRunner::help(const void* owner) {
    const std::shared_ptr<State> state = *state_.load();
    if (t_state != state.get()) return false;
    std::unique_lock lock(state->mutex);
    const auto found = std::find_if(state->tasks.begin(), state->tasks.end(),
                                    [&](const State::Task& task) { return task.owner == owner; });
    if (found == state->tasks.end()) return false;
    const State::Task task = std::move(*found);
    state->tasks.erase(found);
    lock.unlock();
    task.run();
    return true;
}

// A forked child that hasn't pushed yet has no tasks.
std::size_t AsyncRunner::waiting() const {
    const std::shared_ptr<State>* held = state_;
    if ((*held)->process != ::getpid()) return 0;
    const std::lock_guard lock((*held)->mutex);
    return (*held)->tasks.size();
}

void AsyncRunner::push(std::function<void()> task, const void* owner) {
    const auto state = state_of_this_process();
    const std::lock_guard lock(state->mutex);
    state->tasks.push_back({std::move(task), owner});
    if (state->idle < state->tasks.size() && state->threads.size() < state->max_threads) {
        const std::size_t number = state->threads.size();
        try {
            state->threads.emplace_back([state, number] { work(state, number); });
        } catch (...) {  // the system has no thread left: those that there are take the task
            if (number == 0) {
                state->tasks.pop_back();
                throw;
            }
        }
    }
    state->wake.notify_one();
}

}  // namespace rondo
