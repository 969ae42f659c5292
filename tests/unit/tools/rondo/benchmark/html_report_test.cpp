#include "tools/rondo/benchmark/html_report.hpp"

#include <gtest/gtest.h>

#include "tools/rondo/drawing.hpp"

namespace rondo::tool::html_report_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
}

TEST(HtmlReport, TheHistogramCountsEachSample) {
    const std::string picture = histogram_of({{1, 1, 0}, {1, 2, 0}, {1.5, 4, 0}, {2, 6, 0}});
    EXPECT_NE(picture.find(">1.00 ms: 2</title>"), std::string::npos) << picture;
    EXPECT_EQ(count(picture, "ms: 1</title>"), 2u) << picture;
    EXPECT_EQ(histogram_of({}), "");
}

TEST(HtmlReport, SamplesOfOneTimeAreDrawn) {
    EXPECT_EQ(count(course_of({{1, 1, 0}, {1, 2, 0}}), "<circle"), 2u);
    EXPECT_NE(histogram_of({{1, 1, 0}}).find("ms: 1</title>"), std::string::npos);
}

TEST(HtmlReport, TheCourseOfManySamplesKeepsTheSlowest) {
    std::vector<Sample> samples(20000, Sample{1, 0, 0});
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].end_ms = static_cast<double>(i);
    samples[777].latency_ms = 3;
    const std::string picture = course_of(samples);
    EXPECT_EQ(count(picture, "<circle"), 4000u);
    EXPECT_EQ(count(picture, "cy='12'"), 1u);  // the top
}

TEST(HtmlReport, TimesHaveUnitsThatFit) {
    const std::string picture = course_of({{0.02, 0.02, 0}, {0.03, 0.5, 0}});
    EXPECT_NE(picture.find(">20.00 us<"), std::string::npos) << picture;
    EXPECT_NE(picture.find(">500.00 us<"), std::string::npos) << picture;
    EXPECT_NE(course_of({{1, 1, 0}, {1, 61000, 0}}).find(">61.0 s<"), std::string::npos);
}

TEST(HtmlReport, NamesAreEscaped) {
    BenchmarkResult result;
    result.topology = "a<b";
    result.shapes = {"x<y>[1]"};
    result.samples = {{1, 1, 0}};
    result.profiling.resize(1);
    result.profiling[0].status = ProfilingInfo::ExecutionStatus::executed;
    result.profiling[0].node_name = "n<&>";
    const std::string page = html_report(result, {});
    EXPECT_NE(page.find("<h1>a&lt;b on CPU</h1>"), std::string::npos);
    EXPECT_NE(page.find("x&lt;y&gt;[1]"), std::string::npos);
    EXPECT_NE(page.find("n&lt;&amp;&gt;"), std::string::npos);
}

TEST(HtmlReport, SaysWhereAndHowItWasMade) {
    BenchmarkResult result;
    result.samples = {{1, 1, 0}};
    result.api = "async";
    result.requests = 4;
    result.surroundings = {{"Processor", "One & Only"}};
    result.settings = {{"NUM_STREAMS", "2"}};
    result.properties = {{"CACHE_DIR", ""}, {"NUM_STREAMS", "2"}, {"INFERENCE_NUM_THREADS", "8"}};
    BenchmarkOptions options;
    options.command_line = {"benchmark", "-m", "x y.xml"};
    const std::string page = html_report(result, options);
    for (const char* row :
         {"<tr><td>Processor</td><td>One &amp; Only</td></tr>",
          "<tr><td>Command</td><td>rondo benchmark -m 'x y.xml'</td></tr>",
          "<tr><td>API</td><td>async</td></tr>", "<tr><td>Requests</td><td>4</td></tr>",
          "<tr><td>NUM_STREAMS</td><td>2 (set)</td></tr>",
          "<tr><td>INFERENCE_NUM_THREADS</td><td>8</td></tr>"}) {
        EXPECT_NE(page.find(row), std::string::npos) << row << "\n" << page;
    }
    const std::size_t closed = page.find("<details>");
    EXPECT_LT(page.find("<td>INFERENCE_NUM_THREADS"), closed);
    EXPECT_GT(page.find("<td>CACHE_DIR"), closed);
}

// A profile has a row for both layers, and one of no time for the layer that was joined.
TEST(HtmlReport, LayersThatRanAsOneAreColoured) {
    if (!has_graphviz()) GTEST_SKIP() << "needs Graphviz";
    BenchmarkResult result;
    result.samples = {{1, 1, 0}};
    result.profiling.resize(2);
    result.profiling[0].status = ProfilingInfo::ExecutionStatus::executed;
    result.profiling[0].node_name = "first + second";
    result.profiling[0].real_time_ns = std::chrono::microseconds(8);
    result.profiling[1].status = ProfilingInfo::ExecutionStatus::optimized_out;
    result.profiling[1].node_name = "second";
    const PortInfo port{{"p"}, ElementType::f32, {1, 10}};
    result.nodes = {{"x", "Parameter", "opset1", {}, {}, {port}},
                    {"first", "LSTMSequence", "opset5", {}, {{0, 0}}, {port}},
                    {"second", "LSTMSequence", "opset5", {}, {{1, 0}}, {port}}};
    const std::string page = html_report(result, {});
    EXPECT_EQ(count(page, ">8.00 us</text>"), 2u) << page;
    EXPECT_EQ(count(page, ">for first + second</text>"), 2u);
    EXPECT_NE(page.find("Others by time"), std::string::npos);
}

TEST(HtmlReport, LayersHaveSharesOfTheMachinesLimit) {
    BenchmarkResult result;
    result.samples = {{1, 1, 0}};
    result.profiling.resize(2);
    for (auto& row : result.profiling) row.status = ProfilingInfo::ExecutionStatus::executed;
    result.profiling[0].node_name = "product";
    result.profiling[0].real_time_ns = std::chrono::microseconds(8);
    result.profiling[1].node_name = "unknown";
    NodeInfo a{"a", "Parameter", "opset1", {}, {}, {{{"a"}, ElementType::f32, {1, 10}}}};
    NodeInfo b{"b", "Const", "opset1", {}, {}, {{{"b"}, ElementType::f32, {10, 20}}}};
    NodeInfo product{"product", "MatMul",         "opset1",
                     {},        {{0, 0}, {1, 0}}, {{{"c"}, ElementType::f32, {1, 20}}}};
    result.nodes = {a, b, product};
    result.limits = MachineLimits{100, 1e9, "l2", 1};  // 400 flops: 4 us
    const std::string page = html_report(result, {});
    EXPECT_NE(page.find("of the machine's limit</th>"), std::string::npos);
    EXPECT_NE(page.find("<td class='number'>50 %</td>"), std::string::npos) << page;
    EXPECT_NE(page.find("<td class='number'>-</td>"), std::string::npos) << page;
    EXPECT_NE(page.find("More than 100 % means that its bytes lay nearer"), std::string::npos);
    result.limits.reset();
    EXPECT_EQ(html_report(result, {}).find("More than 100 %"), std::string::npos);
}

}  // namespace
}  // namespace rondo::tool::html_report_test
