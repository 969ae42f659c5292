// Objects that come and go: any order of destruction, callbacks that do everything, cancelling, and
// thousands of compilations that leak nothing.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/ops/product/matmul.hpp"
#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "rondo/stream_pool.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::lifecycle_test {
namespace {

using std::chrono::milliseconds;

long long wanted_cycles() {
    constexpr long long kFew = 200;
    long long wanted = kFew;
    parse_int(env("RONDO_TEST_CYCLES").value_or(""), wanted);
    return wanted;
}

struct Usage {
    std::size_t heap = 0;
    std::size_t mappings = 0;
    std::size_t threads = 0;
};

Usage usage_now() {
    Usage usage;
    usage.heap = ::mallinfo2().uordblks;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) ++usage.mappings;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        usage.threads += thread.exists() ? 1 : 0;
    }
    return usage;
}

// Everything that a program does with a model, once.
void use(const std::string& path) {
    Core core;
    CompiledModel compiled =
        core.compile_model(path, "CPU", {{property::kInferenceNumThreads, "2"}});
    const auto inputs = inputs_of(compiled.inputs(), 2);
    InferRequest request = compiled.create_infer_request();
    infer_once(request, inputs, compiled.outputs().size());
    request.start_async();
    request.wait();
    for (VariableState& state : request.query_state()) state.reset();
    compiled.runtime_model();
    StreamPool pool = compiled.create_stream_pool();
    Stream stream = pool.open();
    stream.push(inputs_of(compiled.inputs(), 1)).wait_for(milliseconds(1000));
}

// RONDO_TEST_CYCLES=10000 as a last check; ctest runs a few hundred.
TEST(Lifecycle, CompilingAndDestroyingLeavesNothing) {
    if (kIsSanitized) GTEST_SKIP() << "sanitizers have mappings of their own";
    if (!std::filesystem::exists("/proc/self/maps")) GTEST_SKIP() << "no /proc here";
    const long long cycles = wanted_cycles();
    const auto run = [&](long long count) {
        for (long long i = 0; i < count; ++i) {
            use(path_of(kFaultModels[static_cast<std::size_t>(i) % std::size(kFaultModels)]));
        }
    };
    run(cycles / 4 + 20);
    const Usage before = usage_now();
    run(cycles);
    const Usage after = usage_now();
    constexpr std::size_t kBytes = 1 << 20;
    EXPECT_LT(after.heap, before.heap + kBytes);
    EXPECT_LE(after.mappings, before.mappings + 20);
    EXPECT_LE(after.threads, before.threads + 1);
    std::printf("%lld cycles: %.3f MB of heap before, %.3f after; %zu and %zu mappings\n", cycles,
                static_cast<double>(before.heap) * 1e-6, static_cast<double>(after.heap) * 1e-6,
                before.mappings, after.mappings);
}

// One handle of each kind, while an inference and a step run. `output` has the value `expected`.
struct Objects {
    std::vector<std::shared_ptr<void>> handles;
    std::weak_ptr<Tensor> output;
    Tensor expected;

    template <typename T>
    std::shared_ptr<T> keep(T object) {
        auto kept = std::make_shared<T>(std::move(object));
        handles.push_back(kept);
        return kept;
    }
};

Objects make_objects() {
    Objects made;
    const auto core = made.keep(Core());
    const auto model = made.keep(core->read_model(path_of(kFaultModels[1])));  // has variables
    const auto compiled = made.keep(core->compile_model(*model));
    const auto inputs = inputs_of(compiled->inputs(), 1);
    const auto request = made.keep(compiled->create_infer_request());
    made.expected = infer_once(*request, inputs, compiled->outputs().size())[0];
    made.output = made.keep(request->get_output_tensor(0));
    made.keep(request->query_state());
    const auto other = made.keep(compiled->create_infer_request());
    for (std::size_t i = 0; i < inputs.size(); ++i) other->set_input_tensor(i, inputs[i]);
    const auto pool = made.keep(compiled->create_stream_pool());
    const auto stream = made.keep(pool->open());
    made.keep(stream->push(inputs));
    other->start_async();
    return made;
}

