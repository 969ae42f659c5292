#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::concat_to_transpose_test {
namespace {

using namespace test;  // NOLINT: tests only
using Outputs = std::vector<Output>;

Output element(GraphBuilder& b, const Output& x, std::int64_t index, std::int64_t axis) {
    return b.make<ops::Gather>("", x, b.constant(tensor_of<std::int64_t>({}, {index})),
                               b.ints({axis}));
}

Output concat(GraphBuilder& b, Outputs parts, std::int64_t axis) {
    return b.make<ops::Concat>("", std::move(parts), axis);
}

//  ho [N,2,H] -> Transpose -> [2,N,H] -> h[-2], h[-1] -> Concat -> [N,2H]   =>   Reshape
TEST(JoinSingleParts, TheLastStatesSideBySideAreATurnedTensor) {
    for (const char* shape : {"[?,2,3]", "[4,2,3]"}) {
        GraphBuilder b;
        const Output states = b.transpose(b.input("ho", shape), {1, 0, 2});
        b.output("y", concat(b, {element(b, states, -2, 0), element(b, states, -1, 0)}, -1));
        const auto graph = b.graph();
        expect_rewritten(*graph, concat_to_transpose);
        EXPECT_EQ(count_nodes(*graph, "Concat"), 0u);
        EXPECT_EQ(count_nodes(*graph, "Gather"), 0u);
        EXPECT_EQ(count_nodes(*graph, "Transpose"), 2u) << "merge_transposes joins them";
    }
}

TEST(JoinSingleParts, KnowsEachPlaceOfBothAxes) {
    for (const std::int64_t axis : {0, 1, 2}) {
        for (const std::int64_t joined : {0, 1}) {
            GraphBuilder b;
            const Output x = b.input("x", axis == 0   ? "[2,3,4]"
                                          : axis == 1 ? "[3,2,4]"
                                                      : "[3,4,2]");
            b.output("y", concat(b, {element(b, x, 0, axis), element(b, x, 1, axis)}, joined));
            const auto graph = b.graph();
            expect_rewritten(*graph, concat_to_transpose);
            EXPECT_EQ(count_nodes(*graph, "Concat"), 0u);
            EXPECT_EQ(count_nodes(*graph, "Transpose"), axis == joined ? 0u : 1u);
        }
    }
}

TEST(JoinSingleParts, TakesSqueezedPartsOfASplit) {
    GraphBuilder b;
    const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
    const auto split = b.make<ops::Split>("", b.input("x", "[?,3,4]"), axis, 3);
    Outputs parts;
    for (std::size_t i = 0; i < 3; ++i) parts.push_back(b.squeeze(split->output(i), {1}));
    parts[1] = b.reshape(split->output(1), {-1, 4});
    b.output("y", concat(b, parts, 1));
    const auto graph = b.graph();
    expect_rewritten(*graph, concat_to_transpose);
    EXPECT_EQ(count_nodes(*graph, "Split"), 0u);
    EXPECT_EQ(count_nodes(*graph, "Reshape"), 1u);
}

// As torch.stack joins the steps of a written-out loop.
TEST(JoinSingleParts, GathersWithAnAxisInItsPlaceAreTheTensor) {
    for (const std::int64_t from : {0, 1, 2}) {
        for (const std::int64_t to : {0, 1, 2}) {
            GraphBuilder b;
            const Output x = b.input("x", from == 0   ? "[3,?,4]"
                                          : from == 1 ? "[?,3,4]"
                                                      : "[?,4,3]");
            const Output source = b.reshape(x, {0, 0, -1});
            Outputs parts;
            for (std::int64_t i = 0; i < 3; ++i) {
                parts.push_back(b.unsqueeze(element(b, source, i, from), {to}));
            }
            b.output("y", concat(b, parts, to));
            const auto graph = b.graph();
            expect_rewritten(*graph, concat_to_transpose);
            EXPECT_EQ(count_nodes(*graph, "Gather"), 0u);
            EXPECT_EQ(count_nodes(*graph, "Transpose"), from == to ? 0u : 1u);
        }
    }
}

//  ho [N,2,3] -> Split -> [N,1,3] -> [1,N,3] -> Concat -> [2,N,3]   =>   Transpose
TEST(JoinSingleParts, MovesAnAxisThatTheViewsMove) {
    for (const char* shape : {"[?,2,3]", "[4,2,3]"}) {
        GraphBuilder b;
        const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
        const auto split = b.make<ops::Split>("", b.input("ho", shape), axis, 2);
        const auto part = [&](std::size_t i) { return b.reshape(split->output(i), {1, -1, 3}); };
        b.output("y", concat(b, {part(0), part(1)}, 0));
        const auto graph = b.graph();
        expect_rewritten(*graph, concat_to_transpose);
        EXPECT_EQ(count_nodes(*graph, "Transpose"), 1u);
        EXPECT_EQ(count_nodes(*graph, "Split"), 0u);
    }
}

//  y [N,2,T,3] -> y[:,0], y[:,1] -> Concat -> [N,T,6]
TEST(JoinSingleParts, CopiesOpenExtentsInFrontOfTheJoinedAxis) {
    for (const std::size_t extent : {3U, 0U}) {
        GraphBuilder b;
        const Output y = b.transpose(b.input("y", "[?,2,?,3]"), {0, 1, 2, 3});
        const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
        const auto split = b.make<ops::Split>("", y, axis, 2);
        const Output first = b.squeeze(split->output(0), {1});
        b.output("both", concat(b, {first, b.squeeze(split->output(1), {1})}, 2));
        const auto graph = b.graph();
        expect_rewritten(*graph, concat_to_transpose, random_inputs(*graph, extent));
        EXPECT_EQ(count_nodes(*graph, "Concat"), 0u);
        EXPECT_EQ(to_string(graph->results()[0]->input(0).shape()), "[?,?,6]");
    }
}

//  x [2] -> Slice -> [1] -> [1,1] -> Concat along axis 1, where x has no axis
TEST(JoinSingleParts, LeavesAxesThatTheTensorLacks) {
    for (const std::size_t rank : {2, 3}) {
        GraphBuilder b;
        const Output axis = b.constant(test::scalar_of<std::int64_t>(0));
        const auto split = b.make<ops::Split>("", b.input("x", "[2]"), axis, 2);
        const std::vector<std::int64_t> ones(rank, 1);
        const Outputs parts{b.reshape(split->output(0), ones), b.reshape(split->output(1), ones)};
        b.output("y", concat(b, parts, -1));
        expect_unchanged(*b.graph(), concat_to_transpose);
    }
}

TEST(JoinSingleParts, LeavesOtherOrdersAndRests) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,2,4]"), open = b.input("open", "[?,2,4]");
    const auto of = [&](std::int64_t index, std::int64_t axis) {
        return element(b, x, index, axis);
    };
    b.output("turned", concat(b, {of(1, 1), of(0, 1)}, 1));
    b.output("rest", concat(b, {of(0, 0), of(1, 0)}, 1));
    b.output("more", concat(b, {of(0, 1), of(1, 1), of(1, 1)}, 1));
    b.output("open", concat(b, {element(b, open, 0, 0), element(b, open, 1, 0)}, 1));
    b.output("two", concat(b, {of(0, 1), element(b, b.input("z", "[3,2,4]"), 1, 1)}, 1));
    const Output wide = b.input("wide", "[3,2,?,?]");
    b.output("wide", concat(b, {element(b, wide, 0, 1), element(b, wide, 1, 1)}, 0));
    expect_unchanged(*b.graph(), concat_to_transpose);
}

}  // namespace
}  // namespace rondo::passes::concat_to_transpose_test
