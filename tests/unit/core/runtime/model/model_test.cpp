#include "rondo/model.hpp"

#include <gtest/gtest.h>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::model_test {
namespace {

NodePtr named_parameter(const std::string& name, ElementType type, const PartialShape& shape) {
    auto node = make_node<ops::Parameter>(type, shape);
    node->set_name(name);
    node->output(0).set_names({name});
    return node;
}

Output zeros(const Shape& shape) {
    return make_node<ops::Constant>(Tensor(ElementType::f32, shape));
}

// x [?,T,3], lengths [?] -> LSTM of 2 units -> y
Model lstm_model(const Dimension& time) {
    const auto x = named_parameter("x", ElementType::f32, {Dimension(), time, Dimension(3)});
    const auto lengths = named_parameter("lengths", ElementType::i64, {Dimension()});
    auto lstm = std::make_shared<ops::LSTMSequence>(
        std::vector<Output>{x->output(0), zeros({1, 1, 2}), zeros({1, 1, 2}), lengths->output(0),
                            zeros({1, 8, 3}), zeros({1, 8, 2}), zeros({1, 8})});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = 2;
    lstm->set_attributes(attributes);
    lstm->set_name("lstm");
    lstm->validate();
    auto y = make_node<ops::Result>(lstm->output(0));
    y->set_name("y");
    return Model(
        std::make_shared<Graph>("lstm", std::vector<NodePtr>{x, lengths}, std::vector<NodePtr>{y}));
}

TEST(Model, ReshapeInfersAnew) {
    Model model(identity_graph());
    model.reshape({{"x", {5, 2}}});
    EXPECT_EQ(to_string(model.output("y").shape), "[5,2]");
    EXPECT_EQ(to_string(model.input("x").shape), "[5,2]");
}

TEST(Model, AFailedReshapeChangesNothing) {
    Model model = lstm_model(Dimension());
    const std::string before = model.to_text();
    expect_error<ModelError>([&] { model.reshape({{"x", {1, 2, 4}}}); }, "lstm");
    EXPECT_EQ(model.to_text(), before);
    expect_error<ModelError>([&] { model.reshape({{"q", {1}}}); }, "no input 'q'");
    EXPECT_EQ(model.to_text(), before);
}

TEST(Model, AReshapeThatBreaksAVariableChangesNothing) {
    const auto x = named_parameter("x", ElementType::f32, {Dimension(), Dimension(2)});
    const auto read = make_node<ops::ReadValue>(std::vector<Output>{}, "v", ElementType::f32,
                                                PartialShape{Dimension(1, 4), Dimension(2)});
    read->set_name("read");
    const auto assign = make_node<ops::Assign>(x, "v");
    assign->set_name("assign");
    Model model(std::make_shared<Graph>("g", std::vector<NodePtr>{x},
                                        std::vector<NodePtr>{make_node<ops::Result>(read)},
                                        std::vector<NodePtr>{assign}));
    const std::string before = model.to_text();
    expect_error<ModelError>(
        [&] {
            model.reshape({{"x", {5, 2}}});
        },
        "node 'assign' (Assign): variable 'v' is f32[1..4,2]");
    EXPECT_EQ(model.to_text(), before);
    model.reshape({{"x", {3, 2}}});
    EXPECT_EQ(to_string(model.input("x").shape), "[3,2]");
}

TEST(Model, ATransformedModelKeepsItsKnownExtents) {
    Model model = lstm_model(Dimension());
    model.graph()->rt_info()[kFixedExtents] = "true";
    model.reshape({{"x", {1, 9, 3}}});  // open ones may be given
    expect_error<UnsupportedError>(
        [&] {
            model.reshape({{"x", {1, 8, 3}}});
        },
        "input 'x' can't be reshaped from [1,9,3] to [1,8,3]");
    EXPECT_EQ(to_string(model.input("x").shape), "[1,9,3]");
}

TEST(Model, ACloneIsIndependent) {
    const Model model(identity_graph());
    Model copy = model.clone();
    copy.reshape({{"x", {5, 2}}});
    EXPECT_EQ(to_string(model.input("x").shape), "[?,2]");
}

TEST(Model, KnowsTheRangeOfLengths) {
    EXPECT_FALSE(lstm_model(Dimension()).value_range("lengths").has_value());
    const auto range = lstm_model(7).value_range("lengths");
    ASSERT_TRUE(range.has_value());
    EXPECT_EQ(range->min, 1);
    EXPECT_EQ(range->max, 7);
    EXPECT_FALSE(lstm_model(7).value_range("x").has_value());
    EXPECT_EQ(lstm_model(0).value_range("lengths")->max, 0);  // no steps: all lengths are 0
}

TEST(Model, KnowsTheRangeOfIndices) {
    const auto indices = named_parameter("i", ElementType::i64, {Dimension(4)});
    auto table = make_node<ops::Constant>(Tensor(ElementType::f32, {10, 3}));
    auto gather = make_node<ops::Gather>(Output(table), indices->output(0),
                                         Output(ops::make_i64_scalar(0, "axis")));
    auto y = make_node<ops::Result>(gather);
    const Model model(
        std::make_shared<Graph>("g", std::vector<NodePtr>{indices}, std::vector<NodePtr>{y}));
    const auto range = model.value_range("i");
    ASSERT_TRUE(range.has_value());
    EXPECT_EQ(range->min, 0);
    EXPECT_EQ(range->max, 9);
}

TEST(Model, WeightsAreStoredInThreeTypes) {
    expect_error<ModelError>([] { save_model(lstm_model(5), "m.xml", ElementType::i8); },
                             "m.xml: weights can't be stored as i8; expected f32, f16 or bf16");
}

TEST(Model, ASavedOneSaysWhatWroteIt) {
    const std::string path = temporary_path("model.xml");
    Model model = lstm_model(5);
    save_model(model, path);
    EXPECT_TRUE(model.rt_info().empty());
    EXPECT_EQ(Core().read_model(path).rt_info().at("rondo/version"), get_version().build_number);
    model.set_rt_info("rondo/version", "of its own");
    save_model(model, path);
    EXPECT_EQ(Core().read_model(path).rt_info().at("rondo/version"), "of its own");
}

TEST(Model, ShowsItsBodies) {
    const Model model(choice());
    const auto nodes = model.nodes();
    const NodeInfo& node = nodes[nodes.size() - 2];
    ASSERT_EQ(node.bodies.size(), 2u);
    EXPECT_EQ(node.bodies[0].name, "then_body");
    EXPECT_EQ(node.bodies[1].place, "choice/else_body/");
    const auto& yes = node.bodies[0].nodes;
    EXPECT_EQ(yes[0].name, "yes_x");
    EXPECT_EQ(yes.back().inputs[0].node, yes.size() - 2);
    EXPECT_EQ(yes[1].type, "Const");
    EXPECT_NE(yes[1].constant_data, nullptr);
    EXPECT_EQ(yes[1].constant_data,
              model.nodes()[nodes.size() - 2].bodies[0].nodes[1].constant_data);
    EXPECT_EQ(Model(running_sum()).nodes()[2].bodies[0].place, "walk/");
    EXPECT_TRUE(nodes[0].bodies.empty());
}

TEST(Model, ShowsItsNodes) {
    const Model model = lstm_model(7);
    model.graph()->results()[0]->input(0).node().rt_info()["precision"] = "W i8";
    const auto nodes = model.nodes();
    const auto& lstm = nodes[nodes.size() - 2];
    EXPECT_EQ(lstm.type, "LSTMSequence");
    EXPECT_EQ(lstm.opset, "opset5");
    EXPECT_EQ(lstm.inputs.size(), 7u);
    ASSERT_EQ(lstm.facts.size(), 1u);
    EXPECT_EQ(lstm.facts[0].first, "precision");
    EXPECT_EQ(lstm.facts[0].second, "W i8");
    EXPECT_EQ(nodes[lstm.inputs[0].node].name, "x");
    EXPECT_EQ(to_string(lstm.outputs[0].shape), "[1,1,7,2]");
    EXPECT_EQ(nodes.back().inputs[0].node, nodes.size() - 2);
}

TEST(Model, TakesANameAndFacts) {
    Model model(identity_graph());
    model.set_name("other");
    model.set_rt_info("tool/version", "3");
    EXPECT_EQ(model.name(), "other");
    EXPECT_EQ(model.clone().rt_info().at("tool/version"), "3");
    expect_error<ModelError>([] { Model().set_name("x"); }, "the model is empty");
}

}  // namespace
}  // namespace rondo::test::model_test
