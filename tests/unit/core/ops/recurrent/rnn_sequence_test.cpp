#include "core/ops/recurrent/rnn_sequence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::ops {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(RNNSequence, HasItsType) {
    EXPECT_EQ(RNNSequence().op_type().opset_name(), "opset5");
    EXPECT_EQ(RNNSequence().type_name(), "RNNSequence");
    RNNSequence own;
    own.set_attributes({.activations_alpha = {1.0f}});
    EXPECT_EQ(own.op_type().opset_name(), "rondo1");
    EXPECT_EQ(own.type_name(), "RNNSequence");
}

// As OpenVINO 2026.4 writes them.
TEST(RNNSequence, WritesOpenVinosAttributesInItsOrder) {
    const auto op = test::recurrent_node<RNNSequence>({.hidden_size = 5, .clip = 0.1f});
    EXPECT_THAT(attributes_of(*op),
                ElementsAre(Pair("direction", "forward"), Pair("hidden_size", "5"),
                            Pair("activations", "tanh"), Pair("activations_alpha", ""),
                            Pair("activations_beta", ""), Pair("clip", "0.10000000149011612")));
}

TEST(RNNSequence, HasItsPorts) {
    const RNNSequence op;
    EXPECT_EQ(op.x_port(), 0u);
    EXPECT_EQ(op.h_port(), 1u);
    EXPECT_EQ(op.c_port(), RecurrentOp::npos);
    EXPECT_EQ(op.lengths_port(), 2u);
    EXPECT_EQ(op.w_port(), 3u);
    EXPECT_EQ(op.r_port(), 4u);
    EXPECT_EQ(op.b_port(), 5u);
    EXPECT_EQ(op.p_port(), RecurrentOp::npos);
    EXPECT_EQ(op.gate_count(), 1u);
    EXPECT_EQ(op.bias_gate_count(), 1u);
}

}  // namespace
}  // namespace rondo::ops
