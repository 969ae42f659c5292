#include "plugins/cpu/plugin/run/run_trace.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/run/step_profile.hpp"
#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::run_trace_test {
namespace {

using Clock = RunTrace::Clock;
using std::chrono::microseconds;

TEST(RunTrace, SortsByTheBeginning) {
    RunTrace trace;
    trace.restart();
    const auto start = trace.start();
    const int outer = 0;
    const int inner = 0;
    trace.add(&inner, 0, start, start + microseconds(1));
    trace.add(&inner, 1, start + microseconds(2), start + microseconds(3));
    trace.add(&outer, RunTrace::kWhole, start, start + microseconds(4));
    const auto events = trace.events();
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].step, &outer);
    EXPECT_EQ(events[1].part, 0);
    EXPECT_EQ(events[2].part, 1);
    EXPECT_EQ(events[0].thread, trace.thread());
    trace.restart();
    EXPECT_TRUE(trace.events().empty());
}

TEST(RunTrace, HasRoomForAllTheSecondTime) {
    constexpr std::size_t kMany = 10000;
    RunTrace trace;
    std::size_t kept = 0;
    for (int i = 0; i < 2; ++i) {
        trace.restart();
        for (std::size_t at = 0; at < kMany; ++at) {
            trace.add(&trace, 0, trace.start(), trace.start());
        }
        EXPECT_GT(trace.events().size(), kept);
        kept = trace.events().size();
    }
    EXPECT_EQ(kept, kMany);
}

// Two threads whatever the machine has.
class TwoThreads final : public Team {
public:
    int size() const override { return 2; }
    void run(int slices, FunctionRef<void(int)> body) override {
        std::thread other([&] { body(slices - 1); });
        for (int slice = 0; slice + 1 < slices; ++slice) body(slice);
        other.join();
    }
};

TEST(RunTrace, PartsBelongToTheStepThatRuns) {
    const auto program = std::make_shared<PlannedProgram>(test::open_program(), 1);
    RunTrace trace;
    StepProfile profile(program->program());
    profile.trace_to(trace);
    trace.restart();
    TwoThreads threads;
    TracingTeam team(threads, trace);
    EXPECT_EQ(team.size(), 2);
    const std::size_t twice = test::step_of(program->program(), "twice");
    {
        const StepTimer timer(&profile[twice]);
        team.run(2, [](int) {});
    }
    EXPECT_EQ(trace.running, nullptr);
    const auto slices = profile.slices(trace);
    ASSERT_EQ(slices.size(), 3u);
    for (const TraceSlice& slice : slices) EXPECT_EQ(slice.node_name, "twice");
    EXPECT_FALSE(slices[0].part);
    EXPECT_EQ(slices[0].thread, 0);
    int on_others = 0;
    for (const TraceSlice& slice : slices) {
        on_others += slice.thread == 1 ? 1 : 0;
        EXPECT_GE(slice.start, slices[0].start);
        EXPECT_LE(slice.start + slice.duration, slices[0].start + slices[0].duration);
    }
    EXPECT_EQ(on_others, 1);
}

TEST(RunTrace, StepsOfBodiesLieInTheirs) {
    const auto program = std::make_shared<PlannedProgram>(test::open_program(), 1);
    RunTrace trace;
    StepProfile profile(program->program());
    profile.trace_to(trace);
    trace.restart();
    SerialTeam serial;
    TracingTeam team(serial, trace);
    const auto entry = [&](const char* name) {
        return &profile[test::step_of(program->program(), name)];
    };
    {
        const StepTimer outer(entry("head"));
        { const StepTimer inner(entry("twice")); }
        team.run(1, [](int) {});
    }
    const auto slices = profile.slices(trace);
    ASSERT_EQ(slices.size(), 3u);
    EXPECT_EQ(slices[0].node_name, "head");
    EXPECT_EQ(slices[1].node_name, "twice");
    EXPECT_EQ(slices[2].node_name, "head");
    EXPECT_EQ(slices[2].part, 0);
}

}  // namespace
}  // namespace rondo::cpu::run_trace_test
