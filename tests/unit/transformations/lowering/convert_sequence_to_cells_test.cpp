#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/transformations/lowering/layers.hpp"

namespace rondo::passes::convert_sequence_to_cells_test {
namespace {

using namespace test;  // NOLINT: tests only

// LSTMSequence of two steps -> Split -> LSTMCell -> LSTMCell -> Concat.
TEST(ConvertSequenceToCells, MakesACellOfEachStep) {
    for (const auto direction : {ops::Direction::forward, ops::Direction::reverse}) {
        for (const bool has_lengths : {false, true}) {
            LayerSpec spec{.has_peepholes = true, .x_shape = "[?,2,4]"};
            spec.attributes.direction = direction;
            spec.has_lengths = has_lengths;
            const auto graph = layer_graph(spec);
            expect_lowered(*graph, convert_sequence_to_cells, layer_inputs(spec));
            EXPECT_EQ(count_nodes(*graph, "LSTMCell"), 2u);
            EXPECT_EQ(count_nodes(*graph, "Select"), has_lengths ? 8u : 0u);
        }
    }
}

TEST(ConvertSequenceToCells, MakesStandardCellsWhereOnlyLengthsAreMissing) {
    LayerSpec spec{.cell = ops::CellType::gru, .has_lengths = true, .x_shape = "[?,2,4]"};
    const auto graph = layer_graph(spec);
    expect_lowered(*graph, convert_sequence_to_cells, layer_inputs(spec));
    for (const auto& node : graph->ordered_nodes()) EXPECT_NE(node->op_type().opset, 0);
}

TEST(ConvertSequenceToCells, LeavesLongOnesAndThoseThatOpenvinoRuns) {
    LayerSpec standard{.x_shape = "[?,2,4]"};
    expect_unchanged(*layer_graph(standard), convert_sequence_to_cells);
    for (const char* shape : {"[?,4,4]", "[?,?,4]", "[?,0,4]"}) {
        LayerSpec spec{.has_peepholes = true, .x_shape = shape};
        expect_unchanged(*layer_graph(spec), convert_sequence_to_cells);
    }
    LayerSpec both{.has_peepholes = true, .x_shape = "[?,2,4]"};
    both.attributes.direction = ops::Direction::bidirectional;
    expect_unchanged(*layer_graph(both), convert_sequence_to_cells);
}

}  // namespace
}  // namespace rondo::passes::convert_sequence_to_cells_test
