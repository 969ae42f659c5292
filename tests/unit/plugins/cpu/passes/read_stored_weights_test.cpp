#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::read_stored_weights_test {
namespace {

RecurrentGraph stored_in(ElementType type) {
    RecurrentCase test;
    test.attributes.hidden_size = 6;
    test.stored = type;
    test.open_shapes = false;
    auto made = make_recurrent<ops::GRUSequence>(test);
    cpu::fold_decompression(*made.graph);
    made.graph->validate();
    return made;
}

TEST(ReadStoredWeights, MarksTheConvertsOfLayers) {
    const auto made = stored_in(ElementType::f16);
    const std::string before = to_text(*made.graph);
    EXPECT_TRUE(cpu::read_stored_weights(*made.graph));
    made.graph->validate();
    check_graph(*made.graph);
    EXPECT_EQ(count_nodes(*made.graph, "StoredWeights"), 2u);
    EXPECT_EQ(count_nodes(*made.graph, "Convert"), 0u);
    expect_unchanged(*made.graph, cpu::read_stored_weights);
    EXPECT_TRUE(kernel_of(*made.graph, "layer").ends_with("_f16w"));
    EXPECT_TRUE(cpu::expand_fused(*made.graph));
    made.graph->validate();
    EXPECT_EQ(to_text(*made.graph), before);
}

// A Convert that a result reads, too, has to be computed.
TEST(ReadStoredWeights, LeavesWhatOthersRead) {
    const auto made = stored_in(ElementType::bf16);
    const NodePtr layer = made.graph->results()[0]->input(0).node_ptr();
    const auto& op = dynamic_cast<const ops::RecurrentOp&>(*layer);
    const auto graph =
        graph_of(made.graph->parameters(), {layer->output(0), op.input(op.r_port())});
    EXPECT_TRUE(cpu::read_stored_weights(*graph));
    EXPECT_EQ(count_nodes(*graph, "StoredWeights"), 1u);
    EXPECT_EQ(count_nodes(*graph, "Convert"), 1u);
}

TEST(ReadStoredWeights, LeavesWideWeightsAlone) {
    expect_unchanged(*stored_in(ElementType::f32).graph, cpu::read_stored_weights);
}

}  // namespace
}  // namespace rondo::test::read_stored_weights_test
