#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes::hoist_loop_invariants_test {
namespace {

using namespace test;  // NOLINT: tests only

// Three iterations of x += w; w is carried as it is, or as w + w. Both are outputs.
std::shared_ptr<Graph> weighted_loop(bool changes, std::int64_t count = 3) {
    GraphBuilder body, builder;
    body.input("i", "", ElementType::i64);
    const Output w = body.input("bw", "2");
    const Output x = body.input("bx", "2");
    body.output("more", flag(body, true));
    body.output("next_w", changes ? add(body, w, w) : w);
    body.output("next_x", add(body, x, w));
    const std::vector<Output> inputs{i64(builder, count), flag(builder, true),
                                     builder.input("w", "2"), builder.input("x", "2")};
    const auto loop = builder.make<ops::Loop>(
        "loop", inputs, body.graph(),
        ops::BodyPorts{{{2, 1, {}, 1}, {3, 2, {}, 2}}, {{0, 1, {}}, {1, 2, {}}}},
        ops::LoopPorts{0, 0});
    builder.output("last_w", add(builder, loop->output(0), loop->output(0)));
    builder.output("y", loop->output(1));
    return builder.graph();
}

TEST(StopCarrying, AValueThatStaysIsReadWhole) {
    const auto graph = weighted_loop(false);
    expect_rewritten(*graph, hoist_loop_invariants);
    const auto& loop = find<ops::Loop>(*graph, "loop");
    EXPECT_FALSE(loop.body_ports().inputs[0].back_edge);
    EXPECT_TRUE(loop.body_ports().inputs[1].back_edge);
    EXPECT_EQ(loop.output_count(), 1u);
    EXPECT_EQ(loop.body().results().size(), 2u);
}

TEST(StopCarrying, TheLimitOfIterationsStays) {
    const auto graph = weighted_loop(false);
    test::find<ops::Loop>(*graph, "loop").set_most_iterations(5);
    hoist_loop_invariants(*graph);
    EXPECT_EQ(test::find<ops::Loop>(*graph, "loop").most_iterations(), 5u);
}

TEST(StopCarrying, WithoutAnIterationItIsTheInput) {
    const auto graph = weighted_loop(false, 0);
    expect_rewritten(*graph, hoist_loop_invariants);
}

TEST(StopCarrying, AValueThatChangesGoesRound) {
    const auto graph = weighted_loop(true);
    expect_unchanged(*graph, hoist_loop_invariants);
}

// The loop's last output that is read becomes its input: nothing needs the loop any more.
TEST(StopCarrying, ALoopThatChangesNothingFallsOut) {
    GraphBuilder body, builder;
    body.input("i", "", ElementType::i64);
    const Output w = body.input("bw", "2");
    body.output("more", flag(body, true));
    body.output("next_w", w);
    const std::vector<Output> inputs{i64(builder, 3), flag(builder, true), builder.input("w", "2")};
    const auto loop = builder.make<ops::Loop>("loop", inputs, body.graph(),
                                              ops::BodyPorts{{{2, 1, {}, 1}}, {{0, 1, {}}}},
                                              ops::LoopPorts{0, 0});
    builder.output("y", add(builder, loop->output(0), loop->output(0)));
    const auto graph = builder.graph();
    expect_rewritten(*graph, hoist_loop_invariants);
    EXPECT_EQ(count_nodes(*graph, "Loop"), 0u);
}

// One value is carried twice, and both are outputs of the model: it can't have both names.
TEST(StopCarrying, OneInputIsOneOutputOfTheModel) {
    GraphBuilder body, builder;
    body.input("i", "", ElementType::i64);
    const Output first = body.input("bv", "2"), second = body.input("bw", "2");
    const Output x = body.input("bx", "2");
    body.output("more", flag(body, true));
    body.output("next_v", first);
    body.output("next_w", second);
    body.output("next_x", add(body, x, add(body, first, second)));
    const Output input = builder.input("w", "2");
    const Output twice = add(builder, input, input);
    const std::vector<Output> inputs{i64(builder, 3), flag(builder, true), twice, twice, input};
    const auto loop =
        builder.make<ops::Loop>("loop", inputs, body.graph(),
                                ops::BodyPorts{{{2, 1, {}, 1}, {3, 2, {}, 2}, {4, 3, {}, 3}},
                                               {{0, 1, {}}, {1, 2, {}}, {2, 3, {}}}},
                                ops::LoopPorts{0, 0});
    builder.output("v", loop->output(0));
    builder.output("w2", loop->output(1));
    builder.output("y", loop->output(2));
    const auto graph = builder.graph();
    expect_rewritten(*graph, hoist_loop_invariants);
    const auto& ports = find<ops::Loop>(*graph, "loop").body_ports();
    EXPECT_FALSE(ports.inputs[0].back_edge);
    EXPECT_TRUE(ports.inputs[1].back_edge);
}

}  // namespace
}  // namespace rondo::passes::hoist_loop_invariants_test
