#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/control/control_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/lowering/layers.hpp"

namespace rondo::passes::convert_sequence_to_tensor_iterator_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr ops::CellType kTypes[] = {ops::CellType::lstm, ops::CellType::gru, ops::CellType::rnn};

// GRUSequence with lengths -> TensorIterator over GRUCell and Select -> Unsqueeze.
TEST(ConvertSequenceToTensorIterator, KeepsStatesBehindEachRowsEnd) {
    for (const auto type : kTypes) {
        for (const auto direction : {ops::Direction::forward, ops::Direction::reverse}) {
            LayerSpec spec{.cell = type, .has_lengths = true};
            spec.attributes.direction = direction;
            const auto graph = layer_graph(spec);
            expect_lowered(*graph, convert_sequence_to_tensor_iterator,
                           layer_inputs(spec, 7, 4, 5));
            EXPECT_EQ(count_nodes(*graph, "TensorIterator"), 1u);
            for (const auto& node : graph->ordered_nodes()) EXPECT_NE(node->op_type().opset, 0);
        }
    }
}

TEST(ConvertSequenceToTensorIterator, GivesTheFirstStatesWhereThereIsNoStep) {
    for (const bool has_lengths : {false, true}) {
        LayerSpec spec{.has_peepholes = true, .has_lengths = has_lengths};
        const auto graph = layer_graph(spec);
        const auto inputs = layer_inputs(spec, 2, 0);
        convert_sequence_to_tensor_iterator(*graph);
        graph->validate();
        const auto results = evaluate_graph(*graph, inputs);
        expect_same(results[1], inputs[1]);
        expect_same(results[2], inputs[2]);
    }
}

TEST(ConvertSequenceToTensorIterator, ComputesTypesOf16BitsInF32) {
    for (const auto type : {ElementType::f16, ElementType::bf16}) {
        LayerSpec spec{.has_lengths = true, .type = type};
        const auto graph = layer_graph(spec);
        expect_lowered(*graph, convert_sequence_to_tensor_iterator, layer_inputs(spec), 0.01);
    }
}

TEST(ConvertSequenceToTensorIterator, LeavesOutYWhereNothingReadsIt) {
    const auto whole = layer_graph({.has_peepholes = true});
    Graph last("last", whole->parameters(), {whole->results()[1]});
    whole->results()[0]->set_inputs({});
    EXPECT_TRUE(convert_sequence_to_tensor_iterator(last));
    EXPECT_EQ(find<ops::TensorIterator>(last, "layer/loop").output_count(), 2u);
}

TEST(ConvertSequenceToTensorIterator, LeavesWhatOpenvinoRuns) {
    for (const auto type : kTypes) {
        LayerSpec spec{.cell = type};
        expect_unchanged(*layer_graph(spec), convert_sequence_to_tensor_iterator);
        spec.has_lengths = true;
        spec.x_shape = "...";  // OpenVINO's CPU plugin runs no tensor of open rank
        expect_unchanged(*layer_graph(spec), convert_sequence_to_tensor_iterator);
        spec.x_shape = "[3,5,4]";  // lengths are no problem there
        expect_unchanged(*layer_graph(spec), convert_sequence_to_tensor_iterator);
    }
}

}  // namespace
}  // namespace rondo::passes::convert_sequence_to_tensor_iterator_test
