#include "frontend/onnx/graph_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::graph_reader_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;
using testing::ElementsAre;

constexpr ElementType f32 = ElementType::f32;
using Names = std::set<std::string>;

TEST(OnnxGraphReader, NamesInputsNodesAndOutputs) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Relu", {"x"}, {"y"}, "activate");
    const auto graph = model.read();
    check_graph(*graph);
    EXPECT_EQ(graph->name(), "test");
    const Node& parameter = *graph->parameters().at(0);
    EXPECT_EQ(parameter.name(), "x");
    EXPECT_EQ(graph->parameters()[0]->output(0).names(), Names{"x"});
    const auto result = graph->results().at(0);
    EXPECT_EQ(result->name(), "y/sink_port_0");
    EXPECT_EQ(result->output(0).names(), Names{"y"});
    EXPECT_EQ(result->input(0).node().name(), "activate");
    EXPECT_EQ(result->input(0).names(), Names{"y"});
}

TEST(OnnxGraphReader, GivesNamelessAndEquallyNamedNodesTheirOwn) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("d");
    model.node("Relu", {"x"}, {"a"}, "");
    model.node("Relu", {"a"}, {"b"}, "same");
    model.node("Relu", {"b"}, {"c"}, "same");
    model.node("Relu", {"c"}, {"d"}, "x");  // the input's name
    const auto graph = model.read();
    check_graph(*graph);
    std::vector<std::string> names;
    for (const auto& node : graph->ordered_nodes()) names.push_back(node->name());
    EXPECT_THAT(names, ElementsAre("x", "Relu_0", "same", "same_1", "x_1", "d/sink_port_0"));
}

TEST(OnnxGraphReader, KeepsAnInputsNameThatAResultWouldHave) {
    ModelBuilder model;
    model.input("x", f32, {2}).input("x/sink_port_0", f32, {2}).output("x");
    const auto graph = model.read();
    check_graph(*graph);
    EXPECT_EQ(graph->parameters()[1]->name(), "x/sink_port_0");
    EXPECT_EQ(graph->results()[0]->name(), "x/sink_port_0_1");
}

TEST(OnnxGraphReader, KeepsOpenAndUnknownShapes) {
    ModelBuilder model;
    model.input("x", f32, {Dimension(), 3}).input("u", f32, {}).output("x").output("u");
    model.graph().mutable_input(1)->mutable_type()->mutable_tensor_type()->clear_shape();
    auto graph = model.read();
    EXPECT_EQ(to_string(graph->parameters()[0]->output_shape(0)), "[?,3]");
    EXPECT_EQ(to_string(graph->parameters()[1]->output_shape(0)), "[...]");
    model.graph().mutable_input(1)->clear_type();
    graph = model.read();
    EXPECT_EQ(graph->parameters()[1]->output_type(0), ElementType::dynamic);
    EXPECT_EQ(to_string(graph->parameters()[1]->output_shape(0)), "[...]");
}

TEST(OnnxGraphReader, TakesMinusOneForAnOpenExtentAndRefusesLess) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("x");
    auto& dim = *model.graph()
                     .mutable_input(0)
                     ->mutable_type()
                     ->mutable_tensor_type()
                     ->mutable_shape()
                     ->mutable_dim(0);
    dim.set_dim_value(-1);
    EXPECT_EQ(to_string(model.read()->parameters()[0]->output_shape(0)), "[?]");
    dim.set_dim_value(-2);
    expect_error<ModelError>([&] { model.read(); }, "model.onnx: input 'x': ");
}

TEST(OnnxGraphReader, MakesInputsWithInitializersConstants) {
    ModelBuilder model;
    model.input("x", f32, {2}).input("w", f32, {2}).output("y");
    model.initializer("w", test::tensor_of<float>({2}, {10, 20}));
    model.node("Add", {"x", "w"}, {"y"});
    const auto graph = model.read();
    EXPECT_EQ(graph->parameters().size(), 1u);
    EXPECT_EQ(graph->results()[0]->input(0).node().input(1).node().name(), "w");
    test::expect_same(model.run({test::tensor_of<float>({2}, {1, 2})}).at(0),
                      test::tensor_of<float>({2}, {11, 22}));
}

TEST(OnnxGraphReader, KeepsInputsThatNobodyReads) {
    ModelBuilder model;
    model.input("x", f32, {2}).input("unused", f32, {5}).output("y").node("Relu", {"x"}, {"y"});
    EXPECT_EQ(model.read()->parameters().size(), 2u);
}

// An input handed on keeps its own name only; each output has its own on the Result.
TEST(OnnxGraphReader, TellsOutputsOfOneTensorApart) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("x").output("same").output("y").output("z");
    model.node("Identity", {"x"}, {"same"}, "i1");
    model.node("Relu", {"x"}, {"y"});
    model.node("Identity", {"y"}, {"z"}, "i2");
    const auto graph = model.read();
    check_graph(*graph);
    EXPECT_EQ(graph->parameters()[0]->output(0).names(), Names{"x"});
    const char* expected[] = {"x", "same", "y", "z"};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(graph->results()[i]->output(0).names(), Names{expected[i]});
    }
    EXPECT_EQ(graph->results()[2]->input(0).names(), (Names{"y", "z"}));
}

TEST(OnnxGraphReader, TakesUnsortedNodes) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y");
    model.node("Relu", {"a"}, {"y"}, "second");
    model.node("Tanh", {"x"}, {"a"}, "first");
    const auto graph = model.read();
    check_graph(*graph);
    const Node& last = graph->results()[0]->input(0).node();
    EXPECT_EQ(last.name(), "second");
    EXPECT_EQ(last.input(0).node().name(), "first");
}