TEST(Lifecycle, ObjectsMayGoInAnyOrder) {
    Rng rng = test_rng();
    for (int round = 0; round < 60; ++round) {
        Objects objects = make_objects();
        std::shuffle(objects.handles.begin(), objects.handles.end(), rng);
        while (!objects.handles.empty()) {
            if (const auto alive = objects.output.lock()) expect_same(*alive, objects.expected);
            objects.handles.pop_back();
        }
    }
}

class Callbacks : public ::testing::Test {
protected:
    CompiledModel compile(const char* streams = "1") const {
        return core.compile_model(path, "CPU", {{property::kNumStreams, streams}});
    }
    InferRequest ready(CompiledModel& compiled) const {
        InferRequest request = compiled.create_infer_request();
        for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
        return request;
    }

    Core core;
    std::string path = path_of(kFaultModels[0]);
    CompiledModel reference = core.compile_model(path);
    std::vector<Tensor> inputs = inputs_of(reference.inputs(), 3);
    InferRequest first = reference.create_infer_request();
    std::vector<Tensor> expected = infer_once(first, inputs, reference.outputs().size());
};

// In the one thread that there is for the background.
TEST_F(Callbacks, MayInferCompileAndWait) {
    CompiledModel compiled = compile();
    InferRequest request = ready(compiled);
    InferRequest other = ready(compiled);
    InferRequest third = ready(compiled);
    std::atomic<int> steps{0};
    request.set_callback([&](std::exception_ptr) {
        request.infer();
        ++steps;
        other.infer();
        ++steps;
        other.start_async();
        other.wait();
        ++steps;
        third.start_async();
        other.start_async();
        other.wait();
        third.wait();
        ++steps;
        CompiledModel own = compile();
        ready(own).infer();
        ++steps;
    });
    request.start_async();
    request.wait();
    EXPECT_EQ(steps, 5);
    expect_same(other.get_output_tensor(0), expected[0]);
    expect_same(request.get_output_tensor(0), expected[0]);
}

// With a time limit, too, the thread runs what it waits for.
TEST_F(Callbacks, MayWaitForATime) {
    CompiledModel compiled = compile();
    InferRequest request = ready(compiled);
    InferRequest other = ready(compiled);
    std::atomic<bool> in_time{false};
    std::atomic<bool> in_no_time{false};
    request.set_callback([&](std::exception_ptr) {
        other.start_async();
        in_time = other.wait_for(std::chrono::seconds(20));
        other.start_async();
        while (!other.wait_for(std::chrono::milliseconds(0))) {
        }
        in_no_time = true;
        EXPECT_FALSE(request.wait_for(std::chrono::milliseconds(1)));
    });
    request.start_async();
    request.wait();
    EXPECT_TRUE(in_time);
    EXPECT_TRUE(in_no_time);
    expect_same(other.get_output_tensor(0), expected[0]);
}

// The one that waits for the first is queued before what the first waits for.
TEST_F(Callbacks, MayWaitWhileOthersWaitForThem) {
    CompiledModel compiled = compile();
    InferRequest first = ready(compiled);
    InferRequest waits = ready(compiled);
    InferRequest last = ready(compiled);
    std::atomic<bool> waited{false};
    waits.set_callback([&](std::exception_ptr) {
        first.wait();
        waited = true;
    });
    first.set_callback([&](std::exception_ptr) {
        waits.start_async();
        last.start_async();
        last.wait();
        EXPECT_FALSE(waited);
    });
    first.start_async();
    first.wait();
    waits.wait();
    EXPECT_TRUE(waited);
    expect_same(last.get_output_tensor(0), expected[0]);
}

// A callback starts its request again and waits for one whose callback waits for that.
TEST_F(Callbacks, MayWaitForWhatOthersStartAgain) {
    CompiledModel compiled = compile("2");
    InferRequest again = ready(compiled);
    InferRequest waits = ready(compiled);
    std::atomic<int> turns{0};
    std::atomic<bool> is_waiting{false};
    again.set_callback([&](std::exception_ptr) {
        if (turns++ > 0) return;
        while (!is_waiting) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        again.start_async();
        waits.wait();
    });
    waits.set_callback([&](std::exception_ptr) {
        is_waiting = true;
        again.wait();
    });
    again.start_async();
    waits.start_async();
    waits.wait();
    again.wait();
    EXPECT_EQ(turns, 2);
}

