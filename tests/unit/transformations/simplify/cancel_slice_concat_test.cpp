#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/builder.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::cancel_slice_concat_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::outputs_of;
using Outputs = std::vector<Output>;

constexpr std::int64_t kEnd = 2147483647;

Output slice(GraphBuilder& b, const Output& data, std::int64_t start, std::int64_t stop,
             std::int64_t axis = 1) {
    return b.make<ops::Slice>("", data, b.ints({start}), b.ints({stop}), b.ints({1}),
                              b.ints({axis}));
}

Output concat(GraphBuilder& b, Outputs parts, std::int64_t axis = 1) {
    return b.make<ops::Concat>("", std::move(parts), axis);
}

// Something that isn't an input of the model.
Output computed(GraphBuilder& b, const char* name, const char* shape) {
    return b.transpose(b.input(name, shape), {1, 0});
}

Output made_of(const Graph& graph) { return graph.results()[0]->input(0); }

//  x [3,6] -> Split -> a, b, c -> Concat -> Result
TEST(MergeParts, DropsASplitWhosePartsAreJoinedAgain) {
    GraphBuilder b;
    const Output x = computed(b, "x", "[6,?]");
    const auto split = b.make<ops::Split>("", x, b.constant(test::scalar_of<std::int64_t>(-1)), 3);
    b.output("y", concat(b, outputs_of(split), -1));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_slice_concat);
    EXPECT_EQ(made_of(*graph), x);
}

TEST(MergeParts, DropsCutsOfEachKind) {
    for (const char* shape : {"[6,3]", "[?,3]"}) {
        GraphBuilder b;
        const Output x = computed(b, "x", shape);
        const auto turned = [&](Outputs parts) {
            return b.transpose(concat(b, std::move(parts)), {1, 0});
        };
        b.output("y", turned({slice(b, x, 0, 2), slice(b, x, 2, 5), slice(b, x, 5, kEnd)}));
        b.output("z", turned({slice(b, x, 0, -4), slice(b, x, -4, kEnd)}));
        const auto graph = b.graph();
        for (const std::size_t extent : {1U, 4U, 7U}) {
            const auto copy = graph->clone();
            expect_rewritten(*copy, cancel_slice_concat, random_inputs(*graph, extent));
            EXPECT_EQ(count_nodes(*copy, "Slice"), 0u);
            EXPECT_EQ(count_nodes(*copy, "Concat"), 0u);
        }
    }
}

//  x [3,9] -> VariadicSplit -> a [3,2], b [3,3], c [3,4]; Concat(b, c, h) reads x once
TEST(MergeParts, JoinsSomeNeighboursIfTheCutsDisappear) {
    for (const bool is_read : {false, true}) {
        GraphBuilder b;
        const Output x = computed(b, "x", "[9,3]");
        const auto split = b.make<ops::VariadicSplit>("", x, b.ints({1}), b.ints({2, 3, 4}));
        b.output("y", concat(b, {split->output(1), split->output(2), b.input("h", "[3,1]")}));
        if (is_read) b.output("a", b.transpose(split->output(0), {1, 0}));
        const auto graph = b.graph();
        if (is_read) {
            expect_unchanged(*graph, cancel_slice_concat);
            continue;
        }
        expect_rewritten(*graph, cancel_slice_concat);
        EXPECT_EQ(count_nodes(*graph, "VariadicSplit"), 0u);
        EXPECT_EQ(count_nodes(*graph, "Slice"), 1u);
        EXPECT_EQ(made_of(*graph).node().input_count(), 2u);
    }
}

TEST(MergeParts, LeavesOtherOrdersAxesAndGaps) {
    GraphBuilder b;
    const Output x = computed(b, "x", "[6,3]");
    const Output first = slice(b, x, 0, 2), second = slice(b, x, 2, 4), third = slice(b, x, 4, 6);
    b.output("turned", concat(b, {third, second, first}));
    b.output("gap", concat(b, {first, third}));
    b.output("rows", concat(b, {first, second, third}, 0));
    b.output("twice", concat(b, {second, second}));
    expect_unchanged(*b.graph(), cancel_slice_concat);
}

TEST(MergeParts, LeavesASplitOfAnOpenExtent) {
    GraphBuilder b;
    const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
    const auto split = b.make<ops::Split>("", computed(b, "x", "[?,3]"), axis, 2);
    b.output("y", concat(b, outputs_of(split)));
    expect_unchanged(*b.graph(), cancel_slice_concat);
}

//  x [3,2], h [3,4] -> Concat -> Split at the same places -> Result
TEST(MergeParts, ReadsTheInputsOfAConcatInPlaceOfItsParts) {
    GraphBuilder b;
    const Output x = computed(b, "x", "[2,3]"), h = computed(b, "h", "[4,3]");
    const Output both = concat(b, {x, h});
    const auto split = b.make<ops::VariadicSplit>("", both, b.ints({1}), b.ints({2, 4}));
    b.output("a", split->output(0));
    b.output("b", split->output(1));
    b.output("c", b.transpose(slice(b, both, 3, 5), {1, 0}));  // in h
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_slice_concat);
    EXPECT_EQ(count_nodes(*graph, "Concat"), 0u);
    EXPECT_EQ(count_nodes(*graph, "VariadicSplit"), 0u);
    EXPECT_EQ(count_nodes(*graph, "Slice"), 1u);
}

TEST(MergeParts, TakesAPartOfAnInputThatOpenOnesFollow) {
    GraphBuilder b;
    const Output x = computed(b, "x", "[2,3]"), open = computed(b, "o", "[?,3]");
    b.output("y", b.transpose(slice(b, concat(b, {x, open}), 0, 2), {1, 0}));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_slice_concat);
    EXPECT_EQ(count_nodes(*graph, "Slice"), 0u);
}

TEST(MergeParts, LeavesPartsAcrossAJointAndOpenInputs) {
    GraphBuilder b;
    const Output x = computed(b, "x", "[2,3]"), h = computed(b, "h", "[4,3]");
    b.output("a", slice(b, concat(b, {x, h}), 1, 4));
    b.output("b", slice(b, concat(b, {x, h}), 0, 1, 0));
    const Output open = computed(b, "o", "[?,3]");
    b.output("c", slice(b, concat(b, {open, h}), 0, 2));
    b.output("d", slice(b, concat(b, {x, open}), 0, -2));  // all but the last two of both
    b.output("e", slice(b, concat(b, {x, open}), 1, kEnd));
    b.output("f", slice(b, concat(b, {h, open}), -1, kEnd));
    expect_unchanged(*b.graph(), cancel_slice_concat);
}

// An input of the model can't take the place of an output that has a name of its own.
TEST(MergeParts, KeepsTheNamesOfOutputs) {
    GraphBuilder b;
    const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
    const auto split = b.make<ops::Split>("", b.input("x", "[3,6]"), axis, 2);
    b.output("y", concat(b, outputs_of(split)));
    expect_unchanged(*b.graph(), cancel_slice_concat);
}

}  // namespace
}  // namespace rondo::passes::cancel_slice_concat_test