TEST(OnnxGraphReader, TakesOutputsThatAreListedTwice) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").output("y").node("Relu", {"x"}, {"y"});
    const auto graph = model.read();
    check_graph(*graph);
    ASSERT_EQ(graph->results().size(), 2u);
    EXPECT_EQ(graph->results()[0]->input(0), graph->results()[1]->input(0));
}

TEST(OnnxGraphReader, RefusesCycles) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y");
    model.node("Add", {"x", "y"}, {"y"}, "self");
    expect_error<ModelError>(
        [&] { model.read(); },
        "model.onnx: node 'self' (Add): it reads the tensor 'y', which is made from "
        "its own outputs; nodes may not form a circle");
}

TEST(OnnxGraphReader, RefusesMissingTensors) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Add", {"x", "ghost"}, {"y"}, "add");
    expect_error<ModelError>([&] { model.read(); },
                             "model.onnx: node 'add' (Add): there is no tensor 'ghost'");
}

TEST(OnnxGraphReader, RefusesOutputsThatNothingMakes) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("ghost");
    expect_error<ModelError>([&] { model.read(); },
                             "model.onnx: output 'ghost': there is no tensor 'ghost'");
    model.graph().clear_output();
    expect_error<ModelError>([&] { model.read(); }, "model.onnx: the graph has no outputs");
}

TEST(OnnxGraphReader, RefusesNamesUsedTwice) {
    ModelBuilder twice;
    twice.input("x", f32, {2}).output("y").node("Relu", {"x"}, {"y"}, "a");
    twice.node("Tanh", {"x"}, {"y"}, "b");
    expect_error<ModelError>([&] { twice.read(); },
                             "node 'b' (Tanh): the tensor 'y' is defined twice");
    ModelBuilder inputs;
    inputs.input("x", f32, {2}).input("x", f32, {2}).output("x");
    expect_error<ModelError>([&] { inputs.read(); }, "input 'x': it is listed twice");
    ModelBuilder initializers;
    initializers.initializer("w", test::scalar_of<float>(1)).output("w");
    initializers.node("Constant", {}, {"w"}, "makes w").with("value_float", 1.0f);
    expect_error<ModelError>([&] { initializers.read(); },
                             "node 'makes w' (Constant): the tensor 'w' is defined twice");
}

TEST(OnnxGraphReader, RefusesInputsThatAreNoTensors) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("x");
    auto& type = *model.graph().mutable_input(0)->mutable_type();
    type.mutable_tensor_type()->set_elem_type(8);
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "model.onnx: input 'x': the element type 8 (STRING)");
    type.mutable_sequence_type();
    expect_error<UnsupportedError>([&] { model.read(); }, "input 'x': it is not a tensor");
}

TEST(OnnxGraphReader, RefusesBrokenInitializers) {
    ModelBuilder model;
    model.initializer("w", test::scalar_of<float>(1)).output("w");
    model.graph().mutable_initializer(0)->add_dims(2);
    expect_error<ModelError>([&] { model.read(); }, "model.onnx: tensor 'w': f32[2] needs 8 bytes");
    model.graph().mutable_initializer(0)->clear_dims();
    model.graph().mutable_initializer(0)->clear_name();  // so that nothing reads it
    expect_error<ModelError>([&] { model.read(); }, "output 'w': there is no tensor 'w'");
}

// It may be among the inputs too, as a dense one may.
TEST(OnnxGraphReader, ReadsSparseInitializersAsDenseOnes) {
    ModelBuilder model;
    model.input("x", f32, {3}).input("s", f32, {3}).output("y");
    auto& sparse = *model.graph().add_sparse_initializer();
    *sparse.mutable_values() = test::to_message("s", tensor_of<float>({1}, {5}));
    *sparse.mutable_indices() = test::to_message("", tensor_of<std::int64_t>({1}, {2}));
    sparse.add_dims(3);
    model.node("Add", {"x", "s"}, {"y"});
    expect_same(model.run({tensor_of<float>({3}, {1, 2, 3})}).at(0),
                tensor_of<float>({3}, {1, 2, 8}));
    sparse.set_dims(0, 2);
    expect_error<ModelError>([&] { model.read(); },
                             "model.onnx: sparse tensor 's': an index is 2; expected 0 to 2");
}

TEST(OnnxGraphReader, NamesNodeAndOperatorInErrorsOfOps) {
    ModelBuilder model;
    model.input("x", f32, {2, 3}).input("z", f32, {4, 5}).output("y");
    model.node("MatMul", {"x", "z"}, {"y"}, "multiply");
    expect_error<ModelError>([&] { model.read(); }, "model.onnx: node 'multiply' (MatMul): ");
}

TEST(OnnxGraphReader, KeepsMessagesOnOneLine) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Relu", {"gh\nost"}, {"y"}, "a\tnode\n");
    expect_error<ModelError>([&] { model.read(); },
                             "node 'a?node?' (Relu): there is no tensor 'gh?ost'");
}

TEST(OnnxGraphReader, ReadsALongChain) {
    ModelBuilder model;
    model.input("x", f32, {1}).output("t100000");
    std::string last = "x";
    for (int i = 1; i <= 100'000; ++i) {
        const std::string next = "t" + std::to_string(i);
        model.node("Relu", {last}, {next}, "same");
        last = next;
    }
    EXPECT_EQ(model.read()->ordered_nodes().size(), 100'002u);
    model.graph().add_output()->set_name("ghost");  // fails once all nodes are there
    expect_error<ModelError>([&] { model.read(); }, "there is no tensor 'ghost'");
}

}  // namespace
}  // namespace rondo::onnx::graph_reader_test
