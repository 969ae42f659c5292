// What onnxruntime's own tests of LSTM, GRU and RNN cover, situation by situation, with the values
// of our double reference.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "tests/conformance/node_model.hpp"
#include "tests/conformance/random_node.hpp"
#include "tests/conformance/run_node.hpp"
#include "tests/support/isa.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::recurrent_semantics_test {
namespace {

using Edit = std::function<void(RecurrentNode&)>;

struct Situation {
    const char* name;
    Edit edit;
};

// T, N, I and H.
void resize(RecurrentNode& node, std::size_t t, std::size_t n, std::size_t i, std::size_t h) {
    node.t = t;
    node.n = n;
    node.i = i;
    node.h = h;
}

void lengths(RecurrentNode& node, const std::vector<std::int32_t>& values) {
    node.n = values.size();
    node.inputs[kLengths] = {Source::input, tensor_of<std::int32_t>({node.n}, values)};
}

void give(RecurrentNode& node, std::initializer_list<InputIndex> inputs) {
    for (const auto index : inputs) node.inputs[index].source = Source::constant;
}

// Every row of the batch is the same, and so are all weights: each gate sees the same sum.
void simple_weights(RecurrentNode& node) {
    const auto filled = [&](InputIndex index, float value) {
        const Shape shape = node.input_shape(index);
        node.inputs[index] = {
            index == kX ? Source::input : Source::constant,
            tensor_of<float>(shape, std::vector<float>(element_count(shape), value))};
    };
    filled(kW, 0.1f);
    filled(kR, 0.1f);
    Tensor x(ElementType::f32, node.input_shape(kX));
    for (std::size_t k = 0; k < x.size(); ++k) x.data<float>()[k] = static_cast<float>(k + 1);
    node.inputs[kX] = {Source::input, x};
}

Edit no_bias_two_rows(const char* direction) {
    return [direction](RecurrentNode& node) {
        node.direction = direction;
        resize(node, 2, 2, 1, 3);
        node.inputs[kB] = {};
        simple_weights(node);
    };
}

Edit with_bias(const char* direction, std::size_t rows, bool linear_before_reset) {
    return [=](RecurrentNode& node) {
        node.direction = direction;
        resize(node, 2, rows, 1, 3);
        node.linear_before_reset = linear_before_reset;
        simple_weights(node);
    };
}

// X so large that every gate saturates.
Edit saturated(const char* direction) {
    return [direction](RecurrentNode& node) {
        node.direction = direction;
        Tensor x(ElementType::f32, node.input_shape(kX));
        for (std::size_t k = 0; k < x.size(); ++k) x.data<float>()[k] = k % 2 ? -1e20f : 1e20f;
        node.inputs[kX] = {Source::input, x};
    };
}

Edit with_lengths(const std::vector<std::int32_t>& values, const char* direction = "forward",
                  bool linear_before_reset = false) {
    return [=](RecurrentNode& node) {
        node.direction = direction;
        lengths(node, values);
        if (linear_before_reset) node.linear_before_reset = true;
    };
}

// T = `steps` for many rows, as when a session's buffers have to grow.
Edit batch(std::size_t steps, std::size_t rows, bool linear_before_reset = false) {
    return [=](RecurrentNode& node) {
        resize(node, steps, rows, 2, 5);
        node.open_extents = true;
        if (linear_before_reset) node.linear_before_reset = true;
    };
}

void is_directed(RecurrentNode& node, const char* direction) { node.direction = direction; }
Edit directed(const char* direction) {
    return [direction](RecurrentNode& node) { is_directed(node, direction); };
}

const std::vector<Situation> kLstm = {
    {"ForwardNoBiasTwoRows", no_bias_two_rows("forward")},
    {"ReverseNoBiasTwoRows", no_bias_two_rows("reverse")},
    {"BidirectionalNoBiasTwoRows", no_bias_two_rows("bidirectional")},
    {"MixedLengths", with_lengths({1, 5, 2})},
    {"MixedLengthsReverse", with_lengths({1, 5, 2}, "reverse")},
    {"OneRowOfManySteps", batch(9, 1)},
    {"LargeBatch", batch(3, 32)},
    {"LargeBatchWithClip",
     [](auto& node) {
         resize(node, 3, 32, 2, 5);
         node.clip = 4;
     }},
    {"ForwardPeepholes",
     [](auto& node) {
         give(node, {kInitialH, kInitialC, kP});
     }},
    {"Bidirectional", directed("bidirectional")},
    {"ForwardNoBiasPeepholes",
     [](auto& node) {
         node.inputs[kB] = {};
         give(node, {kP});
     }},
    {"ForwardInputForget",
     [](auto& node) {
         node.input_forget = true;
         give(node, {kP});
     }},
    {"ForwardClip",
     [](auto& node) {
         node.clip = 0.1f;
         give(node, {kP});
     }},
    {"Reverse", directed("reverse")},
    {"ForwardInitialH", [](auto& node) { give(node, {kInitialH}); }},
    {"ForwardInitialC",
     [](auto& node) {
         give(node, {kInitialH, kInitialC});
     }},
    {"OtherActivations",
     [](auto& node) {
         node.activations = {"tanh", "sigmoid", "tanh"};
     }},
    {"BatchOfOneRow", batch(2, 1)},
    {"BatchOfThreeRows", batch(2, 3)},
    {"BidirectionalOtherActivations",
     [](auto& node) {
         is_directed(node, "bidirectional");
         node.activations = {"tanh", "sigmoid", "tanh", "tanh", "sigmoid", "tanh"};
     }},
    {"LengthsAllZero", with_lengths({0, 0})},
    {"LengthsSomeZero", with_lengths({0, 5})},
    {"LengthsBelowT", with_lengths({2, 3})},
    {"LengthsBelowTWithPeepholes",
     [](auto& node) {
         lengths(node, {2, 3});
         give(node, {kP, kInitialH, kInitialC});
     }},
    {"ShorterRowInTheMiddle", with_lengths({5, 1, 5})},
    {"ZeroRowInTheMiddle", with_lengths({5, 0, 3, 5})},
};

const std::vector<Situation> kGru = {
    {"ForwardNoBiasTwoRows", no_bias_two_rows("forward")},
    {"ReverseNoBiasTwoRows", no_bias_two_rows("reverse")},
    {"BidirectionalNoBiasTwoRows", no_bias_two_rows("bidirectional")},
    {"ForwardBiasManyRows", with_bias("forward", 5, false)},
    {"ReverseBiasManyRows", with_bias("reverse", 5, false)},
    {"ForwardBiasManyRowsLinearBeforeReset", with_bias("forward", 5, true)},
    {"ReverseBiasManyRowsLinearBeforeReset", with_bias("reverse", 5, true)},
    {"ForwardBiasLinearBeforeReset", with_bias("forward", 1, true)},
    {"ReverseBiasLinearBeforeReset", with_bias("reverse", 1, true)},
    {"Forward", directed("forward")},
    {"Reverse", directed("reverse")},
    {"Bidirectional", directed("bidirectional")},
    {"OtherActivations",
     [](auto& node) {
         node.activations = {"tanh", "sigmoid"};
     }},
    {"ForwardInitialH", [](auto& node) { give(node, {kInitialH}); }},
    {"Batch", batch(2, 3)},
    {"BatchLinearBeforeReset", batch(2, 3, true)},
    {"GrownBatchAndSteps", batch(7, 6)},
    {"GrownBatchAndStepsLinearBeforeReset", batch(7, 6, true)},
    {"LengthsBidirectionalLinearBeforeReset", with_lengths({3, 5}, "bidirectional", true)},
    {"LengthsBidirectionalLinearBeforeResetOneRow", with_lengths({3}, "bidirectional", true)},
    {"LengthsBidirectionalLinearBeforeResetFull", with_lengths({5, 5}, "bidirectional", true)},
    {"ShorterRowInTheMiddle", with_lengths({5, 1, 5}, "bidirectional")},
    {"ZeroRowInTheMiddle", with_lengths({5, 0, 3, 5}, "bidirectional")},
    {"LengthsSomeZero", with_lengths({0, 5})},
    {"LengthsBelowT", with_lengths({2, 3})},
    {"LengthsAllZero", with_lengths({0, 0})},
    {"OneRowOf32Units", [](auto& node) { resize(node, 3, 1, 2, 32); }},
    {"SaturatedGates", saturated("forward")},
    {"SaturatedGatesBidirectional", saturated("bidirectional")},
    {"AlphaAndBetaBidirectional",
     [](auto& node) {
         is_directed(node, "bidirectional");
         node.activations = {"LeakyRelu", "ScaledTanh", "LeakyRelu", "ScaledTanh"};
         node.alpha = {0.5f, 0.8f, 0.25f, 0.6f};
         node.beta = {0.7f, 0.9f};
     }},
};

const std::vector<Situation> kRnn = {
    {"BidirectionalBiasInitialHMixedLengths",
     [](auto& node) {
         is_directed(node, "bidirectional");
         give(node, {kInitialH});
         lengths(node, {5, 3});
     }},
    {"BidirectionalMixedLengths", with_lengths({5, 3}, "bidirectional")},
    {"ReverseMixedLengths", with_lengths({5, 3}, "reverse")},
    {"ForwardMixedLengths", with_lengths({5, 3})},
    {"BidirectionalOneRow",
     [](auto& node) {
         is_directed(node, "bidirectional");
         resize(node, 5, 1, 2, 3);
     }},
    {"BidirectionalManyRows",
     [](auto& node) {
         is_directed(node, "bidirectional");
         resize(node, 5, 2, 2, 3);
         give(node, {kInitialH});
     }},
    {"DefaultAttributes", [](auto& node) { node.says_direction = false; }},
    {"Reverse", directed("reverse")},
    {"OtherActivationsMixedLengths",
     [](auto& node) {
         is_directed(node, "bidirectional");
         node.activations = {"Relu", "Tanh"};
         lengths(node, {2, 5});
     }},
};

RecurrentNode base(const std::string& op_type) {
    RecurrentNode node;
    node.op_type = op_type;
    node.opset = 14;
    resize(node, 5, 2, 2, 3);
    node.outputs[2] = node.is_lstm();
    node.inputs[kX].source = Source::input;
    give(node, {kW, kR, kB});
    return node;
}

void expect_right(const RecurrentNode& node) {
    SCOPED_TRACE(node.describe());
    const ReferenceResult reference = onnx_reference(node);
    for (const auto& isa : instruction_sets()) {
        const IsaScope scope(isa);
        const Outcome outcome = run_node(node, reference, "CPU");
        EXPECT_EQ(outcome.verdict, Verdict::agrees) << isa << ": " << outcome.text;
    }
    const Outcome outcome = run_node(node, reference, "REFERENCE");
    EXPECT_EQ(outcome.verdict, Verdict::agrees) << outcome.text;
}

// Each with and without Y.
void expect_all_right(const std::string& op_type, const std::vector<Situation>& situations) {
    Rng rng = test_rng();
    for (const auto& situation : situations) {
        SCOPED_TRACE(situation.name);
        RecurrentNode node = base(op_type);
        situation.edit(node);
        fill(node, rng);
        expect_right(node);
        node.outputs[0] = false;
        expect_right(node);
    }
}

TEST(RecurrentSemantics, OfLstm) { expect_all_right("LSTM", kLstm); }
TEST(RecurrentSemantics, OfGru) { expect_all_right("GRU", kGru); }
TEST(RecurrentSemantics, OfRnn) { expect_all_right("RNN", kRnn); }

// One compiled model and one request, for changing batches and lengths.
TEST(RecurrentSemantics, BatchesAndStepsMayGrow) {
    Rng rng = test_rng();
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
        RecurrentNode node = base(op_type);
        node.open_extents = true;
        fill(node, rng);
        const std::string bytes = model_of(node);
        const Core core;
        CompiledModel model = core.compile_model(core.read_model(bytes.data(), bytes.size()));
        InferRequest request = model.create_infer_request();
        for (const auto& [t, n] : {std::pair{2, 1}, {2, 3}, {9, 40}, {1, 1}, {0, 2}, {5, 3}}) {
            node.t = static_cast<std::size_t>(t);
            node.n = static_cast<std::size_t>(n);
            node.inputs[kX].value = Tensor();
            fill(node, rng);
            const Outcome outcome = infer_node(request, node, onnx_reference(node));
            EXPECT_EQ(outcome.verdict, Verdict::agrees) << node.describe() << ": " << outcome.text;
        }
    }
}

