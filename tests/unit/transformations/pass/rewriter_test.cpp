#include "transformations/pass/rewriter.hpp"

#include <gmock/gmock.h>

#include "core/graph/inference.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::rewriter_test {
namespace {

using test::count_nodes;
using test::GraphBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

// x -> relu -> tanh -> y
struct Chain {
    GraphBuilder b;
    Output x = b.input("x", "[2,3]");
    Output relu = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, x);
    Output tanh = b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, relu);
    Chain() { b.output("y", tanh); }
};

TEST(Rewriter, NewNodesGetFreeNames) {
    Chain c;
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    EXPECT_EQ(rewriter.make<ops::Unary>("relu", ops::UnaryFunction::relu, c.x)->name(), "relu_2");
    EXPECT_EQ(rewriter.make<ops::Unary>("relu", ops::UnaryFunction::relu, c.x)->name(), "relu_3");
    EXPECT_EQ(rewriter.make_ints("fresh", {1}).node().name(), "fresh");
    EXPECT_FALSE(rewriter.changed());
}

TEST(Rewriter, ANewNodeTakesTheNamesOfTheOldOne) {
    Chain c;
    const auto graph = c.b.graph();
    c.tanh.node().rt_info()["fact"] = "kept";
    Rewriter rewriter(*graph);
    rewriter.replace(c.tanh, rewriter.make<ops::Unary>("new", ops::UnaryFunction::sigmoid, c.x));
    const auto& source = graph->results()[0]->input(0);
    EXPECT_EQ(source.node().type_name(), "Sigmoid");
    EXPECT_EQ(source.node().name(), "tanh");
    EXPECT_EQ(source.node().rt_info().at("fact"), "kept");
    EXPECT_THAT(source.names(), ElementsAre("y"));
    EXPECT_TRUE(rewriter.changed());
    EXPECT_EQ(count_nodes(*graph, "ReLU"), 0U);
    check_graph(*graph);
}

TEST(Rewriter, NewNodesAreMadeFromWhatTheyReplace) {
    Chain c;
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    const Output first = rewriter.make<ops::Unary>("part", ops::UnaryFunction::exp, c.relu);
    rewriter.replace(c.tanh, rewriter.make<ops::Unary>("last", ops::UnaryFunction::log, first));
    const Node& last = graph->results()[0]->input(0).node();
    EXPECT_EQ(describe(last), "node 'tanh' (Tanh, as Log)");
    EXPECT_EQ(describe(first.node()), "node 'tanh' (Tanh, as Exp 'part')");
    EXPECT_EQ(describe(c.relu.node()), "node 'relu' (ReLU)");
}

TEST(Rewriter, WhatReplacesANewNodeHasTheSameOrigin) {
    Chain c;
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    const Output first = rewriter.make<ops::Unary>("first", ops::UnaryFunction::exp, c.relu);
    rewriter.replace(c.tanh, first);
    rewriter.replace(first, rewriter.make<ops::Unary>("next", ops::UnaryFunction::log, c.relu));
    EXPECT_EQ(describe(graph->results()[0]->input(0).node()), "node 'tanh' (Tanh, as Log)");
}

TEST(Rewriter, AnOlderNodeBehindAnOutputTakesItsNamesAlone) {
    Chain c;
    c.relu.set_names({"inner"});
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    rewriter.replace(c.tanh, c.relu);
    EXPECT_EQ(c.relu.node().name(), "tanh");
    EXPECT_THAT(c.relu.names(), ElementsAre("y"));
    check_graph(*graph);
}

TEST(Rewriter, AnInputOfTheModelGetsNoNamesFromInside) {
    Chain c;
    c.relu.set_names({"inner"});
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    rewriter.replace(c.relu, c.x);
    EXPECT_THAT(c.x.names(), ElementsAre("x"));
    EXPECT_EQ(c.x.node().name(), "x");
}

