#include "core/runtime/async_runner.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace rondo {

struct AsyncRunner::State {
    explicit State(std::size_t most) : most_threads(most) {}

    const std::size_t most_threads;
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<std::function<void()>> tasks;
    std::vector<std::thread> threads;
    std::size_t idle = 0;
    bool stopping = false;
};

namespace {

template <typename State>
void work(const std::shared_ptr<State>& state) {
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

AsyncRunner::AsyncRunner(std::size_t threads)
    : state_(std::make_shared<State>(threads == 0 ? 1 : threads)) {}

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
        state_->threads.emplace_back([state = state_] { work(state); });
    }
    state_->wake.notify_one();
}

}  // namespace rondo
