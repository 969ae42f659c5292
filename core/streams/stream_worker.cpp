#include "core/streams/stream_worker.hpp"

#include <algorithm>
#include <chrono>
#include <new>

#include "core/runtime/async_runner.hpp"
#include "core/support/process.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

constexpr std::size_t kMostSpare = 1024;
constexpr std::chrono::microseconds kShort{50};
constexpr auto kForever = StreamLeader::kForever;

thread_local bool is_pool_thread = false;

}  // namespace

StreamWorker::StreamWorker(std::shared_ptr<const PoolSettings> settings, std::size_t number)
    : settings_(std::move(settings)),
      number_(number),
      process_(fork_count()),
      states_(*settings_->model->executable().graph(), settings_->axes.variables),
      counts_(settings_->max_batch),
      leader_(*settings_, states_, counts_, *this) {
    spare_.reserve(kMostSpare);  // keep_spare() must not throw
}

// In a forked child, destroying the conditions would wait for threads of the parent.
StreamWorker::~StreamWorker() {
    if (is_in_its_process()) return;
    leave_thread();
    new (&rise_) std::condition_variable;
    new (&timed_) std::condition_variable;
}

void StreamWorker::start() {
    thread_ = std::thread([self = shared_from_this()] { self->work(); });
}

void StreamWorker::stop() {
    stopping_.store(true, std::memory_order_seq_cst);
    leader_.cancel();
    if (!is_in_its_process()) return leave_thread();
    wake();
    end();
}

// It exists in the parent alone: it can be neither joined nor detached.
void StreamWorker::leave_thread() {
    if (thread_.joinable()) static_cast<void>(new std::thread(std::move(thread_)));
}

void StreamWorker::finish() {
    if (!is_in_its_process()) return stop();
    finishing_.store(true, std::memory_order_seq_cst);
    wake();
    end();
}

void StreamWorker::end() {
    join();
    while (take_left() != nullptr) {  // they keep this worker alive
    }
}

void StreamWorker::join() {
    if (!thread_.joinable()) return;
    if (thread_.get_id() == std::this_thread::get_id()) {
        thread_.detach();
    } else {
        thread_.join();
    }
}

void StreamWorker::work() {
    is_pool_thread = true;
    set_up_thread([&] { settings_->model->executable().enter_stream(number_); });
    while (!is_stopped()) {
        // A thread that helps may leave the first streams that have an idle timeout.
        const auto idle_timeout = settings_->options.idle_timeout;
        Time rise_at = idle_timeout.count() > 0 ? StreamClock::now() + idle_timeout : kForever;
        if (try_lead()) {
            has_left_over_.store(false, std::memory_order_relaxed);
            rise_at = std::min(rise_at, leader_.run(inbox_, stopping_));
            const bool is_over = finishing_.load() && leader_.is_idle() && inbox_.empty();
            if (is_over) leader_.forget_streams();
            stop_leading();
            if (is_over) return;
        }
        sleep_until(rise_at);
    }
    while (posting_.load(std::memory_order_seq_cst) > 0) std::this_thread::yield();
    while (!try_lead()) std::this_thread::sleep_for(kShort);  // a thread that waits runs its step
    leader_.cancel_all(inbox_);
    stop_leading();
}

// Announced before the last look, so that a thread that posts after that look sees it.
void StreamWorker::sleep_until(Time time) {
    std::unique_lock lock(mutex_);
    sleeping_.store(true, std::memory_order_seq_cst);
    const auto may_rise = [&] {
        return must_rise_ || is_stopped() || has_left_over_.load() ||
               ((finishing_.load() || !inbox_.empty()) && !leading_.load());
    };
    if (time == kForever) {
        rise_.wait(lock, may_rise);
    } else {
        rise_.wait_until(lock, time, may_rise);
    }
    sleeping_.store(false, std::memory_order_seq_cst);
    must_rise_ = false;
}

void StreamWorker::wake() {
    if (!sleeping_.load(std::memory_order_seq_cst)) return;
    {
        const std::lock_guard lock(mutex_);
        must_rise_ = true;
    }
    rise_.notify_one();
}

bool StreamWorker::try_lead() { return !leading_.exchange(true, std::memory_order_seq_cst); }

