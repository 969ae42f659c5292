// Tests a part of frontend/onnx/ops/recurrent/layers.cpp.
#include <gtest/gtest.h>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"

namespace rondo::onnx::lstm_test {
namespace {

using ops::ActivationKind;
using test::OnnxRecurrent;

OnnxRecurrent lstm(const std::string& direction, bool all) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = "LSTM", .direction = direction};
    node.fill(rng, all);
    return node;
}

std::shared_ptr<ops::LSTMSequence> sequence_of(const Graph& graph) {
    for (const auto& node : graph.ordered_nodes()) {
        if (auto found = as<ops::LSTMSequence>(node)) return found;
    }
    return nullptr;
}

TEST(OnnxLstm, FollowsTheFormulas) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        lstm(direction, false).check();
        lstm(direction, true).check();
    }
}

TEST(OnnxLstm, FollowsTheFormulasInEveryOpset) {
    for (const std::int64_t opset : {1, 7, 14, 22}) lstm("bidirectional", true).check(opset);
}

// Weights that aren't constant go through the same nodes.
TEST(OnnxLstm, TakesWeightsAtRunTime) { lstm("bidirectional", true).check(14, true); }

// With all gates linear and W, R of one gate at a time, an exchanged gate can't hide.
TEST(OnnxLstm, KeepsGatesApart) {
    for (std::size_t gate = 0; gate < 4; ++gate) {
        auto node = lstm("forward", true);
        node.activations = {{{ActivationKind::affine, 1, 0.5f},
                             {ActivationKind::affine, 2, 0},
                             {ActivationKind::affine, 1, 0.25f}}};
        for (Tensor* weights : {&node.w, &node.r}) {
            const std::size_t block = weights->size() / 4;
            for (std::size_t k = 0; k < weights->size(); ++k) {
                if (k / block != gate) weights->data<float>()[k] = 0;
            }
        }
        node.check();
    }
}

TEST(OnnxLstm, HonoursEveryOption) {
    auto node = lstm("bidirectional", true);
    node.clip = 0.3f;
    node.check();
    node.input_forget = true;
    node.check();
    node.p = Tensor();
    node.check();
    node.activations = {{{ActivationKind::hard_sigmoid, 0.3f, 0.4f},
                         {ActivationKind::relu, 0, 0},
                         {ActivationKind::softsign, 0, 0}},
                        {{ActivationKind::sigmoid, 0, 0},
                         {ActivationKind::scaled_tanh, 0.7f, 1.2f},
                         {ActivationKind::elu, 0.8f, 0}}};
    node.check();
}

TEST(OnnxLstm, HonoursLayoutOne) {
    auto rng = test::test_rng();
    for (const char* direction : {"forward", "bidirectional"}) {
        OnnxRecurrent node{.op_type = "LSTM", .direction = direction, .layout = true};
        node.fill(rng, true);
        node.check();
        node.fill(rng, false);
        node.initial_h = Tensor();
        node.lengths.clear();
        node.check();
    }
}

// The seven-input op of the IR; peepholes and input_forget make it rondo1's.
TEST(OnnxLstm, MakesTheStandardOpWhereItSaysTheSame) {
    auto node = lstm("forward", false);
    auto sequence = sequence_of(*node.model().read());
    EXPECT_TRUE(sequence->is_standard());
    EXPECT_EQ(sequence->name(), "the_LSTM");
    EXPECT_EQ(sequence->input_count(), 7u);
    EXPECT_EQ(sequence->attributes().hidden_size, 3);
    node.input_forget = true;
    EXPECT_FALSE(sequence_of(*node.model().read())->is_standard());
    sequence = sequence_of(*lstm("forward", true).model().read());
    EXPECT_FALSE(sequence->is_standard());
    EXPECT_EQ(sequence->input_count(), 8u);
}

TEST(OnnxLstm, MakesOnlyTheOutputsThatHaveNames) {
    auto model = lstm("forward", false).model();
    model.graph().mutable_node(0)->set_output(0, "");
    model.graph().mutable_node(0)->mutable_output()->RemoveLast();
    model.graph().clear_output();
    model.output("Y_h");
    const auto graph = model.read();
    EXPECT_EQ(graph->results().size(), 1u);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "the_LSTM/Y_h");
    EXPECT_TRUE(sequence_of(*graph)->consumers(0).empty());
}

TEST(OnnxLstm, RefusesPeepholesOfTheWrongShape) {
    auto node = lstm("forward", true);
    node.p = Tensor(ElementType::f32, {1, 8});
    test::expect_error<ModelError>(
        [&] { node.model().read(); },
        "model.onnx: node 'the_LSTM' (LSTM): hidden_size is 3 but P has shape [1,8]; expected "
        "[1,9]");
}

}  // namespace
}  // namespace rondo::onnx::lstm_test
