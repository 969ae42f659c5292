#include "core/streams/stream_leader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/streams/pool_settings.hpp"
#include "core/support/api_boundary.hpp"
#include "core/support/log.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

// A stream that had a step in this time may soon have the next one.
constexpr std::chrono::milliseconds kLive{100};
// Steps of other shapes that a batch passes over before it is run as it is.
constexpr std::size_t kMostSetAside = 256;

std::exception_ptr closed_error() {
    return problem_of([] { throw ModelError("the stream is closed"); });
}

// What the callback throws is logged, if there is memory for a message.
void call(const Stream::Callback& callback, const StreamStep& step) noexcept {
    const auto problem = problem_of([&] { callback(step); });
    if (problem == nullptr) return;
    static_cast<void>(problem_of([&] {
        try {
            std::rethrow_exception(problem);
        } catch (const std::exception& error) {
            log(LogLevel::warning, std::string("a callback of a stream threw: ") + error.what());
        } catch (...) {
            log(LogLevel::warning, "a callback of a stream threw");
        }
    }));
}

std::uint64_t nanoseconds(StreamClock::duration duration) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count());
}

}  // namespace

StreamLeader::StreamLeader(const PoolSettings& settings, StateStore& states, WorkerCounts& counts,
                           StepOwner& owner)
    : settings_(settings),
      states_(states),
      counts_(counts),
      owner_(owner),
      runner_(settings, states) {
    batch_.reserve(settings.max_batch);
    problems_.reserve(settings.max_batch);
    set_aside_.reserve(kMostSetAside);
}

StreamLeader::Time StreamLeader::run(StepInbox& inbox, const std::atomic<bool>& stopping) {
    while (!stopping.load(std::memory_order_seq_cst)) {
        take_in(inbox);
        call_back();
        if (ready_.empty()) {
            const Time next = close_idle();
            if (inbox.empty()) return next;
            continue;
        }
        const Time now = StreamClock::now();
        const Time start = start_of_batch(now);
        if (start > now) return start;
        run_batch();
        call_back();
    }
    return kForever;
}

bool StreamLeader::run_only(const Step& step, StepInbox& inbox) {
    take_in(inbox);
    if (ready_.size() == 1 && ready_.begin()->stream->queue.front() == &step) run_batch();
    return ready_.empty() && to_call_back_.empty();
}

void StreamLeader::take_in(StepInbox& inbox) {
    for (Step* step = inbox.take(); step != nullptr;) {
        Step* next = step->next;
        take_in(step);
        step = next;
    }
}

void StreamLeader::take_in(Step* step) {
    const auto stream = step->stream;
    if (stream->is_gone) return drop(step, closed_error());
    if (step->task == Step::Task::cancel_waiting) return cancel_waiting(step);
    stream->queue.push(step);
    if (settings_.options.overflow == Overflow::drop_oldest) drop_surplus(*stream);
    if (!stream->is_ready) make_ready(stream);
}

void StreamLeader::cancel_waiting(Step* order) {
    for (Step* step = order->stream->queue.front(); step != nullptr; step = step->next) {
        if (step->task == Step::Task::infer) step->cancel("the stream's steps were cancelled");
    }
    next_step(*order->stream);
    end(order);
}

void StreamLeader::drop_surplus(StreamRecord& stream) {
    const std::size_t limit = settings_.options.queue_limit;
    while (limit > 0 && stream.waiting().load(std::memory_order_relaxed) > limit) {
        Step* oldest = next_step(stream);
        if (oldest == nullptr) return;
        oldest->cancel("the step was dropped: more steps of its stream waited than queue_limit");
        next_step(stream);
    }
}

void StreamLeader::make_ready(const std::shared_ptr<StreamRecord>& stream) {
    const Step* step = next_step(*stream);
    if (step == nullptr) return;
    const Time due = std::max(step->pushed, stream->ended) + stream->options().deadline;
    const auto problem = problem_of([&] { ready_.push(stream, due); });
    stream->is_ready = problem == nullptr;
    if (problem != nullptr) refuse(*stream, problem);
}

