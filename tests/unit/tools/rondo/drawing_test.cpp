#include "tools/rondo/drawing.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/tools/rondo/branching_model.hpp"

namespace rondo::tool {
namespace {

//  x --> LSTMSequence "a<b" --> y, with weights that are computed from a constant
std::vector<NodeInfo> nodes() {
    const PortInfo port{{"p"}, ElementType::f32, PartialShape::parse("1,?")};
    NodeInfo x{"x", "Parameter", "opset1", {}, {}, {port}, 0};
    NodeInfo w{"w", "Const", "opset1", {}, {}, {port}, 8};
    NodeInfo split{"parts of w", "Split", "opset1", {}, {{1, 0}}, {port}, 0};
    const std::vector<std::pair<std::string, std::string>> size = {{"hidden_size", "4"}};
    NodeInfo lstm{"a<b", "LSTMSequence", "opset5", size, {{0, 0}, {0, 0}, {2, 0}}, {port}, 0};
    NodeInfo y{"y", "Result", "opset1", {}, {{3, 0}}, {port}, 0};
    return {x, w, split, lstm, y};
}

TEST(Drawing, GraphvizMakesSvgAndPages) {
    if (!has_graphviz()) GTEST_SKIP() << "needs Graphviz";
    const std::string svg = svg_of(to_dot("m & n", nodes()));
    EXPECT_EQ(svg.find("<svg"), 0u);
    EXPECT_NE(svg.find("m &amp; n"), std::string::npos);
    EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    const std::string path = ::testing::TempDir() + "graph.html";
    draw(path, "m & n", nodes());
    std::ifstream file(path);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const char* part : {"<h1>m &amp; n</h1>", "id='search'", "recurrent layers<",
                             "on an edge its type and shape", "LSTMSequence", "</html>"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
}

TEST(Drawing, PagesExplainFrames) {
    if (!has_graphviz()) GTEST_SKIP() << "needs Graphviz";
    const std::string path = ::testing::TempDir() + "frames.html";
    const auto page_of = [&](const std::vector<NodeInfo>& drawn) {
        draw(path, "m", drawn);
        std::ifstream file(path);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    EXPECT_EQ(page_of(nodes()).find("frames: what a node runs"), std::string::npos);
    const std::string page = page_of(branching_model().nodes());
    EXPECT_NE(page.find("frames: what a node runs"), std::string::npos);
    EXPECT_NE(page.find("else_body of choice"), std::string::npos);
}

TEST(Drawing, RefusesOtherFormats) {
    test::expect_error<ModelError>([] { draw("graph.png", "m", nodes()); },
                                   "must end in .dot, .svg or .html");
    test::expect_error<ModelError>([] { draw("/nowhere/g.dot", "m", nodes()); }, "can't write");
}

}  // namespace
}  // namespace rondo::tool
