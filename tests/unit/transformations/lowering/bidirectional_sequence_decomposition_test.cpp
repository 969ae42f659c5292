#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/lowering/layers.hpp"

namespace rondo::passes::bidirectional_sequence_decomposition_test {
namespace {

using namespace test;  // NOLINT: tests only

LayerSpec both_ways(ops::CellType cell, std::vector<std::string> activations) {
    LayerSpec spec{.cell = cell};
    spec.attributes.direction = ops::Direction::bidirectional;
    spec.attributes.activations = std::move(activations);
    return spec;
}

// LSTM (relu tanh tanh, sigmoid tanh relu) -> LSTM forward, LSTM reverse -> Concat: both standard.
TEST(BidirectionalSequenceDecomposition, GivesEachDirectionItsFunctions) {
    const auto spec =
        both_ways(ops::CellType::lstm, {"relu", "tanh", "tanh", "sigmoid", "tanh", "relu"});
    const auto graph = layer_graph(spec);
    expect_rewritten(*graph, bidirectional_sequence_decomposition, layer_inputs(spec));
    const auto& forward = find<ops::LSTMSequence>(*graph, "layer/forward");
    const auto& reverse = find<ops::LSTMSequence>(*graph, "layer/reverse");
    EXPECT_EQ(forward.attributes().activations[0], "relu");
    EXPECT_EQ(reverse.attributes().activations[2], "relu");
    EXPECT_TRUE(forward.is_standard());
    EXPECT_TRUE(reverse.is_standard());
}

TEST(BidirectionalSequenceDecomposition, SharesOutAlphasAndBetas) {
    auto spec = both_ways(ops::CellType::gru, {"sigmoid", "leakyrelu", "hardsigmoid", "elu"});
    spec.attributes.activations_alpha = {0.3F, 0.4F};  // elu has its default
    spec.attributes.activations_beta = {0.2F};
    const auto graph = layer_graph(spec);
    expect_rewritten(*graph, bidirectional_sequence_decomposition, layer_inputs(spec));
    const auto& forward = find<ops::GRUSequence>(*graph, "layer/forward").attributes();
    const auto& reverse = find<ops::GRUSequence>(*graph, "layer/reverse").attributes();
    EXPECT_EQ(forward.activations_alpha, (std::vector<float>{0.3F}));
    EXPECT_EQ(reverse.activations_alpha, (std::vector<float>{0.4F, 1.0F}));
    EXPECT_EQ(reverse.activations_beta, (std::vector<float>{0.2F}));
}

TEST(BidirectionalSequenceDecomposition, SplitsPeepholesAndLengths) {
    auto spec = both_ways(ops::CellType::lstm, {});
    spec.has_peepholes = spec.has_lengths = true;
    const auto graph = layer_graph(spec);
    expect_rewritten(*graph, bidirectional_sequence_decomposition, layer_inputs(spec));
    EXPECT_EQ(count_nodes(*graph, "LSTMSequence"), 2u);
}

TEST(BidirectionalSequenceDecomposition, LeavesWhatOpenvinoRuns) {
    for (const auto cell : {ops::CellType::lstm, ops::CellType::gru, ops::CellType::rnn}) {
        expect_unchanged(*layer_graph(both_ways(cell, {})), bidirectional_sequence_decomposition);
    }
    LayerSpec one_way;
    one_way.has_peepholes = true;
    expect_unchanged(*layer_graph(one_way), bidirectional_sequence_decomposition);
}

}  // namespace
}  // namespace rondo::passes::bidirectional_sequence_decomposition_test
