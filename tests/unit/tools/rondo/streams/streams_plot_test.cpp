#include "tools/rondo/streams/streams_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::tool::streams_plot_test {
namespace {

using testing::HasSubstr;

LiveResult result_of(std::size_t streams, double p50, double p99) {
    LiveResult result;
    result.streams = streams;
    result.latency.median = p50;
    result.latency.p99 = p99;
    return result;
}

TEST(StreamsPlot, DrawsBothLinesInOrder) {
    const std::string svg = plot_of("a < b", {result_of(64, 1, 30), result_of(16, 0.5, 0.9)}, 10);
    EXPECT_THAT(svg, HasSubstr("a &lt; b"));
    EXPECT_THAT(svg, HasSubstr(">p50</text>"));
    EXPECT_THAT(svg, HasSubstr(">p99</text>"));
    EXPECT_THAT(svg, HasSubstr(">16</text>"));
    EXPECT_THAT(svg, HasSubstr(">64</text>"));
    EXPECT_THAT(svg, HasSubstr("points='70,"));  // the fewest streams are at the left
    EXPECT_THAT(svg, HasSubstr("</svg>"));
}

// One trial, and a latency of nothing, still make a picture without infinite places.
TEST(StreamsPlot, DrawsASingleTrial) {
    const std::string svg = plot_of("x", {result_of(1, 0, 0)}, 10);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace rondo::tool::streams_plot_test
