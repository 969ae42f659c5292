// Tests a part of transformations/simplify/unroll.cpp.
#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes::unroll_loop_test {
namespace {

using namespace test;  // NOLINT: tests only

// tanh(x) is carried; each iteration adds its number and 1. The rows are joined if `joins`.
std::shared_ptr<Graph> loop_of(std::int64_t trips, bool joins, bool bent = true,
                               const std::string& shape = "2") {
    GraphBuilder body, builder;
    const Output i = body.input("i", "", ElementType::i64);
    const Output x = body.input("bx", shape);
    const Output number = body.make<ops::Convert>("number", i, ElementType::f32);
    const Output next = add(body, add(body, x, number), body.constant(scalar_of<float>(1)));
    body.output("more", flag(body, true));
    body.output("next", next);
    body.output("row", body.unsqueeze(next, {0}));
    Output start = builder.input("x", shape);
    if (bent) start = builder.make<ops::Unary>("bend", ops::UnaryFunction::tanh, start);
    ops::BodyPorts ports{{{2, 1, {}, 1}}, {{0, 1, {}}}};
    if (joins) ports.outputs.push_back({1, 2, ops::PartRange{}});
    const std::vector<Output> inputs{i64(builder, trips), flag(builder, true), start};
    const auto loop =
        builder.make<ops::Loop>("loop", inputs, body.graph(), ports, ops::LoopPorts{0, 0});
    builder.output("last", loop->output(0));
    if (joins) builder.output("rows", loop->output(1));
    return builder.graph();
}

// x -> Tanh -> Loop(1) [+ i, + 1] -> last   becomes   x -> Tanh -> Add(0) -> Add(1) -> last
TEST(UnrollLoop, OneIterationIsItsBody) {
    const auto graph = loop_of(1, true);
    expect_rewritten(*graph, unroll_loop);
    EXPECT_EQ(count_nodes(*graph, "Loop"), 0u);
    EXPECT_EQ(count_nodes(*graph, "Add"), 2u);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "loop");
}

// x -> Tanh -> Loop(0) -> last   becomes   x -> Tanh -> last
TEST(UnrollLoop, NoIterationIsItsInput) {
    const auto graph = loop_of(0, false);
    expect_rewritten(*graph, unroll_loop);
    EXPECT_EQ(count_nodes(*graph, "Loop"), 0u);
    EXPECT_EQ(graph->results()[0]->input(0).node().type_name(), "Tanh");
}

// x [2,1,2] -> TensorIterator over axis 1   becomes   x -> Squeeze -> Add -> ...
TEST(UnrollLoop, OnePartIsTheWholeInput) {
    for (const bool reversed : {false, true}) {
        const auto graph = running_sum(reversed, "2,1,2", "2,2");
        expect_rewritten(*graph, unroll_loop);
        EXPECT_EQ(count_nodes(*graph, "TensorIterator"), 0u);
        EXPECT_EQ(count_nodes(*graph, "Add"), 1u);
    }
}

TEST(UnrollLoop, LeavesMoreIterations) {
    expect_unchanged(*loop_of(2, true), unroll_loop);
    expect_unchanged(*running_sum(false, "2,3,2", "2,2"), unroll_loop);
}

// Nothing says how many rows there are.
TEST(UnrollLoop, LeavesAnOpenNumberOfParts) {
    expect_unchanged(*running_sum(false, "?,?,2", "?,2"), unroll_loop);
}

TEST(UnrollLoop, LeavesTheCountToACondition) { expect_unchanged(*count_loop(), unroll_loop); }

// x -> Tanh -> Loop(0) -> last, rows   becomes   x -> Tanh -> last, and a constant [0,2] -> rows
TEST(UnrollLoop, NoIterationJoinsNothing) {
    const auto graph = loop_of(0, true);
    expect_rewritten(*graph, unroll_loop);
    EXPECT_EQ(count_nodes(*graph, "Loop"), 0u);
    EXPECT_EQ(graph->results()[0]->input(0).node().type_name(), "Tanh");
    const Node& rows = graph->results()[1]->input(0).node();
    EXPECT_EQ(rows.type_name(), "Const");
    EXPECT_EQ(rows.output_shape(0), PartialShape({0, 2}));
}

// Nothing says how long the rows are.
TEST(UnrollLoop, LeavesNoIterationThatJoinsAnOpenExtent) {
    expect_unchanged(*loop_of(0, true, true, "?"), unroll_loop);
}

// x -> Loop(0) -> last: an input of the model would become an output.
TEST(UnrollLoop, LeavesAnInputThatWouldBecomeAnOutput) {
    expect_unchanged(*loop_of(0, false, false), unroll_loop);
}

// The second of three elements alone.
TEST(UnrollLoop, LeavesAPartOfTheInput) {
    GraphBuilder body, builder;
    const Output part = body.input("part", "1");
    body.output("twice", add(body, part, part));
    const auto node = builder.make<ops::TensorIterator>(
        "walk", std::vector<Output>{builder.input("x", "3")}, body.graph(),
        ops::BodyPorts{{{0, 0, ops::PartRange{0, 1, 1, 1, 1}, {}}}, {{0, 0, {}}}});
    builder.output("y", node->output(0));
    expect_unchanged(*builder.graph(), unroll_loop);
}

}  // namespace
}  // namespace rondo::passes::unroll_loop_test
