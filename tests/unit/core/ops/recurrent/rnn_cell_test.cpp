#include "core/ops/recurrent/rnn_cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::ops {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(RNNCell, HasItsType) {
    EXPECT_EQ(RNNCell().op_type().opset_name(), "opset1");
    EXPECT_EQ(RNNCell().type_name(), "RNNCell");
    RNNCell own;
    own.set_attributes({.activations_alpha = {1.0f}});
    EXPECT_EQ(own.op_type().opset_name(), "rondo1");
    EXPECT_EQ(own.type_name(), "RNNCell");
}

// As OpenVINO 2026.4 writes them.
TEST(RNNCell, WritesOpenVinosAttributesInItsOrder) {
    const auto op = test::recurrent_node<RNNCell>({.hidden_size = 5, .clip = 0.1f});
    EXPECT_THAT(attributes_of(*op),
                ElementsAre(Pair("hidden_size", "5"), Pair("activations", "tanh"),
                            Pair("activations_alpha", ""), Pair("activations_beta", ""),
                            Pair("clip", "0.10000000149011612")));
}

TEST(RNNCell, HasItsPorts) {
    const RNNCell op;
    EXPECT_EQ(op.x_port(), 0u);
    EXPECT_EQ(op.h_port(), 1u);
    EXPECT_EQ(op.c_port(), RecurrentOp::npos);
    EXPECT_EQ(op.lengths_port(), RecurrentOp::npos);
    EXPECT_EQ(op.w_port(), 2u);
    EXPECT_EQ(op.r_port(), 3u);
    EXPECT_EQ(op.b_port(), 4u);
    EXPECT_EQ(op.p_port(), RecurrentOp::npos);
    EXPECT_EQ(op.gate_count(), 1u);
    EXPECT_EQ(op.bias_gate_count(), 1u);
}

}  // namespace
}  // namespace rondo::ops
