#include "tools/rondo/benchmark/benchmark_loop.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/support/expect_error.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::tool::benchmark_loop_test {
namespace {

using test::expect_error;

std::vector<InferRequest> requests_of(test::Behaviour behaviour, std::size_t count) {
    CompiledModel model(test::fake_model(std::move(behaviour)));
    std::vector<InferRequest> requests;
    for (std::size_t i = 0; i < count; ++i) requests.push_back(model.create_infer_request());
    return requests;
}

InputSet rows(std::size_t count) { return {{"x", Tensor(ElementType::f32, {count, 2})}}; }

std::size_t rows_of_output(InferRequest& request) { return request.get_tensor("y").shape()[0]; }

TEST(BenchmarkLoop, SynchronousRunsStopAtTheCount) {
    std::atomic<int> runs = 0;
    auto requests = requests_of([&](const auto&) { ++runs; }, 1);
    const auto result = measure(requests, {rows(1)}, {.iterations = 7, .async = false}, false);
    EXPECT_EQ(runs, 7);
    EXPECT_EQ(result.samples.size(), 7u);
    double sum = 0;
    for (const Sample& sample : result.samples) {
        EXPECT_GE(sample.end_ms, sum + sample.latency_ms);
        sum += sample.latency_ms;
    }
    EXPECT_GE(result.duration_ms, sum);
    EXPECT_EQ(result.profiled, 0u);
}

// 7 inferences on 3 requests: the third round is completed.
TEST(BenchmarkLoop, AsynchronousRunsCompleteTheRound) {
    std::atomic<int> runs = 0;
    auto requests = requests_of([&](const auto&) { ++runs; }, 3);
    const auto result = measure(requests, {rows(1)}, {.iterations = 7}, false);
    EXPECT_EQ(runs, 9);
    EXPECT_EQ(result.samples.size(), 9u);
}

TEST(BenchmarkLoop, StopsAtTheTime) {
    for (const bool async : {false, true}) {
        auto requests = requests_of({}, 2);
        const auto result = measure(requests, {rows(1)}, {.seconds = 0.02, .async = async}, false);
        EXPECT_GE(result.duration_ms, 20.0);
        EXPECT_GT(result.samples.size(), 1u);
    }
}

TEST(BenchmarkLoop, InputSetsTakeTurns) {
    auto requests = requests_of({}, 1);
    const std::vector<InputSet> sets = {rows(1), rows(2), rows(3)};
    for (const std::size_t iterations : {1, 2, 3, 4, 5}) {
        measure(requests, sets, {.iterations = iterations, .async = false}, false);
        EXPECT_EQ(rows_of_output(requests[0]), (iterations - 1) % 3 + 1);
    }
    const auto result = measure(requests, sets, {.iterations = 5, .async = false}, false);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(result.samples[i].inputs, i % 3);
    measure(requests, sets, {.iterations = 5}, false);
    EXPECT_EQ(rows_of_output(requests[0]), 2u);
}

TEST(BenchmarkLoop, KeepsToARate) {
    for (const bool async : {false, true}) {
        auto requests = requests_of({}, 2);
        const auto result = measure(requests, {rows(1)},
                                    {.iterations = 6, .async = async, .most_rate = 200}, false);
        EXPECT_EQ(result.samples.size(), 6u);
        EXPECT_GE(result.duration_ms, 25.0);  // the sixth starts after five times 5 ms
    }
}

TEST(BenchmarkLoop, EndsWhenItIsTold) {
    for (const bool async : {false, true}) {
        auto requests = requests_of({}, 3);
        const LoopLimits limits{.iterations = 1000,
                                .async = async,
                                .goes_on = [](std::size_t started) { return started < 5; }};
        EXPECT_EQ(measure(requests, {rows(1)}, limits, false).samples.size(), 5u);
    }
}

TEST(BenchmarkLoop, FilledInputsAreCopies) {
    auto requests = requests_of({}, 1);
    const InputSet inputs = rows(2);
    measure(requests, {inputs}, {.iterations = 2, .async = false, .fills_inputs = true}, false);
    EXPECT_NE(requests[0].get_tensor("x").data(), inputs.at("x").data());
    measure(requests, {inputs}, {.iterations = 2, .async = false}, false);
    EXPECT_EQ(requests[0].get_tensor("x").data(), inputs.at("x").data());
}

TEST(BenchmarkLoop, TheFirstInferenceBindsItsInputs) {
    auto requests = requests_of({}, 1);
    EXPECT_GE(first_inference(requests[0], rows(4)), 0.0);
    EXPECT_EQ(rows_of_output(requests[0]), 4u);
}

// Callbacks point into the loop, which is gone: later inferences must not call them.
TEST(BenchmarkLoop, AFailureEndsTheLoopAndItsCallbacks) {
    std::atomic<int> runs = 0;
    auto requests = requests_of(
        [&](const auto&) {
            if (++runs == 4) throw ModelError("the fourth");
        },
        3);
    // The other requests go on until the loop has seen the exception.
    constexpr std::size_t kMany = 10'000'000;
    expect_error<ModelError>([&] { measure(requests, {rows(1)}, {.iterations = kMany}, false); },
                             "the fourth");
    EXPECT_LT(runs, static_cast<int>(kMany));
    for (auto& request : requests) {
        request.start_async();
        request.wait();
        EXPECT_EQ(rows_of_output(request), 1u);
    }
}

}  // namespace
}  // namespace rondo::tool::benchmark_loop_test