// A length that no row can have is refused, and the message says which.
TEST(RecurrentSemantics, RefuseImpossibleLengths) {
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
        for (const std::int32_t bad : {6, -1}) {
            RecurrentNode node = base(op_type);
            lengths(node, {5, bad});
            Rng rng(1);
            fill(node, rng);
            for (const char* device : {"CPU", "REFERENCE"}) {
                const Outcome outcome = run_node(node, {}, device);
                EXPECT_EQ(outcome.verdict, Verdict::refused);
                EXPECT_NE(outcome.text.find("row 1"), std::string::npos) << outcome.text;
                EXPECT_NE(outcome.text.find(std::to_string(bad)), std::string::npos)
                    << outcome.text;
            }
        }
    }
}

// The halves of B have no exact sum in 16 bits: 1 + 2^-11 would be rounded to 1.
TEST(RecurrentSemantics, BiasesOf16BitsAreSummedExactly) {
    RecurrentNode node = base("RNN");
    node.type = ElementType::f16;
    resize(node, 1, 1, 1, 1);
    const auto value = [&](InputIndex index, const std::vector<float>& values) {
        node.inputs[index] = {index == kX ? Source::input : Source::constant,
                              tensor_of<float16>(node.input_shape(index), values)};
    };
    value(kX, {0});
    value(kW, {0});
    value(kR, {0});
    value(kB, {1, 0x1p-11f});
    node.activations = {"Affine"};
    node.alpha = {1};
    node.beta = {-1};
    const ReferenceResult reference = onnx_reference(node);
    EXPECT_EQ(reference.outputs[0].data<double>()[0], 0x1p-11);
    expect_right(node);
}

}  // namespace
}  // namespace rondo::test::recurrent_semantics_test