// There is no memory for the stream's place among those that are ready. Its inferences end; other
// tasks are done in their turn.
void StreamLeader::refuse(StreamRecord& stream, const std::exception_ptr& problem) {
    while (next_step(stream) != nullptr) drop(stream.queue.pop(), problem);
}

// The stream's next step that is to be inferred, or null. Those that were cancelled leave the
// queue, and other tasks are done. What was posted while the stream was closed ends with an error.
StreamLeader::Step* StreamLeader::next_step(StreamRecord& stream) {
    while (!stream.queue.empty()) {
        Step* step = stream.queue.front();
        if (stream.is_gone) {
            drop(stream.queue.pop(), closed_error());
            continue;
        }
        const bool is_inference = step->task == Step::Task::infer;
        if (is_inference && step->is_waiting()) return step;
        stream.queue.pop();
        if (is_inference) {
            drop(step);  // cancelled meanwhile
            continue;
        }
        if (step->begin()) {
            end(step, problem_of([&] { do_task(*step); }));
        } else {
            end(step);
        }
    }
    return nullptr;
}

void StreamLeader::do_task(Step& step) {
    StreamRecord& stream = *step.stream;
    switch (step.task) {
        case Step::Task::warm_up: warm_up(step); break;
        case Step::Task::get_state: step.values = states_.get(stream.state()); break;
        case Step::Task::save_state: step.values = states_.save(stream.state()); break;
        case Step::Task::set_state: states_.set(stream.state(), step.values); break;
        case Step::Task::load_state:
            states_.reset(stream.state());
            states_.set(stream.state(), step.values);
            break;
        case Step::Task::reset: states_.reset(stream.state()); break;
        case Step::Task::fork: fork(step); break;
        case Step::Task::close: close(stream); break;
        default: break;
    }
    if (step.task == Step::Task::close) return;
    stream.ended = StreamClock::now();
    ages_.renew(step.stream);
}

// The time of the new stream without steps begins.
void StreamLeader::fork(Step& step) {
    StreamRecord& forked = *step.forked;
    states_.copy(step.stream->state(), forked.state());
    forked.ended = StreamClock::now();
    if (settings_.options.idle_timeout.count() > 0) ages_.renew(step.forked);
}

// Each plan twice: streams that begin may have one of their own.
void StreamLeader::warm_up(Step& step) {
    const std::vector<Step*> copies(settings_.max_batch, &step);
    if (!states_.is_settled()) runner_.run({copies.data(), 1}, cancelled_);
    for (std::size_t rows = settings_.max_batch; rows > 0; --rows) {
        if (planned_rows(rows, settings_.max_batch) != rows) continue;
        states_.reset(step.stream->state());
        for (int i = 0; i < 2; ++i) runner_.run({copies.data(), rows}, cancelled_);
    }
}

// A stream that its user sees closed may end at once, so nothing here reads it afterwards.
void StreamLeader::close(StreamRecord& stream) {
    const auto held = ages_.remove(stream);
    stream.drop_state();
    stream.is_closed().store(true, std::memory_order_release);
}

// The step has left its queue.
void StreamLeader::end(Step* step, std::exception_ptr problem) {
    StepRef held(step);
    if (step->task == Step::Task::infer) counts_.pending.fetch_sub(1, std::memory_order_relaxed);
    step->end(std::move(problem));
    owner_.notify_timed();
    if (step->callback) to_call_back_.push(held.detach());
}

// The step leaves its queue without having begun.
void StreamLeader::drop(Step* step, std::exception_ptr problem) {
    if (step->task == Step::Task::infer) {
        raise(counts_.dropped);
        step->stream->leave_queue(settings_.options.overflow);
    }
    end(step, std::move(problem));
}

StreamLeader::Time StreamLeader::start_of_batch(Time now) const {
    const auto delay = settings_.options.max_delay;
    const bool is_full = ready_.size() >= settings_.max_batch;
    if (delay.count() == 0 || settings_.max_batch == 1 || is_full) return now;
    Time first = now;
    for (const auto& entry : ready_) {
        const Step* step = entry.stream->queue.front();  // null if all were cancelled
        if (step != nullptr) first = std::min(first, step->pushed);
    }
    return another_may_join(now) ? std::max(first + delay, now) : now;
}

