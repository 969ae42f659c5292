#include "benchmark/benchmark_loop.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace rondo::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kWaitPart{50};

double milliseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

// Other inputs belong to another stream: the last stream's state may not fit their batch. (With an
// InputSet as an argument, a plain `bind` might be std::bind.)
void bind_inputs(InferRequest& request, const InputSet& inputs) {
    request.reset_state();
    for (const auto& [name, tensor] : inputs) request.set_tensor(name, tensor);
}

void add_profile(LoopResult& result, const InferRequest& request) {
    const auto rows = request.get_profiling_info();
    if (rows.empty()) return;
    ++result.profiled;
    if (result.profiling.empty()) {
        result.profiling = rows;
        return;
    }
    for (std::size_t i = 0; i < rows.size() && i < result.profiling.size(); ++i) {
        ProfilingInfo& row = result.profiling[i];
        row.real_time_ns += rows[i].real_time_ns;
        if (rows[i].status != ProfilingInfo::ExecutionStatus::executed) continue;
        row.status = rows[i].status;  // such as a branch that the first inference didn't take
        row.exec_type = rows[i].exec_type;
    }
}

// What an inference starts with.
struct Turn {
    std::size_t inputs;  // the number of its set
    Clock::time_point begin;
};

// Says when the next inference starts, and with which inputs.
class Turns {
public:
    Turns(const std::vector<InputSet>& inputs, const LoopLimits& limits, std::size_t round)
        : inputs_(inputs), limits_(limits), round_(round) {}

    bool has_next() const {
        if (limits_.goes_on && !limits_.goes_on(started_)) return false;
        if (started_ % round_ != 0) return true;  // complete the round
        if (limits_.iterations > 0 && started_ >= limits_.iterations) return false;
        return limits_.seconds <= 0 || elapsed_ms() < limits_.seconds * 1e3;
    }

    // Waits where the next one would be too early.
    Turn start(InferRequest& request) {
        if (limits_.most_rate > 0) wait_for_rate();
        const std::size_t set = started_++ % inputs_.size();
        if (limits_.fills_inputs) {
            const auto begin = Clock::now();
            bind_inputs(request, copies_of(inputs_[set]));
            return {set, begin};
        }
        if (inputs_.size() > 1) bind_inputs(request, inputs_[set]);
        return {set, Clock::now()};
    }

    Sample end(const Turn& turn, Clock::time_point at) const {
        return {milliseconds(at - turn.begin), milliseconds(at - start_), turn.inputs};
    }

    double elapsed_ms() const { return milliseconds(Clock::now() - start_); }

private:
    // In parts, so that an interruption ends it.
    void wait_for_rate() const {
        constexpr double kMostSeconds = 1e8;  // which a clock can count
        const std::chrono::duration<double> due(
            std::min(static_cast<double>(started_) / limits_.most_rate, kMostSeconds));
        const auto end = start_ + std::chrono::duration_cast<Clock::duration>(due);
        while (Clock::now() < end && (!limits_.goes_on || limits_.goes_on(started_))) {
            std::this_thread::sleep_until(std::min(end, Clock::now() + kWaitPart));
        }
    }

    static InputSet copies_of(const InputSet& inputs) {
        InputSet copies;
        for (const auto& [name, tensor] : inputs) {
            Tensor copy(tensor.element_type(), tensor.shape());
            tensor.copy_to(copy);
            copies.emplace(name, std::move(copy));
        }
        return copies;
    }

    const std::vector<InputSet>& inputs_;
    const LoopLimits& limits_;
    std::size_t round_;
    std::size_t started_ = 0;
    Clock::time_point start_ = Clock::now();
};

LoopResult measure_sync(InferRequest& request, Turns turns, bool profile) {
    LoopResult result;
    while (turns.has_next()) {
        const Turn turn = turns.start(request);
        request.infer();
        result.samples.push_back(turns.end(turn, Clock::now()));
        if (profile) add_profile(result, request);
    }
    result.duration_ms = turns.elapsed_ms();
    return result;
}

// Requests that have ended wait here for their next turn.
class IdleQueue {
public:
    struct Ended {
        std::size_t request;
        Clock::time_point at;
    };

    void push(std::size_t request) {
        const std::lock_guard lock(mutex_);
        ended_.push_back({request, Clock::now()});
        wake_.notify_one();
    }

    Ended pop() {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return !ended_.empty(); });
        const Ended first = ended_.front();
        ended_.pop_front();
        return first;
    }

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Ended> ended_;
};

// Callbacks point into the loop, so none may run after it, even after an exception.
class CallbackGuard {
public:
    explicit CallbackGuard(std::vector<InferRequest>& requests) : requests_(requests) {}
    ~CallbackGuard() {
        for (auto& request : requests_) {
            try {
                request.wait();
            } catch (const std::exception&) {  // the loop reports it
            }
            request.set_callback(nullptr);
        }
    }
    CallbackGuard(const CallbackGuard&) = delete;
    CallbackGuard& operator=(const CallbackGuard&) = delete;

private:
    std::vector<InferRequest>& requests_;
};

LoopResult measure_async(std::vector<InferRequest>& requests, Turns turns, bool profile) {
    LoopResult result;
    IdleQueue idle;
    std::vector<Turn> begun(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].set_callback([&idle, i](std::exception_ptr) { idle.push(i); });
    }
    const CallbackGuard guard(requests);
    std::size_t running = 0;
    const auto launch = [&](std::size_t i) {
        begun[i] = turns.start(requests[i]);
        requests[i].start_async();
        ++running;
    };
    for (std::size_t i = 0; i < requests.size() && turns.has_next(); ++i) launch(i);
    while (running > 0) {
        const auto ended = idle.pop();
        --running;
        requests[ended.request].wait();  // throws what the inference threw
        result.samples.push_back(turns.end(begun[ended.request], ended.at));
        if (profile) add_profile(result, requests[ended.request]);
        if (turns.has_next()) launch(ended.request);
    }
    result.duration_ms = turns.elapsed_ms();
    return result;
}

}  // namespace

double first_inference(InferRequest& request, const InputSet& inputs) {
    bind_inputs(request, inputs);
    const auto begin = Clock::now();
    request.infer();
    return milliseconds(Clock::now() - begin);
}

LoopResult measure(std::vector<InferRequest>& requests, const std::vector<InputSet>& inputs,
                   const LoopLimits& limits, bool profile) {
    for (auto& request : requests) bind_inputs(request, inputs[0]);
    const std::size_t round = limits.async ? requests.size() : 1;
    const Turns turns(inputs, limits, round);
    return limits.async ? measure_async(requests, turns, profile)
                        : measure_sync(requests[0], turns, profile);
}

}  // namespace rondo::tool
