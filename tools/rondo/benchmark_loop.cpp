#include "benchmark_loop.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace rondo::tool {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

// Other inputs belong to another stream: the last stream's state may not fit their batch.
void bind(InferRequest& request, const InputSet& inputs) {
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
        if (rows[i].status != ProfilingInfo::Status::executed) continue;
        row.status = rows[i].status;  // such as a branch that the first inference didn't take
        row.exec_type = rows[i].exec_type;
    }
}

bool goes_on(const LoopLimits& limits, std::size_t done, Clock::time_point start,
             std::size_t round) {
    if (done % round != 0) return true;  // complete the round
    if (limits.iterations > 0 && done >= limits.iterations) return false;
    return limits.seconds <= 0 || milliseconds(Clock::now() - start) < limits.seconds * 1e3;
}

LoopResult measure_sync(InferRequest& request, const std::vector<InputSet>& inputs,
                        const LoopLimits& limits, bool profile) {
    LoopResult result;
    const auto start = Clock::now();
    for (std::size_t done = 0; goes_on(limits, done, start, 1); ++done) {
        if (inputs.size() > 1) bind(request, inputs[done % inputs.size()]);
        const auto begin = Clock::now();
        request.infer();
        result.latencies_ms.push_back(milliseconds(Clock::now() - begin));
        if (profile) add_profile(result, request);
    }
    result.duration_ms = milliseconds(Clock::now() - start);
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

LoopResult measure_async(std::vector<InferRequest>& requests, const std::vector<InputSet>& inputs,
                         const LoopLimits& limits, bool profile) {
    LoopResult result;
    IdleQueue idle;
    std::vector<Clock::time_point> begun(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].set_callback([&idle, i](std::exception_ptr) { idle.push(i); });
    }
    const CallbackGuard guard(requests);
    const auto start = Clock::now();
    std::size_t started = 0;
    std::size_t running = 0;
    const auto launch = [&](std::size_t i) {
        if (inputs.size() > 1) bind(requests[i], inputs[started % inputs.size()]);
        begun[i] = Clock::now();
        requests[i].start_async();
        ++started;
        ++running;
    };
    for (std::size_t i = 0; i < requests.size(); ++i) launch(i);
    while (running > 0) {
        const auto ended = idle.pop();
        --running;
        requests[ended.request].wait();  // throws what the inference threw
        result.latencies_ms.push_back(milliseconds(ended.at - begun[ended.request]));
        if (profile) add_profile(result, requests[ended.request]);
        if (goes_on(limits, started, start, requests.size())) launch(ended.request);
    }
    result.duration_ms = milliseconds(Clock::now() - start);
    return result;
}

}  // namespace

double first_inference(InferRequest& request, const InputSet& inputs) {
    bind(request, inputs);
    const auto begin = Clock::now();
    request.infer();
    return milliseconds(Clock::now() - begin);
}

LoopResult measure(std::vector<InferRequest>& requests, const std::vector<InputSet>& inputs,
                   const LoopLimits& limits, bool profile) {
    for (auto& request : requests) bind(request, inputs[0]);
    return limits.async ? measure_async(requests, inputs, limits, profile)
                        : measure_sync(requests[0], inputs, limits, profile);
}

}  // namespace rondo::tool
