// The open streams of a worker in the order of their last use.
#pragma once

#include "core/streams/stream_record.hpp"

namespace rondo {

/// A list through the records themselves, for one thread at a time. Each of its streams is removed
/// before it goes.
class StreamAges {
public:
    StreamRecord* newest() const { return newest_; }
    StreamRecord* oldest() const { return oldest_; }

    /// The stream becomes the newest, whether it was in the list or not.
    void renew(StreamRecord& stream) {
        if (newest_ == &stream) return;
        remove(stream);
        stream.older = newest_;
        (newest_ != nullptr ? newest_->newer : oldest_) = &stream;
        newest_ = &stream;
    }

    void remove(StreamRecord& stream) {
        const bool is_in = stream.newer != nullptr || newest_ == &stream;
        if (!is_in) return;
        (stream.newer != nullptr ? stream.newer->older : newest_) = stream.older;
        (stream.older != nullptr ? stream.older->newer : oldest_) = stream.newer;
        stream.newer = nullptr;
        stream.older = nullptr;
    }

private:
    StreamRecord* newest_ = nullptr;
    StreamRecord* oldest_ = nullptr;
};

}  // namespace rondo
