#include "tools/rondo/drawing.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::tool {
namespace {

//  x --> LSTMSequence "a<b" --> y, and a constant that must not show
std::vector<NodeInfo> nodes() {
    const PortInfo port{{"p"}, ElementType::f32, PartialShape::parse("1,?")};
    NodeInfo x{"x", "Parameter", "opset1", {}, {}, {port}, 0};
    NodeInfo w{"w", "Const", "opset1", {}, {}, {port}, 8};
    NodeInfo lstm{"a<b", "LSTMSequence", "opset5", {}, {{0, 0}, {1, 0}}, {port}, 0};
    NodeInfo y{"y", "Result", "opset1", {}, {{2, 0}}, {port}, 0};
    return {x, w, lstm, y};
}

TEST(Drawing, DotHasNodesAndEdges) {
    const std::string dot = to_dot("m", nodes());
    EXPECT_NE(dot.find("n0 -> n2 [label=\"f32[1,?]\"]"), std::string::npos) << dot;
    EXPECT_NE(dot.find("n2 -> n3"), std::string::npos);
    EXPECT_EQ(dot.find("n1"), std::string::npos) << "a constant was drawn";
}

TEST(Drawing, SvgIsEscaped) {
    const std::string svg = to_svg("m & n", nodes());
    EXPECT_NE(svg.find("m &amp; n"), std::string::npos);
    EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
    EXPECT_EQ(svg.find("Const"), std::string::npos);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(Drawing, RefusesOtherFormats) {
    test::expect_error<ModelError>([] { draw("graph.png", "m", nodes()); },
                                   "must end in .dot or .svg");
    test::expect_error<ModelError>([] { draw("/nowhere/g.svg", "m", nodes()); }, "can't write");
}

}  // namespace
}  // namespace rondo::tool
