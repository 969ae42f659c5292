#include "transformations/streaming/starting_extent.hpp"

#include <gtest/gtest.h>

#include "core/ops/product/matmul.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::starting_extent_test {
namespace {

using namespace test;  // NOLINT: tests only

std::optional<ShapeElement> extent_at_start(const Graph& graph, std::size_t state,
                                            std::size_t axis = 0) {
    const NodePtr& parameter = graph.parameters()[state];
    return starting_extent(parameter->output(0), axis, nodes_behind(graph, {parameter.get()}));
}

// x [?,3] W + s [2,?,4][1] U, as a cell that is written out has it.
TEST(StartingExtent, FollowsRowsToASum) {
    GraphBuilder b;
    const Output s = b.input("s", "[2,?,4]");
    const Output x = b.input("x", "[?,3]");
    const Output h = b.make<ops::Gather>("", s, i64(b, 1), i64(b, 0));
    const auto times = [&](const Output& value, const Shape& shape) {
        return Output(b.make<ops::MatMul>("", value, b.constant(Tensor(ElementType::f32, shape))));
    };
    b.output("y", add(b, times(h, {4, 5}), times(x, {3, 5})));
    const auto graph = b.graph();
    const auto extent = extent_at_start(*graph, 0, 1);
    ASSERT_TRUE(extent);
    EXPECT_EQ(extent->tensor, x);
    EXPECT_EQ(extent->axis, 0U);
}

TEST(StartingExtent, KnownNumbersCount) {
    GraphBuilder b;
    const Output s = b.input("s", "[?,3]");
    b.output("y", add(b, s, b.input("x", "[6,3]")));
    EXPECT_EQ(extent_at_start(*b.graph(), 0)->number, 6);
}

// One row serves all: it says nothing.
TEST(StartingExtent, RowsThatAreBroadcastDont) {
    GraphBuilder b;
    const Output s = b.input("s", "[?,3]");
    b.output("y", add(b, s, b.input("x", "[1,3]")));
    EXPECT_FALSE(extent_at_start(*b.graph(), 0));
    GraphBuilder alone;
    const Output own = alone.input("s", "[?,3]");
    alone.output("y", add(alone, own, own));
    EXPECT_FALSE(extent_at_start(*alone.graph(), 0));
}

TEST(StartingExtent, RowsThatAreAppendedStartWithNone) {
    GraphBuilder b;
    const Output s = b.input("s", "[?,?]");
    const Output x = b.input("x", "[?,?]");
    b.output("y", b.make<ops::Concat>("", std::vector<Output>{s, x}, 0));
    const auto graph = b.graph();
    EXPECT_EQ(extent_at_start(*graph, 0, 0)->number, 0);
    EXPECT_EQ(extent_at_start(*graph, 0, 1)->tensor, x);
}

// In a branch, beside an input of the branch.
TEST(StartingExtent, LooksIntoBranches) {
    GraphBuilder yes, no;
    const Output a = yes.input("a", "[?,3]");
    yes.output("sum", add(yes, a, yes.input("b", "[?,3]")));
    no.output("same", no.input("c", "[?,3]"));
    GraphBuilder b;
    const std::vector<Output> inputs{b.input("s", "[?,3]"), b.input("x", "[?,3]"),
                                     b.input("c", "", ElementType::boolean)};
    const auto choice = b.make<ops::If>(
        "choice", std::vector<Output>{inputs[2], inputs[0], inputs[1]},
        std::vector<GraphPtr>{yes.graph(), no.graph()},
        std::vector<ops::BodyPorts>{{{{1, 0, {}, {}}, {2, 1, {}, {}}}, {{0, 0, {}}}},
                                    {{{1, 0, {}, {}}}, {{0, 0, {}}}}});
    b.output("y", choice->output(0));
    const auto graph = b.graph();
    const auto extent = extent_at_start(*graph, 0);
    ASSERT_TRUE(extent);
    EXPECT_EQ(extent->tensor, inputs[1]);
}

}  // namespace
}  // namespace rondo::passes::starting_extent_test
