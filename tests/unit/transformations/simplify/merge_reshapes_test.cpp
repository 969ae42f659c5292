#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::merge_reshapes_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::GraphBuilder;
using testing::ElementsAre;
using testing::Optional;

std::size_t count_views(const Graph& graph) {
    return count_nodes(graph, "Reshape") + count_nodes(graph, "Squeeze") +
           count_nodes(graph, "Unsqueeze");
}

TEST(MergeReshapes, AChainBecomesOneReshape) {
    // x [1,?,4] -> Squeeze 0 -> Reshape [0,2,2] -> Unsqueeze 3 -> y   =>   x -> [-1,2,2,1] -> y
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,4]");
    b.output("y", b.unsqueeze(b.reshape(b.squeeze(x, {0}), {0, 2, 2}), {3}));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_reshapes);
    EXPECT_EQ(count_views(*graph), 1U);
    const Node& view = graph->results()[0]->input(0).node();
    EXPECT_THAT(constant_ints(view.input(1)), Optional(ElementsAre(-1, 2, 2, 1)));
}

TEST(MergeReshapes, AChainThatEndsAsItBeganBecomesNothing) {
    // x [2,6] -> [3,4] -> [2,6] -> relu -> y   =>   x -> relu -> y
    GraphBuilder b;
    const Output back = b.reshape(b.reshape(b.input("x", "[2,6]"), {3, 4}), {2, 6});
    b.output("y", b.make<ops::Unary>("relu", ops::UnaryFunction::relu, back));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_reshapes);
    EXPECT_EQ(count_views(*graph), 0U);
}

TEST(MergeReshapes, UnsqueezeAndSqueezeUndoEachOtherWithAnyExtents) {
    // x [?,?] -> Unsqueeze 1 -> Squeeze 1 -> relu -> y, and the other way round
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const Output z = b.input("z", "[?,1,?]");
    b.output("a", b.make<ops::Unary>("ra", ops::UnaryFunction::relu,
                                     b.squeeze(b.unsqueeze(x, {1}), {-2})));
    b.output("b", b.make<ops::Unary>("rb", ops::UnaryFunction::relu,
                                     b.unsqueeze(b.squeeze(z, {1}), {1})));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_reshapes);
    EXPECT_EQ(count_views(*graph), 0U);
}

TEST(MergeReshapes, TheFirstStaysForOthers) {
    // x [2,3] -> [6] -> y, and after it [3,2] -> z
    GraphBuilder b;
    const Output first = b.reshape(b.input("x", "[2,3]"), {6});
    b.output("y", first);
    b.output("z", b.reshape(first, {3, 2}));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_reshapes);
    EXPECT_EQ(graph->results()[1]->input(0).node().input(0).node().name(), "x");
}

TEST(MergeReshapes, LeavesWhatItCannotSay) {
    GraphBuilder b;
    // Two open extents; a view alone; a Squeeze that may refuse; a Reshape that may refuse.
    b.output("a", b.unsqueeze(b.squeeze(b.input("x", "[?,1,?]"), {1}), {0}));
    b.output("b", b.reshape(b.input("z", "[2,3]"), {6}));
    b.output("c", b.unsqueeze(b.squeeze(b.input("v", "[?,4]"), {0}), {0}));
    b.output("d", b.reshape(b.reshape(b.input("w", "[?,?]"), {0, 5}), {-1}));
    expect_unchanged(*b.graph(), merge_reshapes);
}

}  // namespace
}  // namespace rondo::passes::merge_reshapes_test
