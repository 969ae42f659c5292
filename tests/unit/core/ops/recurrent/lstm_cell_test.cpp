#include "core/ops/recurrent/lstm_cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::ops {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(LSTMCell, HasItsType) {
    EXPECT_EQ(LSTMCell().op_type().opset_name(), "opset4");
    EXPECT_EQ(LSTMCell().type_name(), "LSTMCell");
    LSTMCell own;
    own.set_attributes({.activations_alpha = {1.0f}});
    EXPECT_EQ(own.op_type().opset_name(), "rondo1");
    EXPECT_EQ(own.type_name(), "LSTMCell");
}

// As OpenVINO 2026.4 writes them.
TEST(LSTMCell, WritesOpenVinosAttributesInItsOrder) {
    const auto op = test::recurrent_node<LSTMCell>({.hidden_size = 5, .clip = 0.1f});
    EXPECT_THAT(attributes_of(*op),
                ElementsAre(Pair("hidden_size", "5"), Pair("activations", "sigmoid, tanh, tanh"),
                            Pair("activations_alpha", ""), Pair("activations_beta", ""),
                            Pair("clip", "0.10000000149011612")));
}

TEST(LSTMCell, HasItsPorts) {
    const LSTMCell op;
    EXPECT_EQ(op.x_port(), 0u);
    EXPECT_EQ(op.h_port(), 1u);
    EXPECT_EQ(op.c_port(), 2u);
    EXPECT_EQ(op.lengths_port(), RecurrentOp::npos);
    EXPECT_EQ(op.w_port(), 3u);
    EXPECT_EQ(op.r_port(), 4u);
    EXPECT_EQ(op.b_port(), 5u);
    EXPECT_EQ(op.p_port(), RecurrentOp::npos);
    EXPECT_EQ(op.gate_count(), 4u);
    EXPECT_EQ(op.bias_gate_count(), 4u);
}

}  // namespace
}  // namespace rondo::ops
