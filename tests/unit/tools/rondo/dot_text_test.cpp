// Graphs in Graphviz's language.
#include <gtest/gtest.h>

#include "tests/unit/tools/rondo/branching_model.hpp"
#include "tests/unit/tools/rondo/layer_nodes.hpp"
#include "tools/rondo/drawing.hpp"

namespace rondo::tool::dot_text_test {
namespace {

TEST(DotText, DotHasNodesAndEdges) {
    const std::string dot = to_dot("m", layer_nodes());
    EXPECT_NE(dot.find("n0 -> n3 [label=\"2 x f32[1,?]\", tooltip=\"2 x f32[1,?]\"]"),
              std::string::npos)
        << dot;
    EXPECT_NE(dot.find("n3 -> n4"), std::string::npos);
    EXPECT_NE(dot.find("hidden_size 4"), std::string::npos);
    EXPECT_NE(dot.find("input 2: constant f32[1,?]"), std::string::npos);
    EXPECT_EQ(dot.find("  n1 "), std::string::npos) << "a constant was drawn";
    EXPECT_EQ(dot.find("  n2 "), std::string::npos) << "weight preparation was drawn";
}

TEST(DotText, LargeGraphsHaveTheirShapesInTooltips) {
    std::vector<NodeInfo> many = layer_nodes();
    for (std::size_t i = 0; i < 200; ++i) {
        many.push_back({"n", "Relu", "opset1", {}, {{0, 0}}, {many[0].outputs[0]}, 0});
    }
    const std::string dot = to_dot("m", many);
    EXPECT_EQ(dot.find("[label=\"f32[1,?]\""), std::string::npos);
    EXPECT_NE(dot.find("n0 -> n9 [tooltip=\"f32[1,?]\"]"), std::string::npos);
}

TEST(DotText, TimesGiveColours) {
    const std::string dot = to_dot("m", layer_nodes(), {{"a<b", {12.5, "a<b"}}});
    EXPECT_NE(dot.find("12.50 us\""), std::string::npos) << dot;
    EXPECT_NE(dot.find("fillcolor=\"#ff7828\""), std::string::npos) << dot;
}

TEST(DotText, NodesThatRanAsOneNameTheOthers) {
    const std::string dot = to_dot("m", layer_nodes(), {{"a<b", {12.5, "a<b + other"}}});
    EXPECT_NE(dot.find("12.50 us\\nfor a<b + other\""), std::string::npos) << dot;
}

TEST(DotText, ResultsAreNamedByTheirTensors) {
    std::vector<NodeInfo> named = layer_nodes();
    named.back().name = "y/sink_port_0";
    EXPECT_NE(to_dot("m", named).find("label=\"Result\\np\""), std::string::npos);
}

TEST(DotText, BodiesAreFrames) {
    const std::string dot = to_dot("m", branching_model().nodes(),
                                   {{"choice/then_body/yes", {12.5, "choice/then_body/yes"}}});
    EXPECT_NE(dot.find("  subgraph \"cluster_n2_0\" {\n    label=\"then_body of choice\""),
              std::string::npos)
        << dot;
    EXPECT_NE(dot.find("    n2_0_7 [label=\"LSTMSequence\\nyes\\nhidden_size 2\\n"
                       "direction forward\\n12.50 us\""),
              std::string::npos)
        << dot;
    EXPECT_NE(dot.find("n2 -> n2_1_0 [lhead=\"cluster_n2_1\", style=dashed"), std::string::npos)
        << dot;
    EXPECT_NE(dot.find("compound=true"), std::string::npos);
}

}  // namespace
}  // namespace rondo::tool::dot_text_test
