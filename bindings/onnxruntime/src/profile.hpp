// What layers did, as rows of onnxruntime's profiles.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host.hpp"
#include "rondo/infer_request.hpp"

namespace rondo::ort {

/// The rows of one session. Thread-safe.
class Profile {
public:
    using Clock = std::chrono::steady_clock;

    bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
    /// `elapsed`: since onnxruntime's profile began.
    void start(std::chrono::nanoseconds elapsed);
    /// The layers of an inference that has ended then, on this thread. onnxruntime keeps a million
    /// rows at most, and so does this.
    void add(const std::vector<TraceSlice>& slices, Clock::time_point end);
    /// Gives all rows to onnxruntime.
    void stop(const Host& host, OrtProfilingEventsContainer* container);

private:
    struct Row {
        TraceSlice slice;
        std::chrono::nanoseconds begin;  ///< since onnxruntime's profile began
        int thread;
    };
    static void give(const Host& host, const Row& row, OrtProfilingEventsContainer* container);

    std::atomic<bool> is_on_ = false;
    std::mutex mutex_;
    Clock::time_point zero_;
    std::vector<Row> rows_;
};

/// What onnxruntime calls, and frees, which may be after the session's provider.
OrtEpProfilerImpl* make_profiler(const Host& host, std::shared_ptr<Profile> profile);

}  // namespace rondo::ort
