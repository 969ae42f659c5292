#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::fold_shapes_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_same;
using test::expect_unchanged;
using test::extent_of;
using test::GraphBuilder;
using testing::ElementsAre;
using testing::Optional;

Output joined(GraphBuilder& b, std::vector<Output> parts) {
    return b.make<ops::Concat>("", std::move(parts), 0);
}

Output reshape(GraphBuilder& b, const Output& data, const Output& pattern, bool special_zero) {
    return b.make<ops::Reshape>("", data, pattern, special_zero);
}

// The pattern of the Reshape in front of the first result.
std::optional<std::vector<std::int64_t>> pattern_in(const Graph& graph) {
    return constant_ints(graph.results()[0]->input(0).node().input(1));
}

TEST(SettleShapes, KnownExtentsOfAnOpenShapeAreConstants) {
    // ShapeOf(x [?,3,4]) [1:]   =>   [3,4]
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,3,4]"));
    b.output("y", b.make<ops::Slice>("", shape, b.ints({1}), b.ints({3}), b.ints({1})));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_shapes);
    expect_same(graph->results()[0]->input(0).node().known_value(0),
                test::tensor_of<std::int64_t>({2}, {3, 4}));
}

TEST(SettleShapes, ExtentsThatStayAreCopied) {
    // x [?,?,2,3] -> [N, T, -1]   =>   [0, 0, -1]: of any shape, also where N or T is 0
    for (const std::size_t rows : {3U, 0U}) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,?,2,3]");
        const Output cut = b.make<ops::Slice>("", b.make<ops::ShapeOf>("", x), b.ints({0}),
                                              b.ints({2}), b.ints({1}));
        b.output("y", reshape(b, x, joined(b, {cut, b.ints({-1})}), true));
        const auto graph = b.graph();
        expect_rewritten(*graph, fold_shapes, test::random_inputs(*graph, rows));
        EXPECT_THAT(pattern_in(*graph), Optional(ElementsAre(0, 0, -1)));
        EXPECT_EQ(to_string(graph->results()[0]->input(0).shape()), "[?,?,6]");
        EXPECT_EQ(count_nodes(*graph, "ShapeOf"), 0U);
    }
}

TEST(SettleShapes, TheOnlyExtentThatMovesIsWhatIsLeft) {
    // x [8,?,1,4] -> [T, 32]   =>   [-1, 32]
    for (const std::size_t steps : {3U, 0U}) {
        GraphBuilder b;
        const Output x = b.input("x", "[8,?,1,4]");
        b.output("y", reshape(b, x, joined(b, {extent_of(b, x, 1), b.ints({32})}), false));
        const auto graph = b.graph();
        expect_rewritten(*graph, fold_shapes, test::random_inputs(*graph, steps));
        EXPECT_THAT(pattern_in(*graph), Optional(ElementsAre(-1, 32)));
    }
}

TEST(SettleShapes, AProductOfExtentsIsWhatIsLeft) {
    // x [?,?,2,3] -> [N * T * 2, 3]   =>   [-1, 3]
    for (const std::size_t steps : {3U, 0U}) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,?,2,3]");
        const Output rows = b.make<ops::Slice>("", b.make<ops::ShapeOf>("", x), b.ints({0}),
                                               b.ints({3}), b.ints({1}));
        const Output product =
            b.make<ops::Reduce>("", ops::ReduceFunction::prod, rows, b.ints({0}), true);
        b.output("y", reshape(b, x, joined(b, {product, b.ints({3})}), false));
        const auto graph = b.graph();
        expect_rewritten(*graph, fold_shapes, test::random_inputs(*graph, steps));
        EXPECT_THAT(pattern_in(*graph), Optional(ElementsAre(-1, 3)));
    }
}

TEST(SettleShapes, AProductThatLeavesSomethingOutStays) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,2,3]");
    const Output twice = b.make<ops::Binary>("", ops::BinaryFunction::multiply, extent_of(b, x, 0),
                                             extent_of(b, x, 0));
    b.output("y", reshape(b, x, joined(b, {twice, b.ints({6})}), false));
    expect_unchanged(*b.graph(), fold_shapes);
}

