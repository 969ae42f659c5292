// The trace of one inference.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/rondo/benchmark/benchmark_report.hpp"

namespace rondo::tool::trace_file_test {
namespace {

using std::chrono::nanoseconds;

TEST(TraceFile, HasAnEventForEachSlice) {
    const std::vector<TraceSlice> slices = {
        {"layer", "LSTMSequence", "lstm serial", {}, 0, nanoseconds(500), nanoseconds(2000)},
        {"layer", "LSTMSequence", "lstm serial", 1, 2, nanoseconds(700), nanoseconds(900)}};
    const auto trace = nlohmann::json::parse(trace_json(slices));
    const auto& events = trace["traceEvents"];
    ASSERT_EQ(events.size(), 5u);
    EXPECT_EQ(events[0]["name"], "process_name");
    EXPECT_EQ(events[1]["args"]["name"], "inference");
    EXPECT_EQ(events[2]["args"]["name"], "helper 2");
    EXPECT_EQ(events[3]["ph"], "X");
    EXPECT_EQ(events[3]["ts"], 0.5);
    EXPECT_EQ(events[3]["dur"], 2);
    EXPECT_FALSE(events[3]["args"].contains("part"));
    EXPECT_EQ(events[4]["args"]["part"], 1);
    EXPECT_EQ(events[4]["tid"], 2);
    EXPECT_EQ(events[4]["args"]["kernel"], "lstm serial");
}

}  // namespace
}  // namespace rondo::tool::trace_file_test
