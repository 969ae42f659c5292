#include "core/ops/control/control_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::if_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType boolean = ElementType::boolean;

// y = c ? x + w : x * two, where w is an initializer of the model and two one of the branch.
ModelBuilder choice() {
    ModelBuilder yes, no, model;
    yes.node("Add", {"x", "w"}, {"sum"});
    yes.output("sum");
    no.initializer("two", tensor_of<float>({}, {2})).node("Mul", {"x", "two"}, {"product"});
    no.output("product");
    model.input("c", boolean, {}).input("x", f32, {2});
    model.initializer("w", tensor_of<float>({2}, {10, 20}));
    model.node("If", {"c"}, {"y"}, "pick")
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    model.output("y");
    return model;
}

TEST(OnnxIf, RunsOneBranch) {
    const Tensor x = tensor_of<float>({2}, {1, 2});
    expect_same(choice().run({scalar_of<bool>(true), x})[0], tensor_of<float>({2}, {11, 22}));
    expect_same(choice().run({scalar_of<bool>(false), x})[0], tensor_of<float>({2}, {2, 4}));
}

// x is read by both branches and is one input; a constant becomes the branch's own.
TEST(OnnxIf, ReadsTensorsOfTheGraphAround) {
    const auto graph = choice().read();
    check_graph(*graph);
    const Node& node = graph->results()[0]->input(0).node();
    EXPECT_EQ(node.name(), "pick");
    EXPECT_EQ(node.input_count(), 2u);
    const Graph& yes = *node.bodies()[0];
    ASSERT_EQ(yes.parameters().size(), 1u);
    EXPECT_EQ(yes.results()[0]->input(0).node().input(1).node().type_name(), "Const");
}

// Exporters keep branches that can't be right for the shapes they found.
TEST(OnnxIf, ABranchThatIsNeverTakenNeedNotFit) {
    for (const bool condition : {true, false}) {
        ModelBuilder good, bad, model;
        good.node("Tanh", {"x"}, {"t"});
        good.output("t");
        bad.initializer("axes", tensor_of<std::int64_t>({1}, {0}));
        bad.node("Squeeze", {"x", "axes"}, {"s"});
        bad.output("s");
        model.input("x", f32, {2}).initializer("c", scalar_of<bool>(condition)).output("y");
        model.node("If", {"c"}, {"y"})
            .with("then_branch", condition ? good.graph() : bad.graph())
            .with("else_branch", condition ? bad.graph() : good.graph());
        expect_same(model.run({tensor_of<float>({2}, {0, 0})})[0], tensor_of<float>({2}, {0, 0}));
    }
}

TEST(OnnxIf, ReadsThroughSeveralBodies) {
    ModelBuilder inner_yes, inner_no, yes, no, model;
    inner_yes.node("Add", {"x", "t"}, {"a"});
    inner_yes.output("a");
    inner_no.node("Mul", {"x", "x"}, {"b"});
    inner_no.output("b");
    yes.node("Tanh", {"x"}, {"t"});
    yes.node("If", {"d"}, {"z"})
        .with("then_branch", inner_yes.graph())
        .with("else_branch", inner_no.graph());
    yes.output("z");
    no.node("Identity", {"x"}, {"same"});
    no.output("same");
    model.input("c", boolean, {}).input("d", boolean, {}).input("x", f32, {1});
    model.node("If", {"c"}, {"y"}).with("then_branch", yes.graph()).with("else_branch", no.graph());
    model.output("y");
    check_graph(*model.read());
    const Tensor x = tensor_of<float>({1}, {3});
    const Tensor on = scalar_of<bool>(true), off = scalar_of<bool>(false);
    expect_near(model.run({on, on, x})[0], tensor_of<float>({1}, {3.9950547F}), 1e-6);
    expect_same(model.run({on, off, x})[0], tensor_of<float>({1}, {9}));
    expect_same(model.run({off, off, x})[0], x);
}

// Names in a body may be those of the graph around: the inner one counts, from where it is made.
TEST(OnnxIf, AnInnerNameHidesAnOuterOne) {
    ModelBuilder yes, no, model;
    yes.node("Add", {"x", "x"}, {"twice"});
    yes.node("Tanh", {"twice"}, {"x"});
    yes.node("Add", {"x", "twice"}, {"sum"});
    yes.output("sum");
    no.node("Identity", {"x"}, {"same"});
    no.output("same");
    model.input("c", boolean, {}).input("x", f32, {1});
    model.node("If", {"c"}, {"y"}).with("then_branch", yes.graph()).with("else_branch", no.graph());
    model.output("y");
    expect_near(model.run({scalar_of<bool>(true), tensor_of<float>({1}, {0.5F})})[0],
                tensor_of<float>({1}, {1.7615942F}), 1e-6);
}

TEST(OnnxIf, NamesWhatIsMissingInBodies) {
    ModelBuilder yes, no, model;
    yes.node("Strange", {"x"}, {"a"});
    yes.output("a");
    no.node("Odd", {"x"}, {"b"});
    no.output("b");
    model.input("c", boolean, {}).input("x", f32, {1});
    model.node("If", {"c"}, {"y"}).with("then_branch", yes.graph()).with("else_branch", no.graph());
    model.output("y");
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "2 unsupported operators: Odd (opset 17) at node 'the_Odd', "
                                   "Strange (opset 17) at node 'the_Strange' (");
}

TEST(OnnxIf, RefusesWhatIsNoChoice) {
    const auto broken = [](auto change, const char* message) {
        ModelBuilder model = choice();
        change(*model.graph().mutable_node(0));
        expect_error<ModelError>([&] { model.read(); }, message);
    };
    using Message = rondo_onnx::NodeProto;
    broken([](Message& n) { n.mutable_attribute()->RemoveLast(); },
           "attribute 'else_branch' is missing");
    broken([](Message& n) { n.add_output("z"); }, "the body has 1 output; expected 2");
    broken([](Message& n) { n.set_input(0, "x"); }, "the condition is f32[2]");
    broken(
        [](Message& n) { n.mutable_attribute(0)->mutable_g()->mutable_node(0)->set_input(0, "q"); },
        "there is no tensor 'q'");
    broken(
        [](Message& n) {
            auto& input = *n.mutable_attribute(0)->mutable_g()->add_input();
            input.set_name("extra");
        },
        "the body has more inputs than the 0 that it gets");
}

}  // namespace
}  // namespace rondo::onnx::if_test
