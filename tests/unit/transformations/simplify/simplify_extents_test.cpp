#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include "core/graph/constants.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::simplify_extents_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_same;
using test::expect_unchanged;
using test::extent_of;
using test::GraphBuilder;
using testing::ElementsAre;
using testing::Optional;

TEST(SimplifyExtents, AKnownExtentIsAConstant) {
    // Gather(ShapeOf(x [?,3]), [-1])   =>   [3]
    GraphBuilder b;
    b.output("y", extent_of(b, b.input("x", "[?,3]"), -1));
    const auto graph = b.graph();
    expect_rewritten(*graph, simplify_extents);
    const Node& folded = graph->results()[0]->input(0).node();
    expect_same(folded.known_value(0), test::tensor_of<std::int64_t>({1}, {3}));
}

TEST(SimplifyExtents, KeepsTypeAndRank) {
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.input("x", "[?,3]"), ElementType::i32);
    const Output one = b.constant(test::scalar_of<std::int64_t>(1));
    b.output("y", b.make<ops::Gather>("", shape, one, b.ints({0})));
    const auto graph = b.graph();
    expect_rewritten(*graph, simplify_extents);
    expect_same(graph->results()[0]->input(0).node().known_value(0),
                test::scalar_of<std::int32_t>(3));
}

TEST(SimplifyExtents, AnExtentIsReadWhereItComesFrom) {
    // Gather(ShapeOf(transpose x), [1,0])   =>   Gather(ShapeOf(x), [0,1])
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("", b.transpose(b.input("x", "[?,?]"), {1, 0}));
    b.output("y", b.make<ops::Gather>("read", shape, b.ints({1, 0}), b.ints({0})));
    const auto graph = b.graph();
    expect_rewritten(*graph, simplify_extents);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
    const Node& gather = graph->results()[0]->input(0).node();
    EXPECT_EQ(gather.name(), "read");
    EXPECT_THAT(constant_ints(gather.input(1)), Optional(ElementsAre(0, 1)));
}

TEST(SimplifyExtents, LeavesOthersAlone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    b.output("a", extent_of(b, x, 0));
    // Extents of two tensors; by an index that isn't known; of another op.
    const Output both = b.make<ops::ShapeOf>("", b.reshape(b.transpose(x, {1, 0}), {0, -1, 1}));
    b.output("b", b.make<ops::Gather>("", both, b.ints({0, 1}), b.ints({0})));
    const Output index = b.input("i", "[1]", ElementType::i64);
    b.output("c", b.make<ops::Gather>("", b.make<ops::ShapeOf>("", b.transpose(x, {1, 0})), index,
                                      b.ints({0})));
    b.output("d", b.make<ops::Gather>("", x, b.ints({0}), b.ints({0})));
    b.output("e", extent_of(b, b.input("any", "..."), 0));
    const auto graph = b.graph();
    // The merged axis's origin is the transpose's, and so is the other one's: that may be read.
    while (simplify_extents(*graph)) graph->validate();
    expect_unchanged(*graph, simplify_extents);
    EXPECT_EQ(count_nodes(*graph, "Gather"), 5U);
}

}  // namespace
}  // namespace rondo::passes::simplify_extents_test
