#include "plugins/cpu/plugin/threads/pinning.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/runtime/compiled_model_impl.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::cpu::pinning_test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongest{60};

std::vector<int> cores_of(::pid_t thread) {
    std::vector<int> cores;
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(thread, sizeof(set), &set);
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
    return cores;
}

::pid_t this_thread() { return static_cast<::pid_t>(::syscall(SYS_gettid)); }

// What a thread of TBB's saw of itself while it worked for a team.
struct Worker {
    ::pid_t thread = 0;
    std::vector<int> cores;
};

// Keeps the caller in its slice until a worker has taken the other.
Worker meet_worker(Team& team) {
    Worker worker;
    std::atomic<bool> met{false};
    const ::pid_t caller = this_thread();
    const auto end = Clock::now() + kLongest;
    while (!met && Clock::now() < end) {
        team.run(2, [&](int) {
            if (this_thread() != caller) {
                worker = {this_thread(), cores_of(0)};
                met = true;
            }
            while (!met && Clock::now() < end) std::this_thread::yield();
        });
    }
    return worker;
}

TeamOptions pinned_pair() {
    TeamOptions options;
    options.threads = 2;
    options.pins = allowed_cores();
    return options;
}

class Pinning : public ::testing::Test {
protected:
    void SetUp() override {
        if (allowed_cores().size() < 2) GTEST_SKIP() << "needs two cores";
    }
};

TEST_F(Pinning, WorkersStayOnOneCoreAndCallersAreLeftAlone) {
    const auto before = cores_of(0);
    const auto team = make_team(pinned_pair());
    const Worker worker = meet_worker(*team);
    ASSERT_NE(worker.thread, 0) << "no thread of TBB's came";
    ASSERT_EQ(worker.cores.size(), 1u);
    EXPECT_EQ(worker.cores[0], before[1]);  // the first is the caller's share
    EXPECT_EQ(cores_of(0), before);
}

TEST_F(Pinning, WorkersGetTheirMaskBack) {
    auto team = make_team(pinned_pair());
    const Worker worker = meet_worker(*team);
    ASSERT_NE(worker.thread, 0) << "no thread of TBB's came";
    team.reset();
    EXPECT_EQ(cores_of(worker.thread), allowed_cores());
}

TEST_F(Pinning, WithoutItWorkersMayRunAnywhere) {
    const auto team = make_team(2);
    const Worker worker = meet_worker(*team);
    ASSERT_NE(worker.thread, 0) << "no thread of TBB's came";
    EXPECT_EQ(worker.cores, allowed_cores());
}

TEST_F(Pinning, StreamsShareTheCores) {
    const auto cores = allowed_cores();
    for (const std::size_t stream : {std::size_t{0}, std::size_t{1}, cores.size()}) {
        std::thread([&] {
            pin_stream(stream, 1, cores);
            EXPECT_EQ(cores_of(0), std::vector<int>{cores[stream % cores.size()]});
            EXPECT_EQ(first_core_of_stream(), stream);
        }).join();
    }
    EXPECT_EQ(first_core_of_stream(), 0u);
    EXPECT_EQ(allowed_cores(), cores);
}

TEST_F(Pinning, AStreamThatAPinnedThreadStartsGetsItsOwnCore) {
    const auto x = test::parameter("x", {2});
    const auto graph = test::graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::tanh, x)});
    const auto device = test::on_cpu(*graph, {{property::kNumStreams, "2"},
                                              {property::kInferenceNumThreads, "2"},
                                              {property::kEnableCpuPinning, "YES"}});
    const auto cores = allowed_cores();
    std::thread([&] {
        device.executable->enter_stream(0);
        EXPECT_EQ(cores_of(0), std::vector<int>{cores[0]});
        std::thread([&] {
            device.executable->enter_stream(1);
            EXPECT_EQ(cores_of(0), std::vector<int>{cores[1]});
        }).join();
    }).join();
}

TEST_F(Pinning, ANarrowedThreadSeesWhatItMayUse) {
    const int last = allowed_cores().back();
    std::thread([&] {
        pin_stream(0, 1, {last});
        EXPECT_EQ(allowed_cores(), std::vector<int>{last});
        EXPECT_EQ(available_cores(), 1);
    }).join();
}

TEST_F(Pinning, TheBackgroundThreadsOfACompiledModelArePinned) {
    const auto x = test::parameter("x", {2});
    const auto graph = test::graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::tanh, x)});
    for (const bool pinned : {true, false}) {
        auto device = test::on_cpu(*graph, {{property::kNumStreams, "2"},
                                            {property::kEnableCpuPinning, pinned ? "YES" : "NO"}});
        CompiledModel model(std::make_shared<CompiledModel::Impl>(
            nullptr, std::move(device.executable), std::size_t{2}));
        EXPECT_EQ(model.get_property(property::kEnableCpuPinning), pinned ? "YES" : "NO");
        InferRequest request = model.create_infer_request();
        request.set_input_tensor(test::tensor_of<float>({2}, {1, 2}));
        std::vector<int> cores;
        request.set_callback([&](std::exception_ptr) { cores = cores_of(0); });
        request.start_async();
        request.wait();
        EXPECT_EQ(cores.size(), pinned ? 1u : allowed_cores().size());
    }
}

}  // namespace
}  // namespace rondo::cpu::pinning_test
