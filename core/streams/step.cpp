#include "core/streams/step.hpp"

#include <thread>

#include "core/support/api_boundary.hpp"
#include "rondo/error.hpp"

namespace rondo {

void StreamStep::Impl::release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    std::unique_ptr<Impl> own(this);
    const auto last = std::move(stream);  // may be the last reference to the owner, too
    forked.reset();
    callback = nullptr;
    error_ = nullptr;
    values.clear();
    owner_->keep_spare(std::move(own));
}

void StreamStep::Impl::start(StepOwner& owner, std::shared_ptr<StreamRecord> of, Task what) {
    owner_ = &owner;
    references_.store(1, std::memory_order_relaxed);
    status_.store(Status::waiting, std::memory_order_relaxed);
    task = what;
    stream = std::move(of);
    may_run_here = true;
    pushed = StreamClock::now();
}

bool StreamStep::Impl::begin() {
    Status expected = Status::waiting;
    return status_.compare_exchange_strong(expected, Status::running, std::memory_order_acq_rel);
}

void StreamStep::Impl::end(std::exception_ptr problem) {
    if (!begin() && status_.load(std::memory_order_acquire) != Status::running) {
        while (!is_done()) std::this_thread::yield();
        return;
    }
    error_ = std::move(problem);
    status_.store(Status::done, std::memory_order_seq_cst);
    status_.notify_all();
}

bool StreamStep::Impl::cancel(const char* reason) {
    Status expected = Status::waiting;
    if (!status_.compare_exchange_strong(expected, Status::cancelled)) return false;
    error_ = problem_of([&] { throw CancelledError(reason); });
    status_.store(Status::done, std::memory_order_seq_cst);
    status_.notify_all();
    owner_->notify_timed();
    return true;
}

void StreamStep::Impl::wait() {
    if (is_done()) return;
    owner_->check_may_wait();
    if (may_run_here) owner_->help(*this);
    for (Status now = status_.load(std::memory_order_acquire); now != Status::done;
         now = status_.load(std::memory_order_acquire)) {
        status_.wait(now, std::memory_order_acquire);
    }
}

bool StreamStep::Impl::wait_until(StreamClock::time_point time) {
    if (is_done()) return true;
    owner_->check_may_wait();
    return owner_->wait_until(*this, time);
}

void StreamStep::Impl::check() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
}

}  // namespace rondo
