#include <gtest/gtest.h>

#include "core/ops/gru_cell.hpp"
#include "core/ops/gru_sequence.hpp"
#include "core/ops/lstm_cell.hpp"
#include "core/ops/lstm_sequence.hpp"
#include "core/ops/rnn_cell.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test {
namespace {

constexpr double kTolerance = 4e-6;

TEST(RecurrentNode, PeepholesClipAndInputForget) {
    for (const bool forget : {false, true}) {
        RecurrentCase test;
        test.attributes.hidden_size = 19;
        test.attributes.clip = 0.5f;
        test.attributes.input_forget = forget;
        test.peephole = true;
        test.with_lengths = true;
        const auto made = make_recurrent<ops::LSTMSequence>(test);
        expect_like_reference(*made.graph, made.inputs, kTolerance);
        EXPECT_TRUE(kernel_of(*made.graph, "layer").starts_with("lstm_"));
    }
}

TEST(RecurrentNode, ActivationsPerDirection) {
    RecurrentCase test;
    test.attributes.hidden_size = 20;
    test.attributes.direction = ops::Direction::bidirectional;
    test.attributes.activations = {"HardSigmoid", "Elu",  "Softsign",
                                   "sigmoid",     "tanh", "LeakyRelu"};
    test.attributes.activations_alpha = {0.3f, 0.7f, 0.05f};
    test.attributes.activations_beta = {0.4f};
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    expect_like_reference(*made.graph, made.inputs, kTolerance);
}

TEST(RecurrentNode, GruLinearBeforeReset) {
    RecurrentCase test;
    test.attributes.hidden_size = 33;
    test.attributes.linear_before_reset = true;
    const auto made = make_recurrent<ops::GRUSequence>(test);
    EXPECT_TRUE(kernel_of(*made.graph, "layer").starts_with("gru_"));
    expect_like_reference(*made.graph, made.inputs, kTolerance);
}

TEST(RecurrentNode, Cells) {
    RecurrentCase test;
    test.attributes.hidden_size = 17;
    for (const std::size_t batch : {0, 1, 5}) {
        test.batch = batch;
        const auto lstm = make_recurrent<ops::LSTMCell>(test);
        expect_like_reference(*lstm.graph, lstm.inputs, kTolerance);
        const auto gru = make_recurrent<ops::GRUCell>(test);
        expect_like_reference(*gru.graph, gru.inputs, kTolerance);
        const auto rnn = make_recurrent<ops::RNNCell>(test);
        expect_like_reference(*rnn.graph, rnn.inputs, kTolerance);
    }
}

TEST(RecurrentNode, WeightsAtRunTimeArePackedEachRun) {
    RecurrentCase test;
    test.attributes.hidden_size = 12;
    test.constant_weights = false;
    test.with_lengths = true;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    EXPECT_TRUE(kernel_of(*made.graph, "layer").starts_with("LSTMSequence_run_time_weights"));
    auto device = on_cpu(*made.graph);
    auto inputs = made.inputs;
    expect_near(device.run(inputs)[0], on_reference(*made.graph).run(inputs)[0], kTolerance);
    auto rng = test_rng();
    inputs[3] = random_tensor(ElementType::f32, inputs[3].shape(), rng, -0.1, 0.1);
    expect_near(device.run(inputs)[0], on_reference(*made.graph).run(inputs)[0], kTolerance);
}

TEST(RecurrentNode, OtherTypesRunTheReference) {
    for (const ElementType type : {ElementType::f64, ElementType::f16, ElementType::bf16}) {
        RecurrentCase test;
        test.attributes.hidden_size = 5;
        test.type = type;
        const auto made = make_recurrent<ops::LSTMSequence>(test);
        EXPECT_EQ(kernel_of(*made.graph, "layer"), "reference");
        expect_like_reference(*made.graph, made.inputs);
    }
}

TEST(RecurrentNode, LengthsOfBothTypesAndZero) {
    for (const ElementType type : {ElementType::i32, ElementType::i64}) {
        RecurrentCase test;
        test.attributes.hidden_size = 16;
        test.attributes.direction = ops::Direction::bidirectional;
        test.lengths_type = type;
        test.batch = 4;
        test.time = 6;
        test.with_lengths = true;
        auto made = make_recurrent<ops::LSTMSequence>(test);
        made.inputs.back() = converted(tensor_of<std::int64_t>({4}, {0, 6, 1, 3}), type);
        expect_like_reference(*made.graph, made.inputs, kTolerance);
    }
}

TEST(RecurrentNode, BadLengthsNameNodeRowAndValue) {
    RecurrentCase test;
    test.attributes.hidden_size = 4;
    test.batch = 3;
    test.time = 5;
    test.with_lengths = true;
    auto made = make_recurrent<ops::LSTMSequence>(test);
    for (const std::int64_t bad : {-1, 6}) {
        made.inputs.back() = tensor_of<std::int64_t>({3}, {5, bad, 1});
        expect_error<ModelError>([&] { on_cpu(*made.graph).run(made.inputs); },
                                 "node 'layer' (LSTMSequence): ");
        expect_error<ModelError>([&] { on_cpu(*made.graph).run(made.inputs); },
                                 std::to_string(bad));
    }
}

TEST(RecurrentNode, EmptyBatchesAndSequences) {
    for (const auto& [batch, time] : {std::pair<std::size_t, std::size_t>{0, 3}, {2, 0}, {0, 0}}) {
        RecurrentCase test;
        test.attributes.hidden_size = 9;
        test.batch = batch;
        test.time = time;
        const auto full = make_recurrent<ops::LSTMSequence>(test);
        expect_like_reference(*full.graph, full.inputs, kTolerance);
        test.with_lengths = true;
        const auto padded = make_recurrent<ops::GRUSequence>(test);
        expect_like_reference(*padded.graph, padded.inputs, kTolerance);
    }
}

TEST(RecurrentNode, OutputsThatNobodyReadsAreSkipped) {
    RecurrentCase test;
    test.attributes.hidden_size = 18;
    for (const std::size_t output : {0, 1, 2}) {
        test.outputs = {output};
        const auto made = make_recurrent<ops::LSTMSequence>(test);
        expect_like_reference(*made.graph, made.inputs, kTolerance);
    }
}

}  // namespace
}  // namespace rondo::test
