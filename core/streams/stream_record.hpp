// What a pool knows of one stream.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/streams/state_store.hpp"
#include "core/streams/step.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo {

class StreamWorker;

/// Kept small: there may be a hundred thousand of them.
class StreamRecord {
public:
    /// What waiting() holds after retire().
    static constexpr std::uint32_t kRetired = ~std::uint32_t{0};

    /// Belongs to `worker`, which it keeps alive, and which owns `states`. `open` counts the open
    /// streams.
    StreamRecord(std::shared_ptr<StreamWorker> worker, StateStore& states,
                 std::atomic<std::size_t>& open, const StreamOptions& options);
    ~StreamRecord();
    StreamRecord(const StreamRecord&) = delete;
    StreamRecord& operator=(const StreamRecord&) = delete;

    const std::shared_ptr<StreamWorker>& worker() const { return worker_; }
    const StreamOptions& options() const { return options_; }
    StreamState& state() { return state_; }

    /// Gives the state back, once.
    void drop_state();

    /// Steps that were pushed and have not begun.
    std::atomic<std::uint32_t>& waiting() { return waiting_; }
    /// One of those has begun, or will not; wakes a push that waits for its place.
    void leave_queue(Overflow overflow) {
        waiting_.fetch_sub(1, std::memory_order_release);
        if (overflow == Overflow::block) waiting_.notify_all();
    }
    /// True if no step has a place; then none gets one any more, and the stream must be closed.
    bool retire() {
        std::uint32_t none = 0;
        return waiting_.compare_exchange_strong(none, kRetired, std::memory_order_acquire);
    }
    std::atomic<bool>& is_closed() { return is_closed_; }

    // For the worker's leader alone.
    StepQueue queue;
    StreamClock::time_point ended{};  ///< when its last step ended
    bool is_ready = false;            ///< in the worker's list of ready streams
    bool is_gone = false;             ///< has no state any more
    StreamRecord* newer = nullptr;    ///< in the worker's list of open streams, by last use
    StreamRecord* older = nullptr;
    std::shared_ptr<StreamRecord> listed;  ///< itself, while in that list

    std::shared_ptr<StreamRecord> next_left;  ///< in the worker's list of those to be closed

private:
    std::shared_ptr<StreamWorker> worker_;
    StateStore& states_;
    std::atomic<std::size_t>& open_;
    StreamOptions options_;
    StreamState state_;
    const unsigned process_;  // its fork_count()
    std::atomic<std::uint32_t> waiting_{0};
    std::atomic<bool> is_closed_{false};
};

}  // namespace rondo
