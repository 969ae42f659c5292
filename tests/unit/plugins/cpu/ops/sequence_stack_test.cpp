#include "plugins/cpu/ops/sequence_stack.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ir/ir.hpp"
#include "plugins/cpu/passes/passes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/ops.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test::sequence_stack_test {
namespace {

using ops::CellType;

std::shared_ptr<cpu::SequenceStack> stack_of(const StackedCase& test) {
    const auto made = make_stacked(test);
    cpu::stack_sequences(*made.graph);
    return as<cpu::SequenceStack>(made.graph->results()[0]->input(0));
}

TEST(SequenceStack, PortsOfEachLayer) {
    StackedCase test;
    test.kinds = {CellType::gru, CellType::lstm, CellType::rnn};
    const auto stack = stack_of(test);
    ASSERT_NE(stack, nullptr);
    const auto gru = stack->ports(0), lstm = stack->ports(1), rnn = stack->ports(2);
    EXPECT_EQ(gru.h, 2u);
    EXPECT_EQ(gru.c, ops::RecurrentOp::npos);
    EXPECT_EQ(gru.y, 0u);
    EXPECT_EQ(gru.ho, 1u);
    EXPECT_EQ(lstm.h, 3u);
    EXPECT_EQ(lstm.c, 4u);
    EXPECT_EQ(lstm.y, 2u);
    EXPECT_EQ(lstm.co, 4u);
    EXPECT_EQ(rnn.h, 5u);
    EXPECT_EQ(rnn.ho, 6u);
    EXPECT_EQ(rnn.co, ops::RecurrentOp::npos);
}

TEST(SequenceStack, ShapesOfEachLayer) {
    const auto stack = stack_of({});
    ASSERT_NE(stack, nullptr);
    EXPECT_EQ(inferred(*stack, 0), "f32[?,1,?,12]");
    EXPECT_EQ(inferred(*stack, 2), "f32[?,1,12]");
    EXPECT_EQ(inferred(*stack, 3), "f32[?,1,?,12]");
    StackedCase known;
    known.open = false;
    EXPECT_EQ(inferred(*stack_of(known), 3), "f32[2,1,7,12]");
}

TEST(SequenceStack, IsPrintedButNotWritten) {
    const auto made = make_stacked({});
    const auto device = on_cpu(*made.graph);
    const Graph& graph = *device.executable->graph();
    EXPECT_NE(to_text(graph).find("{layers=LSTMSequence, GRUSequence, x_order=0, 1, 2, "
                                  "y_order=0, 1, 2, 3}"),
              std::string::npos)
        << to_text(graph);
    const std::string path = temporary_path("model.xml");
    expect_error<UnsupportedError>([&] { ir::write(graph, path); },
                                   "node 'layer_0' (LSTMSequence, as SequenceStack "
                                   "'layer_0 + layer_1'): this op is made by");
}

TEST(SequenceStack, AFaultIsThatOfALayer) {
    const auto stack = stack_of({});
    auto inputs = stack->inputs();
    inputs[stack->ports(1).h] = parameter("[?,1,11]");
    expect_error<ModelError>([&] { stack->clone_with(inputs); }, "node 'layer_1' (GRUSequence)");
    inputs = stack->inputs();
    inputs[cpu::SequenceStack::kX] = parameter("[?,?,4]");
    expect_error<ModelError>([&] { stack->clone_with(inputs); }, "node 'layer_0' (LSTMSequence)");
}

}  // namespace
}  // namespace rondo::test::sequence_stack_test
