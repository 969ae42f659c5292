// Tests a part of frontend/onnx/ops/recurrent/recurrent.cpp.
#include <gtest/gtest.h>

#include <limits>

#include "frontend/onnx/ops/recurrent/recurrent.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::recurrent_attributes_test {
namespace {

using ops::CellType;
using test::expect_error;
using Strings = std::vector<std::string>;
using Floats = std::vector<float>;

class OnnxRecurrentAttributes : public testing::Test {
protected:
    test::NodeBuilder node() { return test::NodeBuilder(node_); }
    ops::RecurrentAttributes read(CellType cell, std::int64_t opset = 17) {
        NodeContext context(node_, "test", opset, {}, {names_, tensors_});
        return read_recurrent_attributes(context, cell);
    }

    rondo_onnx::NodeProto node_;
    UniqueNames names_;
    TensorReader tensors_;
};

TEST_F(OnnxRecurrentAttributes, HaveDefaults) {
    const auto attributes = read(CellType::lstm);
    EXPECT_EQ(attributes.direction, ops::Direction::forward);
    EXPECT_EQ(attributes.hidden_size, 0);
    EXPECT_EQ(attributes.clip, 0);
    EXPECT_TRUE(attributes.activations.empty());
}

TEST_F(OnnxRecurrentAttributes, KeepOneSetWhereBothDirectionsAreEqual) {
    node().with("direction", "bidirectional");
    node().with("activations", Strings{"LeakyRelu", "Tanh", "leakyrelu", "tanh"});
    node().with("activation_alpha", Floats{0.5f, 0.5f});
    const auto attributes = read(CellType::gru);
    EXPECT_EQ(attributes.activations, (Strings{"LeakyRelu", "Tanh"}));
    EXPECT_EQ(attributes.activations_alpha, Floats{0.5f});
}

TEST_F(OnnxRecurrentAttributes, KeepTwoSetsWhereOnlyAParameterDiffers) {
    node().with("direction", "bidirectional");
    node().with("activations", Strings{"HardSigmoid", "HardSigmoid"});
    node().with("activation_alpha", Floats{0.5f});  // the second keeps its default
    const auto attributes = read(CellType::rnn);
    EXPECT_EQ(attributes.activations.size(), 2u);
    EXPECT_EQ(attributes.activations_alpha, (Floats{0.5f, 0.2f}));
    EXPECT_EQ(attributes.activations_beta, (Floats{0.5f, 0.5f}));
}

// The specification's default has an entry for each of two directions.
TEST_F(OnnxRecurrentAttributes, TakeTheDefaultOfRnnAsItIsWritten) {
    node().with("activations", Strings{"Tanh", "Tanh"});
    EXPECT_EQ(read(CellType::rnn).activations, Strings{"Tanh"});
}

TEST_F(OnnxRecurrentAttributes, RefuseTheWrongNumberOfActivations) {
    node().with("activations", Strings{"Tanh", "Tanh"});
    expect_error<ModelError>([&] { read(CellType::lstm); },
                             "attribute 'activations' has 2 entries; expected 3");
    node().with("direction", "bidirectional");
    expect_error<ModelError>([&] { read(CellType::gru); },
                             "attribute 'activations' has 2 entries; expected 4 (2 a direction)");
}

TEST_F(OnnxRecurrentAttributes, RefuseUnknownActivations) {
    node().with("activations", Strings{"Swish"});
    expect_error<ModelError>([&] { read(CellType::rnn); }, "unknown activation 'Swish'");
}

// Exporters write an entry for each function.
TEST_F(OnnxRecurrentAttributes, LeaveOutParametersThatNoFunctionTakes) {
    node()
        .with("activations", Strings{"HardSigmoid", "Tanh", "Tanh"})
        .with("activation_alpha", Floats{0.25f, 0, 0})
        .with("activation_beta", Floats{0.75f, 0.5f, 0.5f});
    const auto attributes = read(CellType::lstm);
    EXPECT_EQ(attributes.activations_alpha, Floats{0.25f});
    EXPECT_EQ(attributes.activations_beta, Floats{0.75f});
    node_.clear_attribute();
    node().with("activation_alpha", Floats{0, 0, 0}).with("activation_beta", Floats{1});
    EXPECT_TRUE(read(CellType::lstm).activations.empty());
    EXPECT_TRUE(read(CellType::lstm).activations_alpha.empty());
    node().with("activations", Strings{"Sigmoid", "Tanh"});
    EXPECT_TRUE(read(CellType::gru).activations_alpha.empty());
    EXPECT_TRUE(read(CellType::gru).activations_beta.empty());
}

// The schema of GRU-1 has this slip in its default, which some tools write out.
TEST_F(OnnxRecurrentAttributes, TakeTheMisspeltDefaultOfGru1) {
    node().with("direction", "foward");
    EXPECT_EQ(read(CellType::gru, 1).direction, ops::Direction::forward);
    const char* const message = "attribute 'direction' is 'foward'";
    expect_error<ModelError>([&] { read(CellType::gru, 3); }, message);
    expect_error<ModelError>([&] { read(CellType::lstm, 1); }, message);
}

TEST_F(OnnxRecurrentAttributes, RefuseBadValues) {
    node().with("direction", "sideways");
    expect_error<ModelError>([&] { read(CellType::rnn); },
                             "attribute 'direction' is 'sideways'; expected 'forward'");
    node_.clear_attribute();
    node().with("clip", -1.0f);
    expect_error<ModelError>([&] { read(CellType::rnn); },
                             "attribute 'clip' is -1.000000; expected 0 (no clip) or more");
    node_.clear_attribute();
    node().with("clip", std::numeric_limits<float>::quiet_NaN());
    expect_error<ModelError>([&] { read(CellType::rnn); }, "attribute 'clip' is nan");
    node_.clear_attribute();
    node().with("hidden_size", 0);
    expect_error<ModelError>([&] { read(CellType::rnn); }, "hidden_size is 0; expected 1 or more");
}

}  // namespace
}  // namespace rondo::onnx::recurrent_attributes_test
