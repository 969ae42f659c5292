#include "core/streams/stream_record.hpp"

#include "core/support/process.hpp"

namespace rondo {

StreamRecord::StreamRecord(std::shared_ptr<StreamWorker> worker, StateStore& states,
                           std::atomic<std::size_t>& open, const StreamOptions& options)
    : worker_(std::move(worker)),
      states_(states),
      open_(open),
      options_(options),
      state_(states.open()),
      process_(fork_count()) {
    open_.fetch_add(1, std::memory_order_relaxed);
}

StreamRecord::~StreamRecord() {
    if (process_ == fork_count()) drop_state();  // else the parent may hold the states' lock
}

void StreamRecord::drop_state() {
    if (is_gone) return;
    is_gone = true;
    states_.close(state_);
    open_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace rondo
