// Tests a part of transformations/simplify/unroll.cpp.
#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes::unroll_if_test {
namespace {

using namespace test;  // NOLINT: tests only

// choice() with a condition that is known.
std::shared_ptr<Graph> settled_choice(bool value) {
    const auto graph = choice("2,3", "2,3");
    GraphBuilder builder;
    find<ops::If>(*graph, "choice").set_input(0, flag(builder, value));
    graph->validate();
    return std::make_shared<Graph>(
        "test", std::vector<NodePtr>{graph->parameters()[1], graph->parameters()[2]},
        graph->results());
}

// x -> If(true) [x + 1 | x + y] -> y_out   becomes   x -> Add(1) -> y_out
TEST(UnrollIf, TheBranchThatIsTakenStays) {
    const auto graph = settled_choice(true);
    expect_rewritten(*graph, unroll_if);
    EXPECT_EQ(count_nodes(*graph, "If"), 0u);
    EXPECT_EQ(count_nodes(*graph, "Add"), 1u);
    const Node& source = graph->results()[0]->input(0).node();
    EXPECT_EQ(source.name(), "choice");
    EXPECT_EQ(source.input(0), graph->parameters()[0]->output(0));
}

// x, y -> If(false) [x + 1 | x + y] -> y_out   becomes   x, y -> Add -> y_out
TEST(UnrollIf, AlsoTheOtherOne) {
    const auto graph = settled_choice(false);
    expect_rewritten(*graph, unroll_if);
    EXPECT_EQ(graph->results()[0]->input(0).node().type_name(), "Add");
    for (const NodePtr& parameter : graph->parameters()) EXPECT_TRUE(parameter->has_consumers());
}

// Tanh "plus" -> If(true) [two outputs: Add "plus", Tanh of it] -> Tanh: names stay unique.
TEST(UnrollIf, SeveralOutputsGetNamesOfTheirOwn) {
    GraphBuilder yes, no, builder;
    const Output yes_x = yes.input("bx", "2");
    const Output plus = yes.make<ops::Binary>("plus", ops::BinaryFunction::add, yes_x,
                                              yes.constant(scalar_of<float>(1)));
    yes.output("sum", plus);
    yes.output("bent", yes.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, plus));
    const Output no_x = no.input("bx", "2");
    no.output("sum", no_x);
    no.output("bent", no_x);
    const Output x =
        builder.make<ops::Unary>("plus", ops::UnaryFunction::tanh, builder.input("x", "2"));
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}, {1, 1, {}}}};
    const auto node = builder.make<ops::If>("choice", std::vector<Output>{flag(builder, true), x},
                                            std::vector<GraphPtr>{yes.graph(), no.graph()},
                                            std::vector<ops::BodyPorts>{ports, ports});
    builder.output("a", node->output(0));
    builder.output("b",
                   builder.make<ops::Unary>("last", ops::UnaryFunction::tanh, node->output(1)));
    const auto graph = builder.graph();
    expect_rewritten(*graph, unroll_if);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "choice");
    std::vector<std::string> names;
    for (const auto& one : graph->ordered_nodes()) names.push_back(one->name());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

// The inner choice of a branch is settled in the next round.
TEST(UnrollIf, ABranchMayHaveAChoiceOfItsOwn) {
    const auto inner = settled_choice(true);
    GraphBuilder no, builder;
    const Output no_x = no.input("bx", "2,3");
    no.input("by", "2,3");
    no.output("same", no_x);
    const ops::BodyPorts ports{{{1, 0, {}, {}}, {2, 1, {}, {}}}, {{0, 0, {}}}};
    const std::vector<Output> inputs{flag(builder, true), builder.input("x", "2,3"),
                                     builder.input("y", "2,3")};
    const auto node =
        builder.make<ops::If>("outer", inputs, std::vector<GraphPtr>{inner, no.graph()},
                              std::vector<ops::BodyPorts>{ports, ports});
    builder.output("z", node->output(0));
    const auto graph = builder.graph();
    expect_rewritten(*graph, [](Graph& own) {
        bool changed = false;
        while (unroll_if(own)) changed = true;
        return changed;
    });
    EXPECT_EQ(count_nodes(*graph, "If"), 0u);
    EXPECT_EQ(count_nodes(*graph, "Add"), 1u);
}

// The condition is an input.
TEST(UnrollIf, LeavesAnOpenChoice) { expect_unchanged(*choice("2,3", "2,3"), unroll_if); }

// The branch hands on an input of the model to an output.
TEST(UnrollIf, LeavesAnInputThatWouldBecomeAnOutput) {
    GraphBuilder yes, no, builder;
    yes.output("same", yes.input("bx", "2"));
    no.output("same", no.input("bx", "2"));
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    const auto node = builder.make<ops::If>(
        "choice", std::vector<Output>{flag(builder, true), builder.input("x", "2")},
        std::vector<GraphPtr>{yes.graph(), no.graph()}, std::vector<ops::BodyPorts>{ports, ports});
    builder.output("y", node->output(0));
    expect_unchanged(*builder.graph(), unroll_if);
}

// Two outputs of the model are one value of the branch.
TEST(UnrollIf, LeavesOutputsThatWouldBecomeOne) {
    GraphBuilder yes, no, builder;
    const Output bent =
        yes.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, yes.input("bx", "2"));
    yes.output("a", bent);
    yes.output("b", bent);
    const Output no_x = no.input("bx", "2");
    no.output("a", no_x);
    no.output("b", no_x);
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}, {1, 1, {}}}};
    const auto node = builder.make<ops::If>(
        "choice", std::vector<Output>{flag(builder, true), builder.input("x", "2")},
        std::vector<GraphPtr>{yes.graph(), no.graph()}, std::vector<ops::BodyPorts>{ports, ports});
    builder.output("y", node->output(0));
    builder.output("z", node->output(1));
    expect_unchanged(*builder.graph(), unroll_if);
}

}  // namespace
}  // namespace rondo::passes::unroll_if_test
