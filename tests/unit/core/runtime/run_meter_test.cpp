#include "core/runtime/run_meter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::run_meter_test {
namespace {

Tensor input(std::size_t rows = 1) { return Tensor(ElementType::f32, {rows, 2}); }

InferRequest request_of(CompiledModel& model) {
    InferRequest request = model.create_infer_request();
    request.set_input_tensor(input());
    return request;
}

std::uint64_t sum_of(const Metrics& metrics) {
    std::uint64_t sum = 0;
    for (const auto& one : metrics.latency_histogram) sum += one.count;
    return sum;
}

TEST(RunMeter, StartsWithNothing) {
    const Metrics metrics = CompiledModel(fake_model()).metrics();
    EXPECT_EQ(metrics.inferences, 0u);
    EXPECT_EQ(metrics.failed + metrics.cancelled, 0u);
    EXPECT_EQ(metrics.latency_max.count(), 0);
    EXPECT_TRUE(metrics.latency_histogram.empty());
    expect_error<ModelError>([] { CompiledModel().metrics(); }, "the compiled model is empty");
}

TEST(RunMeter, CountsHowInferencesEnd) {
    int turn = 0;
    CompiledModel model(fake_model([&](const std::atomic<bool>&) {
        ++turn;
        if (turn == 2) throw ModelError("bad");
        if (turn == 3) throw CancelledError("stopped");
    }));
    InferRequest request = request_of(model);
    request.infer();
    expect_error<ModelError>([&] { request.infer(); }, "bad");
    expect_error<CancelledError>([&] { request.infer(); }, "stopped");
    request.infer();
    const Metrics metrics = model.metrics();
    EXPECT_EQ(metrics.inferences, 2u);
    EXPECT_EQ(metrics.failed, 1u);
    EXPECT_EQ(metrics.cancelled, 1u);
    EXPECT_EQ(metrics.running, 0u);
    EXPECT_EQ(sum_of(metrics), 2u);
    EXPECT_LE(metrics.latency_p50, metrics.latency_max);
    EXPECT_GE(metrics.latency_histogram.back().upper, metrics.latency_max);
}

TEST(RunMeter, KeepsWhatRequestsDidThatAreGone) {
    CompiledModel model(fake_model());
    for (int i = 0; i < 3; ++i) request_of(model).infer();
    InferRequest last = request_of(model);
    last.infer();
    EXPECT_EQ(model.metrics().inferences, 4u);
}

TEST(RunMeter, ShowsWhatRunsAndWaits) {
    std::atomic<bool> go{false};
    std::atomic<int> begun{0};
    CompiledModel model(fake_model(
        [&](const std::atomic<bool>&) {
            ++begun;
            while (!go) std::this_thread::yield();
        },
        2));
    std::vector<InferRequest> requests;
    for (int i = 0; i < 5; ++i) requests.push_back(request_of(model));
    for (auto& request : requests) request.start_async();
    while (begun < 2) std::this_thread::yield();
    const Metrics metrics = model.metrics();
    EXPECT_EQ(metrics.running, 2u);
    EXPECT_EQ(metrics.waiting, 3u);
    go = true;
    for (auto& request : requests) request.wait();
    EXPECT_EQ(model.metrics().inferences, 5u);
    EXPECT_EQ(model.metrics().waiting, 0u);
}

TEST(RunMeter, ManyThreadsLoseNoInference) {
    CompiledModel model(fake_model());
    constexpr int kThreads = 4;
    constexpr int kRuns = 200;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
            InferRequest request = request_of(model);
            for (int run = 0; run < kRuns; ++run) request.infer();
        });
    }
    for (int i = 0; i < 20; ++i) EXPECT_LE(model.metrics().inferences, kThreads * kRuns);
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(model.metrics().inferences, kThreads * kRuns);
}

TEST(RunMeter, TheCpuCountsPlansAndMemory) {
    const Core core;
    Model source = core.read_model(kFixture + ".xml");
    source.reshape({{"X", PartialShape{1, Dimension(), 3}}});
    CompiledModel model = core.compile_model(source);
    EXPECT_EQ(model.metrics().plans_made, 0u);
    InferRequest one = model.create_infer_request();
    InferRequest other = model.create_infer_request();
    const auto infer = [](InferRequest& request, std::size_t time) {
        request.set_input_tensor(Tensor(ElementType::f32, {1, time, 3}));
        request.infer();
    };
    for (const std::size_t time : {4u, 9u, 4u, 9u}) infer(one, time);
    EXPECT_EQ(model.metrics().plans_made, 2u);
    EXPECT_EQ(model.metrics().plan_cache_hits, 0u);  // the request knows both
    infer(other, 4);
    const Metrics metrics = model.metrics();
    EXPECT_EQ(metrics.plans_made, 2u);
    EXPECT_EQ(metrics.plan_cache_hits, 1u);
    EXPECT_EQ(metrics.inferences, 5u);
    EXPECT_GT(metrics.arena_bytes, 0u);
}

}  // namespace
}  // namespace rondo::test::run_meter_test
