#include "core/ops/control/control_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::if_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string out_shape(const Graph& graph) { return to_string(graph.results()[0]->output_shape(0)); }

ops::If& node_of(const std::shared_ptr<Graph>& graph) { return find<ops::If>(*graph, "choice"); }

TEST(If, IsInTheList) { EXPECT_EQ(ops::find_op("If", "opset8")->type, &ops::If::kType); }

TEST(If, OutputsCoverBothBranches) {
    EXPECT_EQ(out_shape(*choice("2,3", "2,3")), "[2,3]");
    EXPECT_EQ(out_shape(*choice("1,3", "4,3")), "[1..4,3]");
    EXPECT_EQ(out_shape(*choice("3", "4,3")), "[...]");
    EXPECT_EQ(out_shape(*choice("?,3", "?,3")), "[?,3]");
}

TEST(If, GivesItsBodiesTheShapesOfItsInputs) {
    const auto graph = choice("5,3", "1,3");
    EXPECT_EQ(node_of(graph).bodies()[0]->parameters()[0]->output_shape(0), (PartialShape{5, 3}));
    EXPECT_EQ(node_of(graph).bodies()[1]->results()[0]->output_shape(0), (PartialShape{5, 3}));
}

TEST(If, AKnownConditionDecides) {
    for (const bool condition : {true, false}) {
        const auto graph = choice("1,3", "4,3");
        GraphBuilder builder;
        node_of(graph).set_input(0, flag(builder, condition));
        node_of(graph).validate();
        EXPECT_EQ(to_string(node_of(graph).output_shape(0)), condition ? "[1,3]" : "[4,3]");
    }
}

TEST(If, ABranchThatIsNotTakenNeedNotFit) {
    expect_error<ModelError>([] { choice("2,3", "2,4"); }, "else_body");  // x + y is impossible
    const auto graph = choice("2,3", "2,3");
    GraphBuilder builder;
    node_of(graph).set_input(0, flag(builder, true));
    node_of(graph).set_input(2, builder.input("other_y", "2,4"));
    node_of(graph).validate();
    EXPECT_EQ(to_string(node_of(graph).output_shape(0)), "[2,3]");
}

TEST(If, CopiesHaveBodiesOfTheirOwn) {
    const auto graph = choice("2,3", "2,3");
    const auto copy = graph->clone();
    EXPECT_EQ(to_text(*copy), to_text(*graph));
    EXPECT_NE(node_of(copy).bodies()[0], node_of(graph).bodies()[0]);
    node_of(copy).bodies()[0]->parameters()[0]->set_name("other");
    EXPECT_NE(to_text(*copy), to_text(*graph));
}

TEST(If, IsPrintedWithItsBodies) {
    const std::string text = to_text(*choice("2,3", "2,3"));
    EXPECT_NE(text.find("\n  then_body (1 -> 0; 0 -> 0) graph 'test'\n    %0 'yes_x' : f32[2,3]"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\n  else_body (1 -> 0, 2 -> 1; 0 -> 0) graph"), std::string::npos) << text;
}

TEST(If, RunsOneBranch) {
    const auto graph = choice();
    const Tensor x = tensor_of<float>({1, 3}, {1, 2, 3});
    const Tensor y = tensor_of<float>({2, 3}, {10, 20, 30, 40, 50, 60});
    expect_same(evaluate_graph(*graph, {scalar_of<bool>(true), x, y})[0],
                tensor_of<float>({1, 3}, {2, 3, 4}));
    expect_same(evaluate_graph(*graph, {scalar_of<bool>(false), x, y})[0],
                tensor_of<float>({2, 3}, {11, 22, 33, 41, 52, 63}));
}

TEST(If, RefusesWhatIsNoChoice) {
    const auto broken = [](auto change, const char* message) {
        const auto graph = choice();
        ops::If& node = node_of(graph);
        change(node);
        expect_error<ModelError>([&] { node.validate(); }, message);
    };
    broken([](ops::If& n) { n.set_inputs({}); }, "node 'choice' (If): the condition is missing");
    broken([](ops::If& n) { n.set_input(0, n.input(1)); },
           "the condition is f32[?,3]; expected one boolean");
    broken([](ops::If& n) { n.set_body(1, nullptr, {}); }, "else_body is missing");
    broken(
        [](ops::If& n) {
            n.set_ports(0, {{{0, 0, {}, {}}}, {{0, 0, {}}}});
        },
        "input 0 of a branch is the condition");
    broken(
        [](ops::If& n) {
            n.set_ports(0, {{{1, 0, {}, {}}}, {{0, 0, ops::PartRange{}}}});
        },
        "output 0 of a branch is joined");
    broken(
        [](ops::If& n) {
            n.set_ports(0, {{{1, 0, {}, {}}}, {}});
        },
        "then_body has 0 outputs and else_body 1");
    broken(
        [](ops::If& n) {
            GraphBuilder body;
            body.output("y", body.make<ops::Convert>("", body.input("x", "..."), ElementType::i32));
            n.set_body(0, body.graph(), n.ports(0));
        },
        "output 0 is i32 in then_body and f32 in else_body");
}

TEST(If, NamesOpAndBodyWhereANodeOfABodyFails) {
    expect_error<ModelError>([] { choice("2,3", "4,5"); },
                             "(If): else_body: node 'node_1' (Add): shapes [2,3] and [4,5]");
}

TEST(If, RefusesAConditionOfSeveralElementsWhenItRuns) {
    const auto graph = choice();
    node_of(graph).set_input(0, node_of(graph).input(0));
    GraphBuilder builder;
    const Output many = builder.input("c", "?", ElementType::boolean);
    node_of(graph).set_input(0, many);
    node_of(graph).validate();
    const Tensor x = tensor_of<float>({1, 3}, {1, 2, 3});
    const std::vector<Tensor> inputs{tensor_of<bool>({2}, {true, false}), x, x};
    expect_error<ModelError>([&] { reference::evaluate(node_of(graph), inputs); }, "expected one");
}

}  // namespace
}  // namespace rondo::if_test
