#include "transformations/simplify/move_axes.hpp"

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::move_axes_test {
namespace {

using test::expect_same;
using test::GraphBuilder;

// Builds Transpose(node, order) both ways and compares every element.
void expect_moved(GraphBuilder& b, const Output& node, const AxisOrder& order) {
    SCOPED_TRACE(node.node().name() + std::string(" ") + std::string(node.node().type_name()));
    b.output("expected", b.transpose(node, to_ints(order)));
    const auto plan = move_axes(node.node(), order);
    ASSERT_TRUE(plan.has_value());
    std::vector<Output> data = node.node().inputs();
    for (std::size_t i = 0; i < plan->inputs.size(); ++i) {
        if (plan->inputs[i].kind != MovedInput::Kind::reordered) continue;
        data[i] = b.transpose(data[i], to_ints(plan->inputs[i].order));
    }
    const auto before = b.graph();
    Rewriter rewriter(*before);
    b.output("actual", make_moved(rewriter, node.node(), *plan, data));
    const auto graph = b.graph();
    EXPECT_EQ(graph->results()[0]->output_shape(0), graph->results()[1]->output_shape(0));
    const auto values = test::evaluate_graph(*graph, test::random_inputs(*graph));
    expect_same(values[1], values[0]);
}

TEST(MoveAxes, ThroughSqueeze) {
    for (const AxisOrder& order : {AxisOrder{1, 0, 2}, AxisOrder{2, 1, 0}, AxisOrder{0, 1, 2}}) {
        GraphBuilder b;
        expect_moved(b, b.squeeze(b.input("x", "[2,1,3,1,4]"), {1, -2}), order);
    }
}

TEST(MoveAxes, ARemovedAxisStandsWhereItStoodBelowATranspose) {
    // Y [N,1,T,H] -> (2,1,0,3) -> Squeeze 1, then (1,0,2): both orders cancel to nothing.
    GraphBuilder b;
    const Output below = b.transpose(b.input("y", "[2,1,3,4]"), {2, 1, 0, 3});
    const Output squeeze = b.squeeze(below, {1});
    const auto plan = move_axes(squeeze.node(), {1, 0, 2});
    ASSERT_TRUE(plan.has_value());
    EXPECT_TRUE(is_identity(combine({2, 1, 0, 3}, plan->inputs[0].order)));
}

TEST(MoveAxes, ThroughUnsqueeze) {
    GraphBuilder b;
    expect_moved(b, b.unsqueeze(b.input("x", "[2,3,4]"), {0, -2}), {4, 1, 0, 3, 2});
}

TEST(MoveAxes, ThroughReshapeThatPutsAxesTogether) {
    for (const char* shape : {"[2,3,2,4]", "[?,?,2,4]"}) {
        GraphBuilder b;
        expect_moved(b, b.reshape(b.input("x", shape), {0, 0, -1}), {1, 0, 2});
    }
    GraphBuilder b;
    expect_moved(b, b.reshape(b.input("x", "[2,3,2,4]"), {6, 8}), {1, 0});
}

TEST(MoveAxes, AZeroAtAnotherPlaceBecomesANumberOrTheRest) {
    GraphBuilder b;
    expect_moved(b, b.reshape(b.input("x", "[2,3,2,4]"), {0, 0, -1}), {2, 0, 1});
    GraphBuilder c;
    expect_moved(c, c.reshape(c.input("x", "[?,3,2,4]"), {0, 3, 8}), {2, 0, 1});
}

TEST(MoveAxes, NotThroughReshapeThatSplitsOrCannotSayIt) {
    GraphBuilder b;
    EXPECT_FALSE(move_axes(b.reshape(b.input("x", "[2,12]"), {2, 3, 4}).node(), {1, 0, 2}));
    // Two open extents would need a -1 each.
    EXPECT_FALSE(move_axes(b.reshape(b.input("y", "[?,?,2,4]"), {0, 0, -1}).node(), {2, 0, 1}));
}

TEST(MoveAxes, ThroughSlice) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,4]");
    expect_moved(b,
                 b.make<ops::Slice>("", x, b.ints({-1, 1}), b.ints({-9, 3}), b.ints({-1, 1}),
                                    b.ints({1, -1})),
                 {1, 2, 0});
    GraphBuilder c;
    expect_moved(c,
                 c.make<ops::Slice>("", c.input("x", "[2,3,4]"), c.ints({0, 1}), c.ints({1, 3}),
                                    c.ints({1, 1})),
                 {2, 0, 1});
}

