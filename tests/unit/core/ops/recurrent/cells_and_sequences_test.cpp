// Types, attributes and ports of the six recurrent ops, a row each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "core/graph/printer.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::ops::cells_and_sequences_test {
namespace {

constexpr std::size_t kNone = RecurrentOp::npos;

/// Port numbers, in the order of the inputs; kNone for an input that the op lacks.
struct Ports {
    std::size_t x, h, c, lengths, w, r, b;
};

struct Row {
    std::string type;
    std::string opset;
    /// Makes the op with these attributes, named "layer".
    std::function<std::shared_ptr<RecurrentOp>(RecurrentAttributes)> make;
    std::string own;  ///< attributes in front of hidden_size, as OpenVINO 2026.4 writes them
    std::string activations;  ///< the default ones
    Ports ports;
    std::size_t gates;
    bool has_linear_before_reset;
};

template <typename T>
std::shared_ptr<RecurrentOp> make(RecurrentAttributes attributes) {
    return test::recurrent_node<T>(std::move(attributes));
}

// clang-format off
const Row kRows[] = {
    {"LSTMCell", "opset4", make<LSTMCell>, "", "sigmoid, tanh, tanh",
     {0, 1, 2, kNone, 3, 4, 5}, 4, false},
    {"GRUCell", "opset3", make<GRUCell>, "linear_before_reset=false ", "sigmoid, tanh",
     {0, 1, kNone, kNone, 2, 3, 4}, 3, true},
    {"RNNCell", "opset1", make<RNNCell>, "", "tanh",
     {0, 1, kNone, kNone, 2, 3, 4}, 1, false},
    {"LSTMSequence", "opset5", make<LSTMSequence>, "direction=forward ", "sigmoid, tanh, tanh",
     {0, 1, 2, 3, 4, 5, 6}, 4, false},
    {"GRUSequence", "opset5", make<GRUSequence>, "direction=forward linear_before_reset=false ",
     "sigmoid, tanh", {0, 1, kNone, 2, 3, 4, 5}, 3, true},
    {"RNNSequence", "opset5", make<RNNSequence>, "direction=forward ", "tanh",
     {0, 1, kNone, 2, 3, 4, 5}, 1, false},
};
// clang-format on

void PrintTo(const Row& row, std::ostream* out) { *out << row.type; }

class CellsAndSequences : public ::testing::TestWithParam<Row> {};

TEST_P(CellsAndSequences, HasItsType) {
    const auto standard = GetParam().make({.hidden_size = 2});
    EXPECT_EQ(standard->op_type().opset_name(), GetParam().opset);
    EXPECT_EQ(standard->type_name(), GetParam().type);
    const auto own = GetParam().make({.hidden_size = 2, .activations = {"softplus"}});
    EXPECT_EQ(own->op_type().opset_name(), "rondo1");
    EXPECT_EQ(own->type_name(), GetParam().type);
}

TEST_P(CellsAndSequences, WritesOpenVinosAttributesInItsOrder) {
    const auto op = GetParam().make({.hidden_size = 5, .clip = 0.1f});
    std::string text;
    for (const auto& [name, value] : attributes_of(*op)) text += name + "=" + value + " ";
    EXPECT_EQ(text, GetParam().own + "hidden_size=5 activations=" + GetParam().activations +
                        " activations_alpha= activations_beta= clip=0.10000000149011612 ");
}

TEST_P(CellsAndSequences, HasItsPorts) {
    const auto op = GetParam().make({});
    const Ports& ports = GetParam().ports;
    EXPECT_EQ(op->x_port(), ports.x);
    EXPECT_EQ(op->h_port(), ports.h);
    EXPECT_EQ(op->c_port(), ports.c);
    EXPECT_EQ(op->lengths_port(), ports.lengths);
    EXPECT_EQ(op->w_port(), ports.w);
    EXPECT_EQ(op->r_port(), ports.r);
    EXPECT_EQ(op->b_port(), ports.b);
    EXPECT_EQ(op->p_port(), kNone);
}

TEST_P(CellsAndSequences, HasItsGates) {
    const auto op = GetParam().make({});
    EXPECT_EQ(op->gate_count(), GetParam().gates);
    EXPECT_EQ(op->bias_gate_count(), GetParam().gates);
    const auto linear = GetParam().make({.linear_before_reset = true});
    EXPECT_EQ(linear->gate_count(), GetParam().gates);
    EXPECT_EQ(linear->bias_gate_count(),
              GetParam().gates + (GetParam().has_linear_before_reset ? 1 : 0));
}

INSTANTIATE_TEST_SUITE_P(Ops, CellsAndSequences, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return info.param.type; });

}  // namespace
}  // namespace rondo::ops::cells_and_sequences_test
