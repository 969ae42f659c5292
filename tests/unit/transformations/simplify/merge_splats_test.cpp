#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::merge_splats_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::extent_of;
using test::GraphBuilder;

// The zeros of two layers, [2, rows of x, 6].
Output zeros(GraphBuilder& b, const Output& x) {
    return b.make<ops::Broadcast>(
        "zeros", b.constant(test::scalar_of<float>(0)),
        b.make<ops::Concat>("", std::vector<Output>{b.ints({2}), extent_of(b, x, 0), b.ints({6})},
                            0));
}

Output layer(GraphBuilder& b, const Output& all, std::int64_t number) {
    const Output cut = b.make<ops::Slice>("", all, b.ints({number}), b.ints({number + 1}),
                                          b.ints({1}), b.ints({0}));
    return b.make<ops::Unary>("", ops::UnaryFunction::cos, b.transpose(cut, {1, 0, 2}));
}

TEST(MergeSplats, LayersGetZerosOfTheirOwn) {
    // Broadcast -> Slice -> Transpose -> a, and the same -> b   =>   Broadcast -> a, Broadcast -> b
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output all = zeros(b, x);
    b.output("a", layer(b, all, 0));
    b.output("b", layer(b, all, 1));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_splats);
    EXPECT_EQ(count_nodes(*graph, "Slice") + count_nodes(*graph, "Transpose"), 0U);
    EXPECT_EQ(count_nodes(*graph, "Broadcast"), 2U);
}

TEST(MergeSplats, OutputsKeepTheirNames) {
    GraphBuilder b;
    b.output("y", b.transpose(zeros(b, b.input("x", "[?,4]")), {1, 0, 2}, "moved"));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_splats);
    EXPECT_EQ(graph->results()[0]->input(0).node().type_name(), "Broadcast");
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "moved");
}

TEST(MergeSplats, LeavesOthersAlone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output all = zeros(b, x);
    b.output("itself", all);
    b.output("rows",
             b.make<ops::Slice>("", all, b.ints({0}), b.ints({1}), b.ints({1}), b.ints({1})));
    b.output("x_moved", b.transpose(x, {1, 0}));
    expect_unchanged(*b.graph(), merge_splats);
}

}  // namespace
}  // namespace rondo::passes::merge_splats_test
