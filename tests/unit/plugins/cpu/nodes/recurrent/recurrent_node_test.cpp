#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::recurrent_node_test {
namespace {

constexpr double kTolerance = 4e-6;
constexpr ElementType kTypes[] = {ElementType::f32, ElementType::f64, ElementType::f16,
                                  ElementType::bf16};

struct Tolerance {
    double absolute, relative;
};

// 16-bit results may round the other way: one unit in the last place.
Tolerance tolerance_of(ElementType type) {
    switch (type) {
        case ElementType::f64: return {1e-14, 0};
        case ElementType::f16: return {1e-6, 0x1p-10};
        case ElementType::bf16: return {1e-6, 0x1p-7};
        default: return {kTolerance, 0};
    }
}

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
    for (const ElementType type : kTypes) {
        RecurrentCase test;
        test.type = type;
        test.attributes.hidden_size = 12;
        test.constant_weights = false;
        test.with_lengths = true;
        const auto made = make_recurrent<ops::LSTMSequence>(test);
        EXPECT_TRUE(kernel_of(*made.graph, "layer").starts_with("lstm_"));
        auto device = on_cpu(*made.graph);
        const Tolerance allowed = tolerance_of(type);
        auto inputs = made.inputs;
        const auto compare = [&] {
            expect_near(device.run(inputs)[0], on_reference(*made.graph).run(inputs)[0],
                        allowed.absolute, allowed.relative);
        };
        compare();
        auto rng = test_rng();
        inputs[3] = random_tensor(type, inputs[3].shape(), rng, -0.1, 0.1);
        compare();
    }
}

// Both threads pack, and the bits are those of one.
TEST(RecurrentNode, WeightsAtRunTimeArePackedByTheTeam) {
    RecurrentCase test;
    test.attributes.hidden_size = 160;
    test.attributes.direction = ops::Direction::bidirectional;
    test.constant_weights = false;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    const auto on_threads = [&](const char* threads) {
        return on_cpu(*made.graph, {{property::kInferenceNumThreads, threads}}).run(made.inputs);
    };
    const auto one = on_threads("1"), two = on_threads("2");
    for (std::size_t i = 0; i < one.size(); ++i) expect_same(two[i], one[i]);
}

// Sequences and cells of every type that ONNX has, with constant weights and others.
template <typename T>
void check_types(RecurrentCase test) {
    for (const ElementType type : kTypes) {
        for (const bool constant : {true, false}) {
            test.type = type;
            test.constant_weights = constant;
            const auto made = make_recurrent<T>(test);
            EXPECT_NE(kernel_of(*made.graph, "layer"), "reference");
            const Tolerance allowed = tolerance_of(type);
            expect_like_reference(*made.graph, made.inputs, allowed.absolute, allowed.relative);
        }
    }
}

template <typename Sequence, typename Cell>
void check_kind(RecurrentCase test) {
    check_types<Cell>(test);
    for (const auto direction :
         {ops::Direction::forward, ops::Direction::reverse, ops::Direction::bidirectional}) {
        test.attributes.direction = direction;
        test.with_lengths = direction != ops::Direction::forward;
        check_types<Sequence>(test);
    }
}

TEST(RecurrentNode, NoTypeOrAttributeFallsBackToTheReference) {
    for (const float clip : {0.0f, 0.6f}) {
        for (const bool flag : {false, true}) {
            RecurrentCase test;
            test.attributes.hidden_size = 9;
            test.attributes.clip = clip;
            test.input_size = 5;
            test.time = 4;
            check_kind<ops::RNNSequence, ops::RNNCell>(test);
            test.attributes.linear_before_reset = flag;
            check_kind<ops::GRUSequence, ops::GRUCell>(test);
            test.attributes.linear_before_reset = false;
            test.attributes.input_forget = flag;
            test.peephole = flag != (clip > 0);
            check_kind<ops::LSTMSequence, ops::LSTMCell>(test);
        }
    }
}

TEST(RecurrentNode, NoActivationFallsBackToTheReference) {
    for (const char* name : {"Relu", "LeakyRelu", "ThresholdedRelu", "Tanh", "ScaledTanh",
                             "Sigmoid", "Affine", "HardSigmoid", "Elu", "Softsign", "Softplus"}) {
        RecurrentCase test;
        test.attributes.hidden_size = 5;
        test.time = 2;
        test.attributes.activations = {name};
        SCOPED_TRACE(name);
        check_types<ops::RNNSequence>(test);
    }
}

TEST(RecurrentNode, AnInputOfNoElementsIsTheBias) {
    for (const ElementType type : kTypes) {
        RecurrentCase test;
        test.attributes.hidden_size = 6;
        test.input_size = 0;
        test.type = type;
        const auto made = make_recurrent<ops::GRUSequence>(test);
        EXPECT_TRUE(kernel_of(*made.graph, "layer").starts_with("gru_"));
        const Tolerance allowed = tolerance_of(type);
        expect_like_reference(*made.graph, made.inputs, allowed.absolute, allowed.relative);
    }
}

// Compressed weights are never widened in memory: the Convert doesn't run, the kernel widens.
TEST(RecurrentNode, CompressedWeightsStaySmall) {
    for (const auto& [type, suffix] :
         {std::pair{ElementType::f16, "_f16w"}, {ElementType::bf16, "_bf16w"}}) {
        RecurrentCase test;
        test.attributes.hidden_size = 33;
        test.attributes.direction = ops::Direction::bidirectional;
        test.peephole = true;
        test.stored = type;
        const auto made = make_recurrent<ops::LSTMSequence>(test);
        EXPECT_TRUE(kernel_of(*made.graph, "layer").ends_with(suffix));
        EXPECT_EQ(kernel_of(*made.graph, "w"), "");  // the layer's own: its lengths are implied
        EXPECT_EQ(kernel_of(*made.graph, "r"), "");
        EXPECT_EQ(kernel_of(*made.graph, "b"), "");  // folded
        expect_like_reference(*made.graph, made.inputs, kTolerance);
        test.open_shapes = false;
        test.peephole = false;
        const auto known = make_recurrent<ops::GRUSequence>(test);
        for (const auto& row : on_cpu(*known.graph).executable->kernels()) {
            if (row.node_name != "w") continue;
            EXPECT_EQ(row.reason, "its readers widen the weights; view");
        }
        expect_like_reference(*known.graph, known.inputs, kTolerance);
    }
}

// Shapes that come from elements are found step by step: there, too, the Convert does nothing.
TEST(RecurrentNode, CompressedWeightsWhereShapesAreFoundOnTheWay) {
    RecurrentCase test;
    test.attributes.hidden_size = 7;
    test.stored = ElementType::bf16;
    const auto made = make_recurrent<ops::GRUSequence>(test);
    auto parameters = made.graph->parameters();
    const auto pattern = parameter("pattern", {2}, ElementType::i64);
    parameters.push_back(pattern);
    const Output y = made.graph->results()[0]->input(0);
    const auto graph = graph_of(parameters, {make_node<ops::Reshape>(y, pattern, false)});
    auto inputs = made.inputs;
    inputs.push_back(tensor_of<std::int64_t>({2}, {7, 14}));
    expect_like_reference(*graph, inputs, kTolerance);
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
}  // namespace rondo::test::recurrent_node_test
