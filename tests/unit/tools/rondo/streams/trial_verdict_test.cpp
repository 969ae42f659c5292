// What a trial of live streams showed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tools/rondo/streams/streams_benchmark.hpp"

namespace rondo::tool::trial_verdict_test {
namespace {

using testing::HasSubstr;

struct Row {
    const char* what;
    double p50, p95, p99;                // milliseconds
    double occupancy, running, waiting;  // shares of the time
    std::size_t rejected, failed;
    bool is_interrupted;
    Verdict verdict;
};

// The bound is 10 ms.
constexpr Row kRows[] = {
    {"all is well", 0.16, 0.29, 2, 0.47, 0.48, 0, 0, 0, false, Verdict::in_time},
    {"in time on a full core", 4, 8, 10, 0.97, 0.99, 0, 0, 0, false, Verdict::in_time},
    {"two stalls of 20 ms", 0.16, 0.29, 30, 0.47, 0.48, 0, 0, 0, false, Verdict::stalled},
    {"a stall that fills queues", 0.16, 0.29, 5, 0.47, 0.48, 0, 12, 0, false, Verdict::stalled},
    {"another program on the core", 8, 40, 90, 0.95, 0.55, 0.44, 0, 0, false, Verdict::stalled},
    {"others between the inferences", 2, 18, 30, 0.3, 0.3, 0.2, 0, 0, false, Verdict::stalled},
    {"the same, without numbers of the kernel", 8, 40, 90, 0.95, 0.55, 0, 0, 0, false,
     Verdict::stalled},
    {"the core is full", 30, 90, 95, 0.97, 0.99, 0, 0, 0, false, Verdict::saturated},
    {"full, and just too late", 4, 9, 10.1, 0.93, 0.97, 0, 0, 0, false, Verdict::saturated},
    {"full with what isn't inference", 4, 9, 11, 0.6, 0.98, 0, 0, 0, false, Verdict::saturated},
    {"full queues on a full core", 4, 9, 10, 0.97, 0.99, 0, 7, 0, false, Verdict::saturated},
    {"one step takes 12 ms", 12, 13, 14, 0.4, 0.4, 0, 0, 0, false, Verdict::slow},
    {"one of ten steps is long", 4, 12, 14, 0.4, 0.4, 0, 0, 0, false, Verdict::slow},
    {"steps fail", 0.1, 0.2, 0.3, 0.4, 0.4, 0, 0, 3, false, Verdict::failed},
    {"Ctrl-C", 0.1, 0.2, 0.3, 0.4, 0.4, 0, 0, 0, true, Verdict::interrupted},
};

LiveResult result_of(const Row& row) {
    LiveResult result;
    result.streams = 300;
    result.latency.median = row.p50;
    result.p95 = row.p95;
    result.latency.p99 = row.p99;
    result.occupancy = row.occupancy;
    result.threads = {row.running, row.waiting};
    result.rejected = row.rejected;
    result.failed = row.failed;
    result.is_interrupted = row.is_interrupted;
    return result;
}

TEST(TrialVerdict, TellsStallsFromSaturation) {
    for (const Row& row : kRows) {
        EXPECT_EQ(verdict_text(verdict_of(result_of(row), 10)), verdict_text(row.verdict))
            << row.what;
    }
}

// The verdicts in turn; the last one stays.
struct Scripted {
    std::vector<Verdict> verdicts;
    std::size_t trials = 0;

    bool holds() {
        return holds_in_any([&] { return verdicts[std::min(trials++, verdicts.size() - 1)]; });
    }
};

TEST(TrialVerdict, StallsAreTriedAgainAndSaturationIsNot) {
    const auto expect = [](std::vector<Verdict> verdicts, bool holds, std::size_t trials) {
        Scripted script{std::move(verdicts)};
        EXPECT_EQ(script.holds(), holds);
        EXPECT_EQ(script.trials, trials);
    };
    using enum Verdict;
    expect({in_time}, true, 1);
    expect({stalled, stalled, in_time}, true, 3);
    expect({stalled, stalled, stalled, stalled, in_time}, true, 5);
    expect({stalled}, false, 5);
    expect({saturated, in_time}, false, 1);
    expect({stalled, saturated, in_time}, false, 2);
    expect({slow, in_time}, true, 2);
    expect({slow}, false, 2);
    expect({failed, in_time}, false, 1);
    expect({interrupted, in_time}, false, 1);
}

TEST(TrialVerdict, SaysWhatTheBoundIs) {
    const auto text = [](const char* what) {
        for (const Row& row : kRows) {
            if (row.what == std::string(what)) return bound_text(result_of(row), 10);
        }
        return std::string("no such row");
    };
    EXPECT_EQ(
        text("the core is full"),
        "With 300 streams the core is the bound: the pool's threads ran 99 % of the time, 97 % "
        "in inferences");
    EXPECT_THAT(text("two stalls of 20 ms"),
                HasSubstr("With 300 streams stalls of the machine are the bound: p50 was 0.16 ms "
                          "and p95 0.29 ms"));
    EXPECT_THAT(text("one step takes 12 ms"), HasSubstr("the time of a step is the bound"));
    EXPECT_THAT(text("steps fail"), HasSubstr("3 steps failed"));
    EXPECT_THAT(text("Ctrl-C"), HasSubstr("interrupted"));
    EXPECT_THAT(text("all is well"), HasSubstr("in time"));
}

}  // namespace
}  // namespace rondo::tool::trial_verdict_test
