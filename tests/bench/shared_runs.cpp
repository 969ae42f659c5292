#include "tests/bench/shared_runs.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>

#include "rondo/core.hpp"
#include "tests/support/idle_cpu.hpp"

namespace rondo::cpu::bench {
namespace {

using Clock = std::chrono::steady_clock;

InferRequest request_of(const LayerModelCase& layer, Properties properties, int threads) {
    properties[property::kInferenceNumThreads] = std::to_string(threads);
    auto request =
        Core().compile_model(layer_model(layer), "CPU", properties).create_infer_request();
    Tensor x = request.get_input_tensor();
    std::fill_n(x.data<float>(), x.size(), 0.1f);
    request.infer();
    return request;
}

double infer_microseconds(InferRequest& request) {
    const auto start = Clock::now();
    request.infer();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void run_burst(InferRequest& request, double microseconds, std::vector<double>& calls) {
    for (double total = 0; total < microseconds; total += calls.back()) {
        calls.push_back(infer_microseconds(request));
    }
}

CallTimes summary_of(std::vector<double> calls) {
    std::sort(calls.begin(), calls.end());
    CallTimes times;
    times.median = calls[calls.size() / 2];
    times.p99 = calls[calls.size() * 99 / 100];
    times.mean =
        std::accumulate(calls.begin(), calls.end(), 0.0) / static_cast<double>(calls.size());
    return times;
}

std::string strategy_of(const LayerModelCase& layer, int threads) {
    auto request = request_of(layer, {{property::kPerfCount, "YES"}}, threads);
    for (const ProfilingInfo& row : request.get_profiling_info()) {
        if (row.node_name == "layer") return row.exec_type;
    }
    return "?";
}

}  // namespace

std::vector<CallTimes> time_threads(const LayerModelCase& layer, const std::vector<int>& threads,
                                    const SharedRunOptions& options) {
    std::vector<InferRequest> requests;
    for (const int count : threads) requests.push_back(request_of(layer, {}, count));
    std::vector<std::vector<double>> calls(threads.size());
    for (int round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            run_burst(requests[i], options.burst_microseconds, calls[i]);
        }
    }
    std::vector<CallTimes> times;
    for (auto& of_one : calls) times.push_back(summary_of(std::move(of_one)));
    return times;
}

IdleTimes time_idle(const LayerModelCase& layer, int threads, const SharedRunOptions& options) {
    constexpr std::chrono::milliseconds kIdle{100};
    InferRequest request = request_of(layer, {}, threads);
    std::vector<double> idle, calls;
    for (int round = 0; round < options.rounds; ++round) {
        run_burst(request, options.burst_microseconds / 4, calls);
        idle.push_back(test::idle_cpu_microseconds(kIdle));
    }
    std::sort(idle.begin(), idle.end());
    return {strategy_of(layer, threads), idle[idle.size() / 2], idle.back()};
}

}  // namespace rondo::cpu::bench
