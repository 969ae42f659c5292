#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::merge_transposes_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::GraphBuilder;
using testing::ElementsAre;
using testing::Optional;

TEST(MergeTransposes, TwoBecomeOne) {
    // x -> (2,0,1) -> (0,2,1) -> y   =>   x -> (2,1,0) -> y
    GraphBuilder b;
    b.output("y", b.transpose(b.transpose(b.input("x", "[2,3,4]"), {2, 0, 1}), {0, 2, 1}, "last"));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1U);
    const Node& left = graph->results()[0]->input(0).node();
    EXPECT_EQ(left.name(), "last");
    EXPECT_THAT(constant_ints(left.input(1)), Optional(ElementsAre(2, 1, 0)));
}

TEST(MergeTransposes, AWholeChainBecomesNothing) {
    // x -> relu -> (1,2,0) -> (1,2,0) -> (1,2,0) -> y   =>   x -> relu -> y
    GraphBuilder b;
    Output data = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, b.input("x", "[2,?,4]"));
    for (int i = 0; i < 3; ++i) data = b.transpose(data, {1, 2, 0});
    b.output("y", data);
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
}

TEST(MergeTransposes, TheFirstStaysForOthers) {
    // x -> (1,0) -> y, and after it (1,0) -> relu -> z
    GraphBuilder b;
    const Output first = b.transpose(b.input("x", "[2,3]"), {1, 0});
    b.output("y", first);
    b.output("z", b.make<ops::Unary>("relu", ops::UnaryFunction::relu, b.transpose(first, {1, 0})));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1U);
    EXPECT_EQ(graph->results()[1]->input(0).node().input(0).node().name(), "x");
}

TEST(MergeTransposes, InputAndOutputOfTheModelStayApart) {
    // x -> (1,0) -> (1,0) -> y: one transpose that moves nothing keeps the two ports apart
    GraphBuilder b;
    b.output("y", b.transpose(b.transpose(b.input("x", "[2,3]"), {1, 0}), {1, 0}));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1U);
}

TEST(MergeTransposes, MovingAxesOfExtent1IsAReshape) {
    // x [1,?,3] -> (1,0,2) -> y   =>   x -> Reshape [-1,1,3] -> y
    GraphBuilder b;
    b.output("y", b.transpose(b.input("x", "[1,?,3]"), {1, 0, 2}));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
    const Node& view = graph->results()[0]->input(0).node();
    EXPECT_THAT(constant_ints(view.input(1)), Optional(ElementsAre(-1, 1, 3)));
}

TEST(MergeTransposes, WithTwoOpenExtentsItIsSqueezeAndUnsqueeze) {
    // x [?,1,?,3] -> (0,2,1,3) -> y   =>   x -> Squeeze 1 -> Unsqueeze 2 -> y
    GraphBuilder b;
    b.output("y", b.transpose(b.input("x", "[?,1,?,3]"), {0, 2, 1, 3}));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
    EXPECT_EQ(count_nodes(*graph, "Squeeze"), 1U);
    EXPECT_EQ(count_nodes(*graph, "Unsqueeze"), 1U);
    EXPECT_EQ(to_string(graph->results()[0]->output_shape(0)), "[?,?,1,3]");
}

TEST(MergeTransposes, LeavesOthersAlone) {
    // An op between them; an order that isn't known; an extent that only might be 1.
    GraphBuilder b;
    const Output between = b.make<ops::Unary>("", ops::UnaryFunction::relu,
                                              b.transpose(b.input("x", "[2,3]"), {1, 0}));
    b.output("a", b.transpose(between, {1, 0}));
    const Output order = b.input("order", "[2]", ElementType::i64);
    b.output("b", b.make<ops::Transpose>("", b.transpose(b.input("z", "[2,3]"), {1, 0}), order));
    b.output("c", b.transpose(b.input("w", "[..1,3]"), {1, 0}));
    expect_unchanged(*b.graph(), merge_transposes);
}

}  // namespace
}  // namespace rondo::passes::merge_transposes_test
