// A thread that calls a function again and again until it ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace rondo::triton {

class Ticker {
public:
    /// `tick` must not throw.
    Ticker(std::chrono::milliseconds period, std::function<void()> tick)
        : thread_([this, period, tick = std::move(tick)] { run(period, tick); }) {}
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;
    ~Ticker() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        end_.notify_all();
        thread_.join();
    }

private:
    void run(std::chrono::milliseconds period, const std::function<void()>& tick) {
        std::unique_lock lock(mutex_);
        while (!end_.wait_for(lock, period, [this] { return ends_; })) {
            lock.unlock();
            tick();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable end_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace rondo::triton
