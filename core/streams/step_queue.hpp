// Queues of steps that allocate nothing: the steps are linked with each other.
#pragma once

#include <atomic>
#include <cstddef>

#include "core/streams/step.hpp"

namespace rondo {

/// First in, first out; for one thread at a time.
class StepQueue {
public:
    StreamStep::Impl* front() const { return first_; }
    bool empty() const { return first_ == nullptr; }
    std::size_t size() const { return size_; }

    void push(StreamStep::Impl* step) {
        step->next = nullptr;
        (last_ != nullptr ? last_->next : first_) = step;
        last_ = step;
        ++size_;
    }

    StreamStep::Impl* pop() {
        StreamStep::Impl* step = first_;
        first_ = step->next;
        if (first_ == nullptr) last_ = nullptr;
        --size_;
        return step;
    }

private:
    StreamStep::Impl* first_ = nullptr;
    StreamStep::Impl* last_ = nullptr;
    std::size_t size_ = 0;
};

/// Any thread pushes, one at a time takes; without locks. Steps of one thread keep their order.
class StepInbox {
public:
    void push(StreamStep::Impl* step) {
        StreamStep::Impl* top = top_.load(std::memory_order_relaxed);
        do {
            step->next = top;
        } while (!top_.compare_exchange_weak(top, step, std::memory_order_seq_cst,
                                             std::memory_order_relaxed));
    }

    bool empty() const { return top_.load(std::memory_order_seq_cst) == nullptr; }

    /// All steps, linked by `next`, the first one pushed in front; or null.
    StreamStep::Impl* take() {
        StreamStep::Impl* top = top_.exchange(nullptr, std::memory_order_acquire);
        StreamStep::Impl* first = nullptr;
        while (top != nullptr) {
            StreamStep::Impl* below = top->next;
            top->next = first;
            first = top;
            top = below;
        }
        return first;
    }

private:
    std::atomic<StreamStep::Impl*> top_{nullptr};
};

}  // namespace rondo
