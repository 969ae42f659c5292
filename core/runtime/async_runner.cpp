#include "core/runtime/async_runner.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace rondo {

struct AsyncRunner::State {
    State(std::size_t most, std::function<void(std::size_t)> start)
        : most_threads(most), on_start(std::move(start)) {}

    const std::size_t most_threads;
    const std::function<void(std::size_t)> on_start;
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<std::function<void()>> tasks;
    std::vector<std::thread> threads;
    std::size_t idle = 0;
    bool stopping = false;
};

namespace {

template <typename State>
void work(const std::shared_ptr<State>& state, std::size_t number) {
    if (state->on_start) state->on_start(number);
    std::unique_lock lock(state->mutex);
    while (true) {
        ++state->idle;
        state->wake.wait(lock, [&] { return state->stopping || !state->tasks.empty(); });
        --state->idle;
        if (state->stopping) return;
        auto task = std::move(state->tasks.front());
        state->tasks.pop_front();
        lock.unlock();
        task();
        task = nullptr;  // what it holds dies here, outside the lock
        lock.lock();
    }
}

}  // namespace

AsyncRunner::AsyncRunner(std::size_t threads, std::function<void(std::size_t)> on_start)
    : state_(std::make_shared<State>(threads == 0 ? 1 : threads, std::move(on_start))) {}

AsyncRunner::~AsyncRunner() {
    std::deque<std::function<void()>> dropped;
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
        dropped.swap(state_->tasks);
    }
    state_->wake.notify_all();
    for (auto& thread : state_->threads) {
        if (thread.get_id() == std::this_thread::get_id()) {
            thread.detach();  // a task let go of the runner: its thread ends by itself
        } else {
            thread.join();
        }
    }
}

void AsyncRunner::push(std::function<void()> task) {
    const std::lock_guard lock(state_->mutex);
    state_->tasks.push_back(std::move(task));
    if (state_->idle < state_->tasks.size() && state_->threads.size() < state_->most_threads) {
        const std::size_t number = state_->threads.size();
        try {
            state_->threads.emplace_back([state = state_, number] { work(state, number); });
        } catch (...) {  // the system has no thread left: those that there are take the task
            if (number == 0) {
                state_->tasks.pop_back();
                throw;
            }
        }
    }
    state_->wake.notify_one();
}

}  // namespace rondo