bool StreamLeader::another_may_join(Time now) const {
    const StreamRecord* stream = ages_.newest();
    while (stream != nullptr && stream->is_ready) stream = stream->older;
    return stream != nullptr && now - stream->ended < kLive;
}

void StreamLeader::form_batch() {
    batch_.clear();
    const std::size_t most = states_.is_settled() ? settings_.max_batch : 1;
    while (!ready_.empty() && batch_.size() < most && set_aside_.size() < kMostSetAside) {
        ReadyStreams::Entry entry = ready_.pop();
        Step* step = next_step(*entry.stream);
        if (step == nullptr) {
            entry.stream->is_ready = false;
        } else if (!batch_.empty() && !runner_.may_share_batch(*batch_.front(), *step)) {
            set_aside_.push_back(std::move(entry));
        } else if (step->begin()) {
            entry.stream->leave_queue(settings_.options.overflow);
            batch_.push_back(step);
        } else {
            ready_.push(std::move(entry));  // cancelled just now
        }
    }
    for (auto& entry : set_aside_) ready_.push(std::move(entry));
    set_aside_.clear();
}

void StreamLeader::run_batch() {
    form_batch();
    if (batch_.empty()) return;
    const Time begin = StreamClock::now();
    problems_.assign(batch_.size(), nullptr);
    problems_[0] = problem_of([&] { runner_.run(batch_, cancelled_); });
    if (problems_[0] != nullptr && batch_.size() > 1) run_each();
    end_batch(begin);
}

// After a batch that failed, so that each step has its own exception or none. No state has changed.
void StreamLeader::run_each() {
    for (std::size_t i = 0; i < batch_.size(); ++i) {
        problems_[i] = problem_of([&] { runner_.run({&batch_[i], 1}, cancelled_); });
    }
}

void StreamLeader::end_batch(Time begin) {
    const Time now = StreamClock::now();
    raise(counts_.busy_ns, nanoseconds(now - begin));
    raise(counts_.batches);
    raise(counts_.batch_counts[batch_.size()]);
    for (std::size_t i = 0; i < batch_.size(); ++i) {
        Step* step = batch_[i];
        const auto stream = step->stream;
        stream->queue.pop();
        stream->ended = now;
        stream->is_ready = false;
        ages_.renew(stream);
        raise(problems_[i] == nullptr ? counts_.steps : counts_.failed);
        counts_.latencies.add(now - step->pushed);
        if (now - step->pushed > stream->options().deadline) raise(counts_.late);
        end(step, std::move(problems_[i]));
        make_ready(stream);
    }
    batch_.clear();
}

void StreamLeader::call_back() {
    StepQueue ended = std::exchange(to_call_back_, {});
    while (!ended.empty()) {
        Step* step = ended.pop();
        const Stream::Callback callback = std::move(step->callback);
        step->callback = nullptr;
        call(callback, StreamStep(step));
    }
}

// Returns when the next stream will have been idle for long enough.
StreamLeader::Time StreamLeader::close_idle() {
    const auto timeout = settings_.options.idle_timeout;
    if (timeout.count() == 0) return kForever;
    const Time now = StreamClock::now();
    while (ages_.oldest() != nullptr) {
        StreamRecord& oldest = *ages_.oldest();
        if (oldest.ended + timeout > now) return oldest.ended + timeout;
        if (oldest.retire()) {
            close(oldest);
        } else {  // a step is on its way
            oldest.ended = now;
            ages_.renew(oldest.listed);
        }
    }
    return kForever;
}

void StreamLeader::cancel_all(StepInbox& inbox) {
    const auto problem = problem_of([] { throw CancelledError("the stream pool was closed"); });
    do {  // callbacks may post more
        take_in(inbox);
        while (!ready_.empty()) {
            const auto stream = ready_.pop().stream;
            stream->is_ready = false;
            while (!stream->queue.empty()) drop(stream->queue.pop(), problem);
        }
        call_back();
    } while (!inbox.empty() || !is_idle());
    forget_streams();
}

void StreamLeader::forget_streams() { ages_.clear(); }

}  // namespace rondo