TEST(SettleShapes, ArithmeticOfNumbersIsAConstant) {
    // ShapeOf(x [?,3,4])[1:] * [2,1]   =>   [6,4]
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,3,4]"));
    const Output cut = b.make<ops::Slice>("", shape, b.ints({1}), b.ints({3}), b.ints({1}));
    b.output("y", b.make<ops::Binary>("", ops::BinaryFunction::multiply, cut, b.ints({2, 1})));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_shapes);
    expect_same(graph->results()[0]->input(0).node().known_value(0),
                test::tensor_of<std::int64_t>({2}, {6, 4}));
}

TEST(SettleShapes, ExtentsAreFollowedToTheirOrigin) {
    // Two Reshapes round a product: the second one's T is that of the first one's data.
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,12]");
    const Output t = extent_of(b, x, 1);
    const Output heads = reshape(b, x, joined(b, {b.ints({1}), t, b.ints({3, 4})}), true);
    const Output turned = b.transpose(heads, {0, 2, 1, 3});
    b.output("y", reshape(b, turned, joined(b, {b.ints({3}), t, b.ints({4})}), false));
    const auto graph = b.graph();
    expect_rewritten(*graph, [](Graph& all) {
        bool changed = false;
        while (fold_shapes(all)) {
            all.validate();
            changed = true;
        }
        return changed;
    });
    EXPECT_EQ(to_string(graph->results()[0]->input(0).shape()), "[3,?,4]");
    EXPECT_EQ(count_nodes(*graph, "ShapeOf"), 0U);
}

TEST(SettleShapes, ABroadcastReadsExtentsWhereTheyComeFrom) {
    // ShapeOf -> Convert -> Slice -> Concat -> Convert   =>   ShapeOf -> Gather -> Concat
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const Output shape = b.make<ops::Convert>("", b.make<ops::ShapeOf>("", x), ElementType::i32);
    const Output cut = b.make<ops::Slice>("", shape, b.ints({1}), b.ints({2}), b.ints({1}));
    const Output seven = b.constant(test::tensor_of<std::int32_t>({1}, {7}));
    const Output target = b.make<ops::Convert>("", joined(b, {cut, seven}), ElementType::i64);
    b.output("y", b.make<ops::Broadcast>("fill", b.constant(test::scalar_of<float>(0)), target));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_shapes);
    EXPECT_EQ(count_nodes(*graph, "Convert") + count_nodes(*graph, "Slice"), 0U);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "fill");
}

// Each of these means something else for some shape, or is a check.
TEST(SettleShapes, LeavesOthersAlone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,6]");
    const Output n = extent_of(b, x, 0), t = extent_of(b, x, 1);
    b.output("swapped", reshape(b, x, joined(b, {t, n, b.ints({6})}), true));
    b.output("moved", reshape(b, b.input("z", "[2,?]"), joined(b, {n, b.ints({2})}), false));
    const Output twice = b.make<ops::Binary>("", ops::BinaryFunction::add, n, n);
    b.output("computed", reshape(b, x, joined(b, {twice, b.ints({-1})}), true));
    b.output("rest", b.make<ops::Reshape>("", x, joined(b, {n, b.ints({-1})}), false));
    b.output("too_much",
             b.make<ops::Reshape>("", b.input("w", "[4,?]"), joined(b, {n, b.ints({5})}), false));
    expect_unchanged(*b.graph(), fold_shapes);
}

// A 0 that was computed copies the extent at its place: the pass must not make it what is left.
TEST(SettleShapes, AnExtentThatMayBe0MovesOnlyWithoutSpecialZero) {
    GraphBuilder b;
    const Output x = b.input("x", "[8,?,4]");
    b.output("y", reshape(b, x, joined(b, {extent_of(b, x, 1), b.ints({32})}), true));
    expect_unchanged(*b.graph(), fold_shapes);
    GraphBuilder least;
    const Output one = least.input("x", "[8,1..,4]");
    least.output("y", reshape(least, one,
                              joined(least, {extent_of(least, one, 1), least.ints({32})}), true));
    const auto graph = least.graph();
    expect_rewritten(*graph, fold_shapes);
    EXPECT_THAT(pattern_in(*graph), Optional(ElementsAre(-1, 32)));
}

}  // namespace
}  // namespace rondo::passes::fold_shapes_test