// On the only thread, a callback waits for what another thread is about to start.
TEST_F(Callbacks, MayWaitForWhatIsJustStarted) {
    CompiledModel compiled = compile();
    InferRequest request = ready(compiled);
    InferRequest other = ready(compiled);
    for (int round = 0; round < 2000; ++round) {
        std::atomic<bool> goes{false};
        request.set_callback([&](std::exception_ptr) {
            goes = true;
            using Clock = std::chrono::steady_clock;
            const auto end = Clock::now() + std::chrono::nanoseconds(250) * (round % 40);
            while (Clock::now() < end) {
            }
            other.wait();
        });
        request.start_async();
        while (!goes) {
        }
        other.start_async();
        request.wait();
        other.wait();
    }
    expect_same(other.get_output_tensor(0), expected[0]);
}

// Threads that try again while the request is busy never run it at once.
TEST_F(Callbacks, RequestsRunOneInferenceAtATime) {
    CompiledModel compiled = compile();
    InferRequest request = ready(compiled);
    std::vector<std::thread> threads;
    std::atomic<int> done{0};
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int left = 200; left > 0;) {
                try {
                    request.infer();
                    ++done;
                    --left;
                } catch (const ModelError&) {  // busy
                    std::this_thread::yield();
                }
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(done, 800);
    expect_same(request.get_output_tensor(0), expected[0]);
}

TEST_F(Callbacks, MayNotWaitForThemselves) {
    CompiledModel compiled = compile();
    InferRequest request = ready(compiled);
    request.set_callback([&](std::exception_ptr) { request.wait(); });
    request.start_async();
    expect_error<ModelError>([&] { request.wait(); },
                             "a callback can't wait for the inference that it is called for");
    request.set_callback({});
    request.start_async();
    request.wait();
    expect_same(request.get_output_tensor(0), expected[0]);
}

TEST_F(Callbacks, MayDropTheLastHandles) {
    struct Slot {
        CompiledModel compiled;
        InferRequest request;
    };
    std::vector<Slot> slots(20);
    std::atomic<std::size_t> ended{0};
    for (Slot& slot : slots) {
        slot.compiled = compile();
        slot.request = ready(slot.compiled);
        InferRequest request = slot.request;
        request.set_callback([&](std::exception_ptr) {
            slot.request = {};
            slot.compiled = {};
            ++ended;
        });
        request.start_async();
    }
    while (ended < slots.size()) std::this_thread::yield();
}

TEST_F(Callbacks, WhatTheyThrowReachesTheNextWaitAlone) {
    CompiledModel compiled = compile("2");
    InferRequest request = ready(compiled);
    for (int i = 0; i < 10; ++i) {
        request.set_callback([](std::exception_ptr) { throw 5; });
        request.start_async();
        EXPECT_THROW(request.wait(), int);
        request.set_callback({});
        request.start_async();
        EXPECT_NO_THROW(request.wait());
    }
}

// A chain of products that takes long.
TEST(Cancelling, StopsEveryKindOfRun) {
    const auto x = parameter("x", {256, 256});
    Output value = x;
    const Output weights = constant(Tensor(ElementType::f32, {256, 256}), "w");
    for (int i = 0; i < 2000; ++i) value = make_node<ops::MatMul>(value, weights);
    const auto graph = graph_of({x}, {value});
    for (const char* device : {"CPU", "REFERENCE"}) {
        CompiledModel compiled = Core().compile_model(Model(graph), device);
        InferRequest request = compiled.create_infer_request();
        request.set_input_tensor(0, Tensor(ElementType::f32, {256, 256}));
        request.start_async();
        std::this_thread::sleep_for(milliseconds(5));
        request.cancel();
        expect_error<CancelledError>([&] { request.wait(); }, "cancelled");
        std::atomic<bool> ended{false};
        std::thread canceller([&] {
            while (!ended) {
                request.cancel();
                std::this_thread::sleep_for(milliseconds(1));
            }
        });
        expect_error<CancelledError>([&] { request.infer(); }, "cancelled");
        ended = true;
        canceller.join();
    }
}

}  // namespace
}  // namespace rondo::test::lifecycle_test
