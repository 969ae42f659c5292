// The open streams of a worker in the order of their last use.
#pragma once

#include <memory>
#include <utility>

#include "core/streams/stream_record.hpp"

namespace rondo {

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
