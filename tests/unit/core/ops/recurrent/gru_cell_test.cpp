#include "core/ops/recurrent/gru_cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::ops {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(GRUCell, HasItsType) {
    EXPECT_EQ(GRUCell().op_type().opset_name(), "opset3");
    EXPECT_EQ(GRUCell().type_name(), "GRUCell");
    GRUCell own;
    own.set_attributes({.activations_alpha = {1.0f}});
    EXPECT_EQ(own.op_type().opset_name(), "rondo1");
    EXPECT_EQ(own.type_name(), "GRUCell");
}

// As OpenVINO 2026.4 writes them.
TEST(GRUCell, WritesOpenVinosAttributesInItsOrder) {
    const auto op = test::recurrent_node<GRUCell>({.hidden_size = 5, .clip = 0.1f});
    EXPECT_THAT(attributes_of(*op),
                ElementsAre(Pair("linear_before_reset", "false"), Pair("hidden_size", "5"),
                            Pair("activations", "sigmoid, tanh"), Pair("activations_alpha", ""),
                            Pair("activations_beta", ""), Pair("clip", "0.10000000149011612")));
}

TEST(GRUCell, HasItsPorts) {
    const GRUCell op;
    EXPECT_EQ(op.x_port(), 0u);
    EXPECT_EQ(op.h_port(), 1u);
    EXPECT_EQ(op.c_port(), RecurrentOp::npos);
    EXPECT_EQ(op.lengths_port(), RecurrentOp::npos);
    EXPECT_EQ(op.w_port(), 2u);
    EXPECT_EQ(op.r_port(), 3u);
    EXPECT_EQ(op.b_port(), 4u);
    EXPECT_EQ(op.p_port(), RecurrentOp::npos);
    EXPECT_EQ(op.gate_count(), 3u);
    EXPECT_EQ(op.bias_gate_count(), 3u);
}

TEST(GRUCell, HasAFourthBiasWithLinearBeforeReset) {
    const auto op = test::recurrent_node<GRUCell>({.linear_before_reset = true});
    EXPECT_EQ(op->gate_count(), 3u);
    EXPECT_EQ(op->bias_gate_count(), 4u);
}

}  // namespace
}  // namespace rondo::ops
