#include "core/ops/recurrent/recurrent_op.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/source_location.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::ops::recurrent_shapes_test {
namespace {

using test::expect_error;
using test::infer;
using test::infer_inputs;
using test::recurrent_node;
using test::tensor_of;

constexpr std::size_t kX = 0, kH0 = 1, kC0 = 2, kLengths = 3, kW = 4, kR = 5, kB = 6, kP = 7;

// LSTMSequence with N = 2, T = 3, I = 4, H = 64, changed by `change` before it is inferred.
std::vector<InferOutput> infer_lstm(const std::function<void(std::vector<InferInput>&)>& change,
                                    bool peepholes = false,
                                    RecurrentAttributes attributes = {.hidden_size = 64}) {
    auto sized = attributes;
    sized.hidden_size = 64;
    auto inputs = infer_inputs(*recurrent_node<LSTMSequence>(sized), 2, 3, 4, peepholes);
    const auto op = recurrent_node<LSTMSequence>(std::move(attributes));
    change(inputs);
    return infer(*op, std::move(inputs));
}

void refuses(const std::function<void(std::vector<InferInput>&)>& change, std::string_view message,
             test::SourceLocation where = test::SourceLocation::current()) {
    expect_error<ModelError>([&] { infer_lstm(change, true); }, message, where);
}

template <typename T>
void refuses_attributes(RecurrentAttributes attributes, std::string_view message,
                        test::SourceLocation where = test::SourceLocation::current()) {
    const auto op = recurrent_node<T>(attributes);
    auto usable = attributes;
    usable.hidden_size = 2;
    const auto inputs = infer_inputs(*recurrent_node<T>(usable), 2, 3, 4);
    expect_error<ModelError>([&] { infer(*op, inputs); }, message, where);
}

TEST(RecurrentShapes, AllOpsInferTheirOutputs) {
    for (const auto& op : test::all_recurrent_nodes()) {
        const auto outputs = infer(*op, infer_inputs(*op, 5, 3, 4));
        const bool lstm = op->cell_type() == CellType::lstm;
        const PartialShape state = op->is_sequence() ? PartialShape{5, 1, 2} : PartialShape{5, 2};
        ASSERT_EQ(outputs.size(), (op->is_sequence() ? 2u : 1u) + (lstm ? 1u : 0u));
        EXPECT_EQ(outputs.back().shape, state) << op->type_name();
        EXPECT_EQ(outputs.back().type, ElementType::f32);
        if (op->is_sequence()) {
            EXPECT_EQ(outputs[0].shape, (PartialShape{5, 1, 3, 2})) << op->type_name();
            EXPECT_EQ(outputs[1].shape, state) << op->type_name();
        }
    }
}

TEST(RecurrentShapes, BidirectionalDoublesTheDirections) {
    const auto op =
        recurrent_node<GRUSequence>({.hidden_size = 2, .direction = Direction::bidirectional});
    const auto outputs = infer(*op, infer_inputs(*op, 5, 3, 4));
    EXPECT_EQ(outputs[0].shape, (PartialShape{5, 2, 3, 2}));
    EXPECT_EQ(outputs[1].shape, (PartialShape{5, 2, 2}));
}

TEST(RecurrentShapes, LinearBeforeResetWidensB) {
    const auto op = recurrent_node<GRUCell>({.hidden_size = 2, .linear_before_reset = true});
    auto inputs = infer_inputs(*op, 5, 3, 4);
    EXPECT_EQ(inputs.back().shape, PartialShape{8});
    EXPECT_EQ(infer(*op, inputs)[0].shape, (PartialShape{5, 2}));
    inputs.back().shape = {6};
    expect_error<ModelError>([&] { infer(*op, inputs); },
                             "hidden_size is 2 and linear_before_reset is true but B has shape "
                             "[6]; expected [8]");
}

TEST(RecurrentShapes, AcceptsPeepholes) {
    EXPECT_EQ(infer_lstm([](auto&) {}, true).size(), 3u);
}

TEST(RecurrentShapes, AcceptsEmptyBatchAndTime) {
    const auto op = recurrent_node<RNNSequence>({.hidden_size = 2});
    EXPECT_EQ(infer(*op, infer_inputs(*op, 0, 0, 4))[0].shape, (PartialShape{0, 1, 0, 2}));
}

TEST(RecurrentShapes, OpenExtentsStayOpen) {
    const auto outputs = infer_lstm([](auto& inputs) {
        inputs[kX].shape = PartialShape::parse("?,2..9,?");
        inputs[kH0].shape = PartialShape::parse("?,1,64");
        inputs[kC0].shape = PartialShape();
        inputs[kLengths].shape = PartialShape::parse("1..8");
    });
    EXPECT_EQ(outputs[0].shape, PartialShape::parse("1..8,1,2..9,64"));
    EXPECT_EQ(outputs[2].shape, PartialShape::parse("1..8,1,64"));
}

TEST(RecurrentShapes, TheBatchMayBeKnownFromTheState) {
    const auto outputs = infer_lstm([](auto& inputs) {
        inputs[kX].shape = PartialShape();
        inputs[kC0].shape = PartialShape();
        inputs[kLengths].shape = PartialShape();
    });
    EXPECT_EQ(outputs[0].shape, PartialShape::parse("2,1,?,64"));
}

TEST(RecurrentShapes, TypesMayBeUnknown) {
    EXPECT_EQ(infer_lstm([](auto& inputs) { inputs[kX].type = ElementType::dynamic; })[0].type,
              ElementType::f32);
    const auto all_unknown = infer_lstm([](auto& inputs) {
        for (auto& input : inputs) input.type = ElementType::dynamic;
    });
    EXPECT_EQ(all_unknown[0].type, ElementType::dynamic);
}

TEST(RecurrentShapes, TakesEveryFloatingType) {
    for (const auto type :
         {ElementType::f64, ElementType::f32, ElementType::f16, ElementType::bf16}) {
        const auto outputs = infer_lstm([&](auto& inputs) {
            for (auto& input : inputs) input.type = type;
            inputs[kLengths].type = ElementType::i32;
        });
        for (const auto& output : outputs) EXPECT_EQ(output.type, type);
    }
}

TEST(RecurrentShapes, RefusesAWrongNumberOfInputs) {
    for (const auto& op : test::all_recurrent_nodes()) {
        auto inputs = infer_inputs(*op, 2, 3, 4);
        inputs.pop_back();
        expect_error<ModelError>([&] { infer(*op, inputs); },
                                 "got " + std::to_string(inputs.size()) + " inputs; expected");
    }
    refuses([](auto& inputs) { inputs.push_back(inputs.back()); },
            "node 'layer' (LSTMSequence): got 9 inputs; expected 7 to 8");
    const auto gru = recurrent_node<GRUCell>({.hidden_size = 2});
    auto inputs = infer_inputs(*gru, 2, 3, 4);
    inputs.push_back(inputs.back());
    expect_error<ModelError>([&] { infer(*gru, inputs); }, "got 6 inputs; expected 5");
}

TEST(RecurrentShapes, RefusesAHiddenSizeThatContradictsR) {
    refuses(
        [](auto& inputs) {
            inputs[kW].shape = {1, 512, 4};
            inputs[kR].shape = {1, 512, 96};
        },
        "node 'layer' (LSTMSequence): hidden_size is 64 but R has shape [1,512,96]; expected "
        "[1,256,64]");
}

TEST(RecurrentShapes, RefusesShapesThatContradictHiddenSize) {
    refuses(
        [](auto& inputs) {
            inputs[kH0].shape = {2, 1, 65};
        },
        "hidden_size is 64 but H0 has shape [2,1,65]; expected [2,1,64]");
    refuses(
        [](auto& inputs) {
            inputs[kC0].shape = {2, 1, 63};
        },
        "hidden_size is 64 but C0 has shape [2,1,63]; expected [2,1,64]");
    refuses(
        [](auto& inputs) {
            inputs[kW].shape = {1, 192, 4};
        },
        "hidden_size is 64 but W has shape [1,192,4]; expected [1,256,4]");
    refuses(
        [](auto& inputs) {
            inputs[kB].shape = {1, 512};
        },
        "hidden_size is 64 but B has shape [1,512]; expected [1,256]");
    refuses(
        [](auto& inputs) {
            inputs[kP].shape = {1, 256};
        },
        "hidden_size is 64 but P has shape [1,256]; expected [1,192]");
}

TEST(RecurrentShapes, RefusesShapesThatContradictTheDirection) {
    refuses(
        [](auto& inputs) {
            inputs[kH0].shape = {2, 2, 64};
        },
        "direction is 'forward' but H0 has shape [2,2,64]; expected [2,1,64]");
    refuses(
        [](auto& inputs) {
            inputs[kR].shape = {2, 256, 64};
        },
        "direction is 'forward' but R has shape [2,256,64]; expected [1,256,64]");
    const RecurrentAttributes both{.hidden_size = 64, .direction = Direction::bidirectional};
    expect_error<ModelError>(
        [&] {
            infer_lstm([](auto& inputs) { inputs[kB].shape = {1, 256}; }, false, both);
        },
        "direction is 'bidirectional' but B has shape [1,256]; expected [2,256]");
}

TEST(RecurrentShapes, RefusesContradictingBatchAndInputSizes) {
    refuses(
        [](auto& inputs) {
            inputs[kC0].shape = {3, 1, 64};
        },
        "the batch size is 2 but C0 has shape [3,1,64]; expected [2,1,64]");
    refuses([](auto& inputs) { inputs[kLengths].shape = {1}; },
            "the batch size is 2 but lengths has shape [1]; expected [2]");
    refuses(
        [](auto& inputs) {
            inputs[kW].shape = {1, 256, 5};
        },
        "the input size is 4 but W has shape [1,256,5]; expected [1,256,4]");
}

TEST(RecurrentShapes, RefusesWrongRanks) {
    const char* const names[] = {"X", "H0", "C0", "lengths", "W", "R", "B", "P"};
    for (std::size_t port = 0; port < std::size(names); ++port) {
        refuses(
            [&](auto& inputs) {
                inputs[port].shape = {1, 1, 1, 1};
            },
            std::string(names[port]) + " has shape [1,1,1,1]; expected rank");
    }
    const auto cell = recurrent_node<LSTMCell>({.hidden_size = 2});
    auto inputs = infer_inputs(*cell, 2, 1, 4);
    inputs[1].shape = {2, 1, 2};
    expect_error<ModelError>([&] { infer(*cell, inputs); },
                             "node 'layer' (LSTMCell): H has shape [2,1,2]; expected rank 2");
}

TEST(RecurrentShapes, RefusesWrongTypes) {
    refuses([](auto& inputs) { inputs[kR].type = ElementType::f16; },
            "R has type f16; expected f32 as X has");
    refuses([](auto& inputs) { inputs[kP].type = ElementType::i32; },
            "P has type i32; expected f64, f32, f16 or bf16");
    refuses([](auto& inputs) { inputs[kLengths].type = ElementType::f32; },
            "lengths has type f32; expected i32 or i64");
    refuses([](auto& inputs) { inputs[kLengths].type = ElementType::i16; },
            "lengths has type i16; expected i32 or i64");
}

// LSTMSequence without hidden_size, where one port alone has these extents.
std::string state_with(std::size_t port, const std::string& shape) {
    const auto outputs = infer_lstm(
        [&](auto& inputs) {
            for (const std::size_t open : {kH0, kC0, kW, kR, kB})
                inputs[open].shape = PartialShape();
            inputs[port].shape = PartialShape::parse(shape);
        },
        false, {.hidden_size = 0});
    return to_string(outputs[1].shape);
}

TEST(RecurrentShapes, AnAbsentHiddenSizeFollowsTheInputs) {
    EXPECT_EQ(state_with(kR, "1,?,7"), "[2,1,7]");
    EXPECT_EQ(state_with(kR, "1,28,?"), "[2,1,7]");
    EXPECT_EQ(state_with(kR, "..."), "[2,1,?]");
    EXPECT_EQ(state_with(kW, "1,28,4"), "[2,1,7]");
    EXPECT_EQ(state_with(kB, "1,28"), "[2,1,7]");
    EXPECT_EQ(state_with(kH0, "2,1,3..9"), "[2,1,3..9]");
    EXPECT_EQ(state_with(kB, "1,9..30"), "[2,1,3..7]");
}

TEST(RecurrentShapes, RefusesSizesThatContradictEachOther) {
    const auto refused = [](std::size_t port, const std::string& shape, std::string_view message) {
        expect_error<ModelError>([&] { state_with(port, shape); }, message);
    };
    refused(kR, "1,28,6", "but R has shape [1,28,6]; expected [1,");
    refused(kR, "1,30,?", "but R has shape [1,30,?]");
    refused(kR, "1,0,0", "but R has shape [1,0,0]");
    expect_error<ModelError>(
        [] {
            infer_lstm([](auto& inputs) { inputs[kB].shape = {1, 32}; }, false, {.hidden_size = 0});
        },
        "B has shape [1,32]; expected [1,");
}

TEST(RecurrentShapes, RefusesKnownLengthsThatDoNotFit) {
    refuses(
        [](auto& inputs) {
            inputs[kLengths].value = tensor_of<std::int64_t>({2}, {3, 4});
        },
        "node 'layer' (LSTMSequence): the length of row 1 is 4; expected 0 to 3");
    refuses(
        [](auto& inputs) {
            inputs[kX].shape = PartialShape::parse("2,?,4");
            inputs[kLengths].value = tensor_of<std::int64_t>({2}, {-1, 4});
        },
        "the length of row 0 is -1; expected 0 or more");
}

TEST(RecurrentShapes, RefusesBadAttributes) {
    refuses_attributes<RNNCell>({.hidden_size = -4}, "hidden_size is -4");
    refuses_attributes<GRUCell>({.hidden_size = std::int64_t{1} << 62}, "expected 1 to 2147483648");
    refuses_attributes<GRUCell>({.hidden_size = 2, .clip = -0.5f},
                                "clip is -0.5; expected 0 (no clip) or more");
    refuses_attributes<GRUCell>({.hidden_size = 2, .clip = std::numeric_limits<float>::quiet_NaN()},
                                "; expected 0 (no clip) or more");
    refuses_attributes<LSTMCell>({.hidden_size = 2, .linear_before_reset = true},
                                 "linear_before_reset is set; only GRU has it");
    refuses_attributes<GRUCell>({.hidden_size = 2, .input_forget = true},
                                "input_forget is set; only LSTM has it");
    refuses_attributes<GRUCell>({.hidden_size = 2, .direction = Direction::reverse},
                                "a cell has no direction");
}

TEST(RecurrentShapes, RefusesBadActivations) {
    refuses_attributes<LSTMSequence>(
        {.hidden_size = 2, .activations = {"tanh", "Gelu", "tanh"}},
        "node 'layer' (LSTMSequence): unknown activation 'Gelu'; expected one of 'Affine'");
    refuses_attributes<LSTMSequence>({.hidden_size = 2, .activations = {"tanh"}},
                                     "activations has 1 entries; expected 3");
    refuses_attributes<RNNSequence>(
        {.hidden_size = 2,
         .activations = {"elu"},
         .activations_alpha = {std::numeric_limits<float>::quiet_NaN()}},
        "activations_alpha is nan at 0; expected a number");
}

}  // namespace
}  // namespace rondo::ops::recurrent_shapes_test
