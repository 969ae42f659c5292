// What of a file the nodes mean.
#include <gtest/gtest.h>

#include <map>

#include "core/graph/graph.hpp"
#include "frontend/onnx/node_places.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::origins_test {
namespace {

using test::expect_error;
using test::ModelBuilder;

constexpr ElementType f32 = ElementType::f32;

// Each node by its name.
std::map<std::string, std::string> described(const Graph& graph) {
    std::map<std::string, std::string> texts;
    for (const auto& node : graph.ordered_nodes()) texts[node->name()] = describe(*node);
    return texts;
}

TEST(OnnxOrigins, NameInputsOutputsAndInitializers) {
    ModelBuilder model;
    model.input("x", f32, {2}).initializer("w", test::scalar_of<float>(2)).output("y");
    model.node("Mul", {"x", "w"}, {"y"}, "w");  // the initializer's name
    const auto texts = described(*model.read());
    EXPECT_EQ(texts.at("x"), "input 'x'");
    EXPECT_EQ(texts.at("w"), "tensor 'w'");
    EXPECT_EQ(texts.at("w_1"), "node 'w' (Mul, as Multiply 'w_1')");
    EXPECT_EQ(texts.at("y/sink_port_0"), "output 'y'");
}

TEST(OnnxOrigins, NodesWithoutANameAreKnownByAnOutput) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Relu", {"x"}, {"y"}, "");
    EXPECT_EQ(described(*model.read()).at("Relu_0"), "node of 'y' (Relu, as ReLU 'Relu_0')");
    ModelBuilder wrong;
    wrong.input("x", f32, {2}).output("y").node("Relu", {"x", "x"}, {"y"}, "");
    expect_error<ModelError>([&] { wrong.read(); }, "node of 'y' (Relu, as Relu 'Relu_0'): input");
}

TEST(OnnxOrigins, AllPartsOfANodeStandForIt) {
    ModelBuilder model;
    model.input("x", f32, {2, 3}).output("y").node("Shrink", {"x"}, {"y"}, "shrink");
    const auto graph = model.read();
    std::size_t parts = 0;
    for (const auto& node : graph->ordered_nodes()) {
        const std::string text = describe(*node);
        if (text != "input 'x'" && text != "output 'y'") {
            EXPECT_EQ(text.rfind("node 'shrink' (Shrink, as ", 0), 0U) << text;
            ++parts;
        }
    }
    EXPECT_GT(parts, 1U);
}

TEST(OnnxOrigins, NodesOfFunctionsStandForTheCall) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y");
    model.node("Twice", {"x"}, {"y"}, "call").domain("own");
    auto& import = *model.message().add_opset_import();
    import.set_domain("own");
    import.set_version(1);
    auto& function = *model.message().add_functions();
    function.set_domain("own");
    function.set_name("Twice");
    function.add_input("a");
    function.add_output("b");
    function.add_opset_import()->set_version(17);
    auto& node = *function.add_node();
    node.set_op_type("Add");
    node.set_name("inner");
    for (int i = 0; i < 2; ++i) node.add_input("a");
    node.add_output("b");
    EXPECT_EQ(described(*model.read()).at("call/inner"),
              "node 'call' (Twice, as Add 'call/inner')");
    node.add_input("a");
    expect_error<ModelError>([&] { model.read(); },
                             "model.onnx: node 'call' (Twice, as Add 'call/inner'): input 2");
}

}  // namespace
}  // namespace rondo::onnx::origins_test
