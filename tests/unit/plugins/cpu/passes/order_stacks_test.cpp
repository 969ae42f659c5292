// What fuse_transposes does with stacks of layers.
#include <gtest/gtest.h>

#include "plugins/cpu/passes/passes.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/plugins/cpu/ordered_graph.hpp"

namespace rondo::test::order_stacks_test {
namespace {

using ops::CellType;

// x [T,N,I] -> Transpose -> two layers -> Transpose -> y, and H of the lower one
StackedGraph stack_of_time_first_layers(bool squeezes, bool apart) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2}, "before");
    if (apart) x = times_one(maker, x);
    const auto lower = maker.layer("lower", CellType::lstm, x, maker.full_lengths(x));
    const Output between = maker.handed_on(lower);
    const auto upper = maker.layer("upper", CellType::gru, between, maker.full_lengths(between));
    Output y = upper->output(0);
    if (apart) y = times_one(maker, y);
    b.output("y", squeezes ? b.transpose(b.squeeze(y, {1}), {1, 0, 2}, "behind")
                           : b.transpose(y, {2, 1, 0, 3}, "behind"));
    b.output("h", lower->output(1));
    return maker.finish();
}

TEST(FuseTransposes, TakesInTheTransposesAroundAStack) {
    for (const bool squeezes : {false, true}) {
        const auto made = stack_of_time_first_layers(squeezes, false);
        auto device = on_cpu(*made.graph);
        EXPECT_EQ(count_nodes(*device.executable->graph(), "SequenceStack"), 1u);
        EXPECT_EQ(count_nodes(*device.executable->graph(), "Transpose"), 0u);
        const auto apart = stack_of_time_first_layers(squeezes, true);
        const auto expected = on_cpu(*apart.graph).run(apart.inputs);
        const auto actual = device.run(made.inputs);
        for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
        expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
        const auto spelled_out = device.executable->graph()->clone();
        EXPECT_TRUE(cpu::expand_sequences(*spelled_out));
        spelled_out->validate();
        EXPECT_EQ(count_nodes(*spelled_out, "Transpose"), 2u);
        const auto slow = on_reference(*spelled_out).run(made.inputs);
        for (std::size_t i = 0; i < slow.size(); ++i) expect_near(actual[i], slow[i], 1e-5, 1e-5);
    }
}

}  // namespace
}  // namespace rondo::test::order_stacks_test
