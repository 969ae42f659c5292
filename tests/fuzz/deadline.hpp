// A flag that turns true when too much time has passed: models may loop without end.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace rondo::test {

class Deadline {
public:
    explicit Deadline(std::chrono::milliseconds time)
        : watcher_([this, time](const std::stop_token& stop) {
              std::unique_lock lock(mutex_);
              if (!wake_.wait_for(lock, stop, time, [] { return false; }) &&
                  !stop.stop_requested()) {
                  passed_ = true;
              }
          }) {}

    const std::atomic<bool>& passed() const { return passed_; }

private:
    std::atomic<bool> passed_{false};
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread watcher_;  // last: its end comes before that of the others
};

}  // namespace rondo::test