TEST(Rewriter, InnerNamesAreMerged) {
    GraphBuilder b;
    const Output first = b.make<ops::Unary>("first", ops::UnaryFunction::relu, b.input("x", "[2]"));
    const Output second = b.make<ops::Unary>("second", ops::UnaryFunction::relu, first);
    b.output("y", b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, second));
    first.set_names({"one"});
    second.set_names({"two"});
    const auto graph = b.graph();
    Rewriter rewriter(*graph);
    rewriter.replace(second, first);
    EXPECT_THAT(first.names(), ElementsAre("one", "two"));
    EXPECT_EQ(first.node().name(), "first");
}

TEST(Rewriter, RefusesToTakeAnOutputItsName) {
    // x -> relu -> y and x -> tanh -> z: neither may become the other's, nor x's.
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output relu = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, x);
    const Output tanh = b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, x);
    b.output("y", relu);
    b.output("z", tanh);
    const auto graph = b.graph();
    Rewriter rewriter(*graph);
    EXPECT_FALSE(rewriter.can_replace(relu, x));
    EXPECT_FALSE(rewriter.can_replace(relu, tanh));
    test::expect_error<InternalError>([&] { rewriter.replace(relu, x); },
                                      "takes a model's output its name");
}

TEST(Rewriter, RefusesAnotherType) {
    Chain c;
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    test::expect_error<InternalError>(
        [&] { rewriter.replace(c.relu, rewriter.make_ints("i", {1})); }, "changes the type");
}

TEST(Rewriter, LeavesOutNodesThatFellOutOnTheWay) {
    Chain c;
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    std::vector<std::string> seen;
    rewriter.for_each<Node>([&](const auto& node) {
        seen.push_back(node->name());
        if (node->name() == "x")
            rewriter.replace(c.tanh,
                             rewriter.make<ops::Unary>("s", ops::UnaryFunction::sigmoid, c.x));
    });
    EXPECT_THAT(seen, ElementsAre("x", "y/result"));
    EXPECT_THAT(c.x.consumers(), testing::SizeIs(1)) << "dead nodes must not count as consumers";
}

TEST(Rewriter, FurtherOutputsKeepNamesApart) {
    GraphBuilder b;
    const Output x = b.input("x", "[4]");
    const auto split =
        b.make<ops::Split>("split", x, b.constant(test::tensor_of<std::int64_t>({}, {0})), 2);
    b.output("y", b.make<ops::Unary>("relu", ops::UnaryFunction::relu, split->output(0)));
    b.output("z", b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, split->output(1)));
    const auto graph = b.graph();
    Rewriter rewriter(*graph);
    const Tensor value(ElementType::f32, {2});
    rewriter.replace(split->output(0), rewriter.make_constant("split", value));
    rewriter.replace(split->output(1), rewriter.make_constant("split.1", value));
    EXPECT_EQ(graph->results()[0]->input(0).node().input(0).node().name(), "split");
    EXPECT_EQ(graph->results()[1]->input(0).node().input(0).node().name(), "split.1");
    check_graph(*graph);
}

TEST(Rewriter, InheritsTheNameOfANodeThatFellOut) {
    Chain c;
    const auto graph = c.b.graph();
    Rewriter rewriter(*graph);
    const NodePtr copy = rewriter.clone(c.relu.node(), {c.x});
    EXPECT_EQ(copy->name(), "relu_2");
    rewriter.inherit_name(c.relu.node_ptr(), *copy);
    EXPECT_EQ(copy->name(), "relu_2") << "the old one still lives";
    const NodePtr old = c.relu.node_ptr();
    rewriter.replace(c.tanh, rewriter.make<ops::Unary>("s", ops::UnaryFunction::sigmoid, copy));
    rewriter.inherit_name(old, *copy);
    EXPECT_EQ(copy->name(), "relu");
}

}  // namespace
}  // namespace rondo::passes::rewriter_test
