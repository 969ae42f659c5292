// The streams of a worker: those that have a step to run, the most urgent first, and the open ones
// in the order of their last use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/streams/stream_record.hpp"

namespace rondo {

/// A heap: by priority, then by the time at which the result is wanted, then by arrival here.
class ReadyStreams {
public:
    struct Entry {
        std::shared_ptr<StreamRecord> stream;
        StreamClock::time_point due;
        std::uint64_t number = 0;
    };

    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    /// In no order.
    auto begin() const { return heap_.begin(); }
    auto end() const { return heap_.end(); }

    void push(std::shared_ptr<StreamRecord> stream, StreamClock::time_point due) {
        push({std::move(stream), due, next_number_++});
    }
    void push(Entry entry) {
        heap_.push_back(std::move(entry));
        std::push_heap(heap_.begin(), heap_.end(), is_less_urgent);
    }
    Entry pop() {
        std::pop_heap(heap_.begin(), heap_.end(), is_less_urgent);
        Entry entry = std::move(heap_.back());
        heap_.pop_back();
        return entry;
    }

private:
    static bool is_less_urgent(const Entry& a, const Entry& b) {
        const int priority_of_a = a.stream->options().priority;
        const int priority_of_b = b.stream->options().priority;
        if (priority_of_a != priority_of_b) return priority_of_a < priority_of_b;
        if (a.due != b.due) return a.due > b.due;
        return a.number > b.number;
    }

    std::vector<Entry> heap_;
    std::uint64_t next_number_ = 0;
};

/// A list through the records themselves, for one thread at a time. It keeps its streams, which
/// keep their worker: it must be cleared before that can go.
class StreamAges {
public:
    StreamRecord* newest() const { return newest_; }
    StreamRecord* oldest() const { return oldest_; }

    /// The stream becomes the newest, whether it was in the list or not.
    void renew(const std::shared_ptr<StreamRecord>& stream) {
        if (newest_ == stream.get()) return;
        unlink(*stream);
        stream->older = newest_;
        (newest_ != nullptr ? newest_->newer : oldest_) = stream.get();
        newest_ = stream.get();
        if (stream->listed == nullptr) stream->listed = stream;
    }

    /// Returns the list's reference, which may be the last one; null if the stream wasn't in it.
    std::shared_ptr<StreamRecord> remove(StreamRecord& stream) {
        unlink(stream);
        return std::move(stream.listed);
    }

    void clear() {
        while (oldest_ != nullptr) remove(*oldest_);
    }

private:
    void unlink(StreamRecord& stream) {
        const bool is_in = stream.newer != nullptr || newest_ == &stream;
        if (!is_in) return;
        (stream.newer != nullptr ? stream.newer->older : newest_) = stream.older;
        (stream.older != nullptr ? stream.older->newer : oldest_) = stream.newer;
        stream.newer = nullptr;
        stream.older = nullptr;
    }

    StreamRecord* newest_ = nullptr;
    StreamRecord* oldest_ = nullptr;
};

}  // namespace rondo
