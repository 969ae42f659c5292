#include "tools/rondo/node_kinds.hpp"

#include <gtest/gtest.h>

namespace rondo::tool {
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

}  // namespace
}  // namespace rondo::tool