TEST(MoveAxes, ThroughElementwise) {
    GraphBuilder b;
    expect_moved(b, b.make<ops::Unary>("", ops::UnaryFunction::relu, b.input("x", "[2,3,4]")),
                 {2, 0, 1});
    GraphBuilder c;
    expect_moved(c, c.make<ops::Convert>("", c.input("x", "[2,3,4]"), ElementType::f64), {2, 0, 1});
    GraphBuilder d;
    expect_moved(d,
                 d.make<ops::Binary>("", ops::BinaryFunction::add, d.input("x", "[2,3,4]"),
                                     d.input("y", "[2,1,4]")),
                 {2, 0, 1});
    GraphBuilder e;
    expect_moved(e,
                 e.make<ops::Binary>("", ops::BinaryFunction::subtract, e.input("bias", "[4]"),
                                     e.input("x", "[2,3,4]")),
                 {1, 0, 2});
    GraphBuilder f;
    expect_moved(f,
                 f.make<ops::Binary>("", ops::BinaryFunction::multiply, f.input("x", "[2,3,4]"),
                                     f.input("one", "[1,1]")),
                 {2, 1, 0});
}

TEST(MoveAxes, NotWhereALowerRankWouldNotLineUp) {
    GraphBuilder b;
    const auto add = b.make<ops::Binary>("", ops::BinaryFunction::add, b.input("x", "[2,3,4]"),
                                         b.input("bias", "[4]"));
    EXPECT_FALSE(move_axes(*add, {2, 0, 1}));
    EXPECT_TRUE(move_axes(*add, {1, 0, 2}));
    const auto open = b.make<ops::Binary>("", ops::BinaryFunction::add, b.input("y", "[2,3,4]"),
                                          b.input("any", "..."));
    EXPECT_FALSE(move_axes(*open, {1, 0, 2}));
}

TEST(MoveAxes, ThroughRowsTimesAMatrix) {
    GraphBuilder b;
    expect_moved(b, b.make<ops::MatMul>("", b.input("x", "[2,3,4]"), b.input("w", "[4,5]")),
                 {1, 0, 2});
    const auto matmul = b.make<ops::MatMul>("", b.input("v", "[2,3,4]"), b.input("u", "[4,5]"));
    EXPECT_FALSE(move_axes(*matmul, {0, 2, 1}));
    const auto batch = b.make<ops::MatMul>("", b.input("s", "[2,3,4]"), b.input("t", "[2,4,5]"));
    EXPECT_FALSE(move_axes(*batch, {1, 0, 2}));
}

// Axes along which the rows are independent may have any order.
TEST(MoveAxes, ThroughIndependentRows) {
    GraphBuilder b;
    expect_moved(b, b.make<ops::Softmax>("", b.input("x", "[2,3,4]"), -1), {1, 0, 2});
    GraphBuilder c;
    expect_moved(c,
                 c.make<ops::Reduce>("", ops::ReduceFunction::sum, c.input("x", "[2,3,4]"),
                                     c.ints({1}), true),
                 {2, 1, 0});
    GraphBuilder d;
    expect_moved(d, d.make<ops::MatMul>("", d.input("x", "[2,3,4,5]"), d.input("y", "[2,3,5,6]")),
                 {1, 0, 2, 3});
    GraphBuilder e;
    const Output x = e.input("x", "[2,3,4]");
    EXPECT_FALSE(move_axes(*e.make<ops::Softmax>("", x, 1), {1, 0, 2}));
    // The axes of the output have other numbers than those of the data.
    EXPECT_FALSE(move_axes(
        *e.make<ops::Reduce>("", ops::ReduceFunction::sum, x, e.ints({2}), false), {1, 0}));
}

TEST(MoveAxes, ThroughConcat) {
    GraphBuilder b;
    std::vector<Output> parts{b.input("x", "[2,3,4]"), b.input("y", "[2,3,5]")};
    expect_moved(b, b.make<ops::Concat>("", parts, -1), {2, 0, 1});
}

TEST(MoveAxes, NotThroughOpsWhoseAxesItDoesNotKnow) {
    GraphBuilder b;
    EXPECT_FALSE(move_axes(*b.make<ops::Softmax>("", b.input("x", "[2,3]"), 1), {1, 0}));
    EXPECT_FALSE(move_axes(b.input("y", "[2,3]").node(), {1, 0}));
}

}  // namespace
}  // namespace rondo::passes::move_axes_test
