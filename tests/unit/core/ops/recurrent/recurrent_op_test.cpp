#include "core/ops/recurrent/recurrent_op.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/graph/attribute_text.hpp"
#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::ops::recurrent_op_test {
namespace {

using test::expect_error;
using test::recurrent_node;
using testing::ElementsAre;
using testing::Pair;
using Texts = std::map<std::string, std::string>;

void read(RecurrentOp& op, const Texts& texts) {
    AttributeTextReader reader([&](std::string_view name) -> std::optional<std::string> {
        const auto at = texts.find(std::string(name));
        if (at == texts.end()) return std::nullopt;
        return at->second;
    });
    op.read_attributes(reader);
}

Texts written(const RecurrentOp& op) {
    const auto texts = attributes_of(op);
    return {texts.begin(), texts.end()};
}

TEST(RecurrentOp, IsListedUnderItsStandardAndItsOwnType) {
    for (const auto& op : test::all_recurrent_nodes()) {
        EXPECT_TRUE(op->is_standard());
        for (const auto opset : {std::string_view("opset16"), kRondoOpset}) {
            const OpEntry* entry = find_op(op->type_name(), opset);
            ASSERT_NE(entry, nullptr) << op->type_name() << " " << opset;
            EXPECT_EQ(entry->type->opset == 0, opset == kRondoOpset);
            EXPECT_EQ(entry->make()->type_name(), op->type_name());
        }
    }
}

TEST(RecurrentOp, WritesDefaultActivations) {
    const RecurrentAttributes attributes{.hidden_size = 2};
    EXPECT_EQ(written(*recurrent_node<LSTMCell>(attributes))["activations"], "sigmoid, tanh, tanh");
    EXPECT_EQ(written(*recurrent_node<GRUCell>(attributes))["activations"], "sigmoid, tanh");
    EXPECT_EQ(written(*recurrent_node<RNNCell>(attributes))["activations"], "tanh");
    EXPECT_EQ(written(LSTMSequence())["activations"], "sigmoid, tanh, tanh");
    LSTMCell empty_in_file;
    read(empty_in_file, {{"activations", ""}});
    EXPECT_EQ(written(empty_in_file)["activations"], "sigmoid, tanh, tanh");
}

TEST(RecurrentOp, WritesKnownNamesInLowerCase) {
    const auto op = recurrent_node<GRUCell>({.activations = {"HardSigmoid", "Nonsense"}});
    EXPECT_THAT(op->attributes().activations, ElementsAre("hardsigmoid", "Nonsense"));
}

TEST(RecurrentOp, DropsAnEqualSecondSet) {
    RecurrentAttributes attributes{.hidden_size = 2, .direction = Direction::bidirectional};
    attributes.activations = {"Sigmoid", "tanh", "sigmoid", "Tanh"};
    const auto equal = recurrent_node<GRUSequence>(attributes);
    EXPECT_THAT(equal->attributes().activations, ElementsAre("sigmoid", "tanh"));
    EXPECT_TRUE(equal->is_standard());

    attributes.activations = {"Sigmoid", "tanh", "sigmoid", "relu"};
    const auto different = recurrent_node<GRUSequence>(attributes);
    EXPECT_EQ(different->attributes().activations.size(), 4u);
    EXPECT_FALSE(different->is_standard());

    attributes.activations = {"Elu", "tanh", "Elu", "tanh"};
    attributes.activations_alpha = {0.5f, 0.25f};
    EXPECT_EQ(recurrent_node<GRUSequence>(attributes)->attributes().activations.size(), 4u);
}

TEST(RecurrentOp, DropsAnEqualSecondSetWhenRead) {
    LSTMSequence op;
    read(op, {{"direction", "bidirectional"},
              {"hidden_size", "5"},
              {"activations", "Sigmoid, Tanh, Tanh, Sigmoid, Tanh, Tanh"}});
    EXPECT_EQ(written(op)["activations"], "sigmoid, tanh, tanh");
    EXPECT_EQ(op.op_type().opset, 5);
}

// So that passes that join or split the lists of two ops deal out the rest alike.
TEST(RecurrentOp, DropsParametersThatNoFunctionTakes) {
    const auto plain = recurrent_node<RNNCell>(
        {.hidden_size = 2, .activations_alpha = {1}, .activations_beta = {1}});
    EXPECT_TRUE(plain->attributes().activations_alpha.empty());
    EXPECT_TRUE(plain->attributes().activations_beta.empty());
    EXPECT_TRUE(plain->is_standard());
    LSTMSequence op;
    read(op, {{"direction", "forward"},
              {"hidden_size", "5"},
              {"activations", "hardsigmoid, tanh, tanh"},
              {"activations_alpha", "0.25, 0, 0"},
              {"activations_beta", "0.75, 0, 0"}});
    EXPECT_EQ(written(op)["activations_alpha"], "0.25");
    EXPECT_EQ(written(op)["activations_beta"], "0.75");
}

TEST(RecurrentOp, KeepsASecondSetInOneDirection) {
    const auto op = recurrent_node<RNNSequence>({.activations = {"tanh", "tanh"}});
    EXPECT_EQ(op->attributes().activations.size(), 2u);
    EXPECT_FALSE(op->is_standard());
}

TEST(RecurrentOp, IsStandardOnlyWhereOpenVinoSaysTheSame) {
    EXPECT_TRUE(recurrent_node<LSTMCell>(
                    {.hidden_size = 2, .activations = {"relu", "Tanh", "sigmoid"}, .clip = 3})
                    ->is_standard());
    EXPECT_FALSE(
        recurrent_node<LSTMCell>({.hidden_size = 2, .activations = {"relu", "Elu", "sigmoid"}})
            ->is_standard());
    EXPECT_FALSE(
        recurrent_node<RNNCell>({.hidden_size = 2, .activations = {"what?"}})->is_standard());
    EXPECT_FALSE(recurrent_node<RNNCell>(
                     {.hidden_size = 2, .activations = {"elu"}, .activations_alpha = {1.0f}})
                     ->is_standard());
    EXPECT_FALSE(recurrent_node<LSTMCell>({.hidden_size = 2, .input_forget = true})->is_standard());
    EXPECT_TRUE(
        recurrent_node<GRUCell>({.hidden_size = 2, .linear_before_reset = true})->is_standard());
    EXPECT_FALSE(recurrent_node<GRUCell>({})->is_standard());  // H follows R
}

TEST(RecurrentOp, PeepholesAreOurOwn) {
    for (const auto& op :
         {std::shared_ptr<RecurrentOp>(recurrent_node<LSTMSequence>({.hidden_size = 2})),
          std::shared_ptr<RecurrentOp>(recurrent_node<LSTMCell>({.hidden_size = 2}))}) {
        op->set_inputs(test::parameters_for(*op));
        EXPECT_EQ(op->p_port(), RecurrentOp::npos);
        EXPECT_TRUE(op->is_standard());
        op->set_inputs(test::parameters_for(*op, true));
        EXPECT_EQ(op->p_port(), op->b_port() + 1);
        EXPECT_FALSE(op->is_standard());
        EXPECT_EQ(op->op_type().opset_name(), "rondo1");
        EXPECT_EQ(written(*op)["input_forget"], "false");
    }
}

TEST(RecurrentOp, RoundTripsItsOwnAttributes) {
    RecurrentAttributes attributes{.hidden_size = 2, .direction = Direction::bidirectional};
    attributes.activations = {"elu", "tanh", "affine", "sigmoid", "tanh", "relu"};
    attributes.activations_alpha = {0.1f, 3.0f};
    attributes.activations_beta = {-0.7f};
    attributes.clip = 0.3f;
    attributes.input_forget = true;
    const auto op = recurrent_node<LSTMSequence>(attributes);
    LSTMSequence copy;
    read(copy, written(*op));
    EXPECT_EQ(written(copy), written(*op));
    EXPECT_EQ(copy.attributes().clip, 0.3f);
    EXPECT_TRUE(copy.attributes().input_forget);
    EXPECT_EQ(copy.resolved_activations(), op->resolved_activations());
}

// A node that is standard until this attribute arrives must read it all the same.
TEST(RecurrentOp, ReadsInputForgetAlone) {
    LSTMSequence op;
    read(op, {{"input_forget", "true"}});
    EXPECT_TRUE(op.attributes().input_forget);
    EXPECT_EQ(op.op_type().opset, 0);
}

TEST(RecurrentOp, RefusesAnUnknownDirection) {
    LSTMSequence op;
    expect_error<ModelError>(
        [&] {
            read(op, {{"direction", "sideways"}});
        },
        "'direction' is 'sideways'; expected one of 'forward', 'reverse'");
}

TEST(RecurrentOp, ResolvesOneSetForBothDirections) {
    RecurrentAttributes attributes{.direction = Direction::bidirectional};
    attributes.activations = {"LeakyRelu", "tanh"};
    attributes.activations_alpha = {0.5f};
    const auto functions = recurrent_node<GRUSequence>(attributes)->resolved_activations();
    ASSERT_EQ(functions.size(), 2u);
    EXPECT_EQ(functions[0], functions[1]);
    EXPECT_EQ(functions[0][0], (ActivationFunction{ActivationKind::leaky_relu, 0.5f, 0}));
    EXPECT_EQ(functions[0][1].kind, ActivationKind::tanh);
}

TEST(RecurrentOp, ResolvesOneSetADirection) {
    RecurrentAttributes attributes{.direction = Direction::bidirectional};
    attributes.activations = {"Elu", "Tanh", "HardSigmoid", "Elu"};
    attributes.activations_alpha = {0.5f, 0.25f};
    const auto functions = recurrent_node<GRUSequence>(attributes)->resolved_activations();
    ASSERT_EQ(functions.size(), 2u);
    EXPECT_EQ(functions[0][0], (ActivationFunction{ActivationKind::elu, 0.5f, 0}));
    EXPECT_EQ(functions[0][1].kind, ActivationKind::tanh);
    EXPECT_EQ(functions[1][0], (ActivationFunction{ActivationKind::hard_sigmoid, 0.25f, 0.5f}));
    EXPECT_EQ(functions[1][1], (ActivationFunction{ActivationKind::elu, 1.0f, 0}));
}

TEST(RecurrentOp, NamesTheNodeWhenActivationsAreWrong) {
    const auto unknown = recurrent_node<RNNCell>({.activations = {"Gelu"}});
    expect_error<ModelError>([&] { unknown->resolved_activations(); },
                             "node 'layer' (RNNCell): unknown activation 'Gelu'");
    const auto too_few = recurrent_node<LSTMCell>({.activations = {"tanh", "tanh"}});
    expect_error<ModelError>([&] { too_few->resolved_activations(); },
                             "activations has 2 entries; expected 3");
    const auto uneven = recurrent_node<GRUSequence>(
        {.direction = Direction::bidirectional, .activations = {"tanh", "tanh", "tanh"}});
    expect_error<ModelError>([&] { uneven->resolved_activations(); },
                             "expected 2 or 4 (one set a direction)");
}

TEST(RecurrentOp, ChecksLengths) {
    const auto op = recurrent_node<GRUSequence>({.hidden_size = 2});
    const std::vector<std::int64_t> good = {0, 5, 3};
    op->check_lengths(good, 5);
    const std::vector<std::int64_t> long_row = {0, 6, 3};
    expect_error<ModelError>([&] { op->check_lengths(long_row, 5); },
                             "node 'layer' (GRUSequence): the length of row 1 is 6; "
                             "expected 0 to 5");
    const std::vector<std::int64_t> negative = {0, 1, -3};
    expect_error<ModelError>([&] { op->check_lengths(negative, 5); },
                             "the length of row 2 is -3; expected 0 to 5");
}

TEST(RecurrentOp, ClonesWithItsAttributes) {
    for (const auto& op : test::all_recurrent_nodes()) {
        auto attributes = op->attributes();
        attributes.clip = 0.5f;
        op->set_attributes(attributes);
        op->set_inputs(test::parameters_for(*op));
        op->validate();
        op->rt_info()["key"] = "value";
        const auto inputs = test::parameters_for(*op);
        const NodePtr copy = op->clone_with(inputs);
        EXPECT_EQ(copy->type_name(), op->type_name());
        EXPECT_EQ(copy->name(), "layer");
        EXPECT_EQ(copy->rt_info(), op->rt_info());
        EXPECT_EQ(copy->inputs(), inputs);
        EXPECT_EQ(attributes_of(*copy), attributes_of(*op));
        ASSERT_EQ(copy->output_count(), op->output_count());
        EXPECT_EQ(copy->output_shape(0), op->output_shape(0));
    }
}

}  // namespace
}  // namespace rondo::ops::recurrent_op_test
