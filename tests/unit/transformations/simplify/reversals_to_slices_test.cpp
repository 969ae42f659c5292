#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::reversals_to_slices_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(ReversalsToSlices, TakesWholeRowsOfAnyExtent) {
    for (const char* shape : {"[4,3,2]", "[?,?,2]"}) {
        GraphBuilder b;
        const Output x = b.input("x", shape);
        const Output lengths = b.make<ops::Broadcast>("", extent_of(b, x, 0), extent_of(b, x, 1));
        b.output("y", b.make<ops::ReverseSequence>("turned", x, lengths, 1, 0));
        const auto graph = b.graph();
        expect_rewritten(*graph, reversals_to_slices);
        EXPECT_EQ(count_nodes(*graph, "Slice"), 1u);
        EXPECT_EQ(count_nodes(*graph, "Broadcast"), 0u);
    }
}

TEST(ReversalsToSlices, TakesAGatherOfAllElements) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3]");
    b.output("y", b.make<ops::Gather>("", x, b.ints({2, 1, 0}), b.ints({1})));
    const auto graph = b.graph();
    expect_rewritten(*graph, reversals_to_slices);
    EXPECT_EQ(count_nodes(*graph, "Gather"), 0u);
}

TEST(ReversalsToSlices, LeavesPartsAndSlices) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    b.output("a", b.make<ops::ReverseSequence>("", x, b.ints({3, 2}), 0, 1));
    b.output("b", b.make<ops::Gather>("", x, b.ints({2, 0, 1}), b.ints({1})));
    b.output("c", b.make<ops::Slice>("", x, b.ints({-1}), b.ints({-9}), b.ints({-1}), b.ints({1})));
    expect_unchanged(*b.graph(), reversals_to_slices);
}

// fold_shapes reads extents by Gathers, and would make one of the Slice again.
TEST(ReversalsToSlices, LeavesExtentsInAnyOrder) {
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,?]"));
    b.output("y", b.make<ops::Gather>("", shape, b.ints({1, 0}), b.ints({0})));
    expect_unchanged(*b.graph(), reversals_to_slices);
}

}  // namespace
}  // namespace rondo::passes::reversals_to_slices_test
