// Kinds of nodes.
#include <gtest/gtest.h>

#include "tools/rondo/model_contents.hpp"

namespace rondo::tool::node_kinds_test {
namespace {

NodeInfo of_type(const char* type) {
    NodeInfo node;
    node.type = type;
    return node;
}

TEST(NodeKinds, LayersAreNotWhateverEndsLikeOne) {
    for (const char* type :
         {"LSTMSequence", "GRUSequence", "RNNSequence", "LSTMCell", "GRUCell", "RNNCell"}) {
        EXPECT_TRUE(is_recurrent(of_type(type))) << type;
    }
    EXPECT_FALSE(is_recurrent(of_type("ReverseSequence")));
}

TEST(NodeKinds, WeightsComeBehindStatesAndLengths) {
    EXPECT_EQ(weights_port(of_type("LSTMSequence")), 4U);  // X, H, C, lengths, W
    EXPECT_EQ(weights_port(of_type("GRUSequence")), 3U);   // X, H, lengths, W
    EXPECT_EQ(weights_port(of_type("RNNSequence")), 3U);
    EXPECT_EQ(weights_port(of_type("LSTMCell")), 3U);  // X, H, C, W
    EXPECT_EQ(weights_port(of_type("GRUCell")), 2U);   // X, H, W
}

TEST(NodeKinds, OperationsAreNeitherConstantsNorPorts) {
    for (const char* type : {"Const", "Parameter", "Result"}) {
        EXPECT_FALSE(is_operation(of_type(type))) << type;
    }
    EXPECT_TRUE(is_operation(of_type("ReverseSequence")));
}

TEST(NodeKinds, WhatReadsConstantsAloneIsComputedOnce) {
    const auto node = [](const char* type, const std::vector<std::size_t>& sources) {
        NodeInfo made = of_type(type);
        for (const std::size_t source : sources) made.inputs.push_back({source, 0});
        return made;
    };
    const std::vector<NodeInfo> nodes = {
        node("Parameter", {}),  node("Const", {}), node("Split", {1}), node("Concat", {2, 2}),
        node("MatMul", {0, 3}), node("Range", {}), node("Result", {3})};
    const std::vector<bool> expected = {false, true, true, true, false, false, false};
    EXPECT_EQ(computed_once(nodes), expected);
}

}  // namespace
}  // namespace rondo::tool::node_kinds_test