void StreamWorker::stop_leading() {
    leading_.store(false, std::memory_order_seq_cst);
    if (!inbox_.empty() || finishing_.load()) wake();
}

StepRef StreamWorker::make_step(std::shared_ptr<StreamRecord> stream, Step::Task task) {
    std::unique_ptr<Step> step;
    {
        const std::lock_guard lock(spare_mutex_);
        if (!spare_.empty()) {
            step = std::move(spare_.back());
            spare_.pop_back();
        }
    }
    if (step == nullptr) step = std::make_unique<Step>();
    step->start(*this, std::move(stream), task);
    step->inputs.resize(settings_->model->inputs().size());
    step->outputs.resize(settings_->model->outputs().size());
    return StepRef(step.release());
}

// The leader still has it in its list of open streams, so that it must live until it is closed.
void StreamWorker::close_later(std::shared_ptr<StreamRecord> stream) noexcept {
    if (is_stopped()) return;
    const std::lock_guard lock(left_mutex_);
    stream->next_left = std::move(left_);
    left_ = std::move(stream);
}

std::shared_ptr<StreamRecord> StreamWorker::take_left() {
    const std::lock_guard lock(left_mutex_);
    if (left_ == nullptr) return nullptr;
    std::shared_ptr<StreamRecord> next = std::move(left_->next_left);
    return std::exchange(left_, std::move(next));
}

void StreamWorker::close_left() {
    while (auto stream = take_left()) {
        try {
            post(make_step(stream, Step::Task::close), true);
        } catch (...) {
            close_later(std::move(stream));
            throw;
        }
    }
}

std::shared_ptr<StreamRecord> StreamWorker::open_stream(const StreamOptions& options) {
    close_left();
    return std::make_shared<StreamRecord>(shared_from_this(), states_, counts_.streams, options);
}

void StreamWorker::keep_spare(std::unique_ptr<Step> step) {
    if (!is_in_its_process()) return;  // a thread of the parent may hold the lock
    const std::lock_guard lock(spare_mutex_);
    if (spare_.size() < kMostSpare) spare_.push_back(std::move(step));
}

bool StreamWorker::is_in_its_process() const { return process_ == fork_count(); }

void StreamWorker::check_process() const {
    if (is_in_its_process()) return;
    throw ModelError(
        "the stream pool was made before this process was forked, and its threads run in the "
        "parent alone; make a new pool");
}

void StreamWorker::check_may_wait() const {
    check_process();
    if (!is_pool_thread) return;
    throw ModelError(
        "a callback of a stream pool can't wait for a step, since its thread runs the steps");
}

// The worker's thread, before it ends, waits for those that have found it running, and then takes
// in what they have pushed.
bool StreamWorker::post(StepRef step, bool wakes) {
    posting_.fetch_add(1, std::memory_order_seq_cst);
    const bool is_taken = !is_stopped();
    if (is_taken) {
        if (step->task == Step::Task::infer) {
            counts_.pending.fetch_add(1, std::memory_order_relaxed);
        }
        inbox_.push(step.detach());
    }
    posting_.fetch_sub(1, std::memory_order_seq_cst);
    if (is_taken && wakes) wake();
    return is_taken;
}

void StreamWorker::help(const Step& step) {
    if (is_stopped() || !try_lead()) return;
    const bool is_over = leader_.run_only(step, inbox_);
    if (!is_over) has_left_over_.store(true, std::memory_order_seq_cst);
    stop_leading();
    if (!is_over) wake();
}

void StreamWorker::notify_timed() {
    if (timed_waiters_.load(std::memory_order_seq_cst) == 0 || !is_in_its_process()) return;
    { const std::lock_guard lock(timed_mutex_); }
    timed_.notify_all();
}

bool StreamWorker::wait_until(const Step& step, Time time) {
    timed_waiters_.fetch_add(1, std::memory_order_seq_cst);
    std::unique_lock lock(timed_mutex_);
    const bool is_done = timed_.wait_until(lock, time, [&] { return step.is_done(); });
    timed_waiters_.fetch_sub(1, std::memory_order_relaxed);
    return is_done;
}

}  // namespace rondo
