#include "tools/rondo/benchmark/counters.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rondo::tool::counters_test {
namespace {

using Status = ProfilingInfo::ExecutionStatus;

ProfilingInfo row(const char* name, Status status, long nanoseconds) {
    ProfilingInfo info;
    info.status = status;
    info.real_time_ns = std::chrono::nanoseconds(nanoseconds);
    info.node_name = name;
    info.node_type = "Add";
    info.exec_type = "a \"kernel\"";
    return info;
}

std::vector<ProfilingInfo> rows() {
    return {row("a", Status::executed, 1000), row("b", Status::not_run, 0),
            row("c", Status::executed, 3000)};
}

std::string names(const std::vector<ProfilingInfo>& rows) {
    std::string text;
    for (const auto& row : rows) text += row.node_name;
    return text;
}

TEST(Counters, AreOrdered) {
    EXPECT_EQ(names(ordered(rows(), "")), "abc");
    EXPECT_EQ(names(ordered(rows(), "no_sort")), "abc");
    EXPECT_EQ(names(ordered(rows(), "sort")), "cab");
    EXPECT_EQ(names(ordered(rows(), "simple_sort")), "ac");
    EXPECT_EQ(total_microseconds(rows()), 4);
}

TEST(Counters, HaveTheKeysOfBenchmarkApp) {
    const auto report = nlohmann::json::parse(counters_json(rows(), "average"));
    EXPECT_EQ(report["report_type"], "average");
    const auto& performance = report["avg_performance"];
    EXPECT_DOUBLE_EQ(performance["total_real_time"], 0.004);
    EXPECT_EQ(performance["nodes"][2]["name"], "c");
    EXPECT_EQ(performance["nodes"][1]["status"], "Status.NOT_RUN");
    EXPECT_EQ(performance["nodes"][2]["%"], 75);
}

TEST(Counters, MeasureANodeOrSeveral) {
    const std::set<std::string> nodes = {"a", "b", "a + c"};
    using Names = std::vector<std::string>;
    EXPECT_EQ(measured_nodes(row("a", Status::executed, 1), nodes), Names{"a"});
    EXPECT_EQ(measured_nodes(row("a + c", Status::executed, 1), nodes), Names{"a + c"});
    EXPECT_EQ(measured_nodes(row("a + b", Status::executed, 1), nodes), (Names{"a", "b"}));
    EXPECT_EQ(measured_nodes(row("a + d", Status::executed, 1), nodes), Names{});
    EXPECT_EQ(measured_nodes(row("", Status::executed, 1), nodes), Names{});
}

TEST(Counters, ColumnsAreAsWideAsTheirTexts) {
    auto shown = rows();
    shown[0].exec_type = std::string(50, 'k');
    shown[2].exec_type = std::string(90, 'k');  // alone out of line
    shown[1].node_type = "GroupConvolutionBackpropData";
    ::testing::internal::CaptureStdout();
    print_counters(shown);
    const std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("Add" + std::string(25, ' ') + "  " + std::string(50, 'k') + "  a\n"),
              std::string::npos)
        << text;
    EXPECT_NE(
        text.find("GroupConvolutionBackpropData  a \"kernel\"" + std::string(40, ' ') + "  b\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find(std::string(90, 'k') + "  c\n"), std::string::npos) << text;
}

TEST(Counters, AreQuotedInCsv) {
    EXPECT_EQ(counters_csv({row("x;\"y\"", Status::executed, 1500)}),
              "name;status;type;kernel;real time (us)\n"
              "\"x;\"\"y\"\"\";EXECUTED;Add;\"a \"\"kernel\"\"\";1.5\n");
}

}  // namespace
}  // namespace rondo::tool::counters_test
