#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes::sink_constants_test {
namespace {

using namespace test;  // NOLINT: tests only

// The second branch of choice() gets a constant for y.
std::shared_ptr<Graph> choice_of_constant() {
    const auto graph = choice("2,3", "2,3");
    GraphBuilder builder;
    auto& node = find<ops::If>(*graph, "choice");
    node.set_input(2, builder.constant(tensor_of<float>({1, 3}, {4, 5, 6}), "weights"));
    graph->validate();
    return std::make_shared<Graph>(
        "test", std::vector<NodePtr>{graph->parameters()[0], graph->parameters()[1]},
        graph->results());
}

TEST(SinkConstants, ABranchGetsAConstantOfItsOwn) {
    const auto graph = choice_of_constant();
    const Tensor x = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    expect_rewritten(*graph, sink_constants, {scalar_of<bool>(false), x});
    const auto& node = find<ops::If>(*graph, "choice");
    EXPECT_EQ(node.input_count(), 2u);
    const Graph& branch = *node.bodies()[1];
    EXPECT_EQ(branch.parameters().size(), 1u);
    EXPECT_EQ(count_nodes(branch, "Const"), 1u);
    EXPECT_EQ(node.bodies()[0]->parameters().size(), 1u);
}

// (x [3], w) -> x + w, walking over x; the first input is the constant.
TEST(SinkConstants, PortsBehindTheConstantMoveUp) {
    GraphBuilder body, builder;
    const Output w = body.input("w", "1"), part = body.input("part", "1");
    body.output("sum", add(body, part, w));
    const std::vector<Output> inputs{builder.constant(tensor_of<float>({1}, {10})),
                                     builder.input("x", "3")};
    const auto node = builder.make<ops::TensorIterator>(
        "walk", inputs, body.graph(),
        ops::BodyPorts{{{0, 0, {}, {}}, {1, 1, ops::PartRange{}, {}}}, {{0, 0, ops::PartRange{}}}});
    builder.output("y", node->output(0));
    const auto graph = builder.graph();
    expect_rewritten(*graph, sink_constants);
    EXPECT_EQ(node->input_count(), 1u);
    EXPECT_EQ(ops::to_text(node->body_ports()),
              "(0 -> 0 each [axis=0, start=0, stride=1, part_size=1, end=-1]; 0 -> 0 joined "
              "[axis=0, start=0, stride=1, part_size=1, end=-1])");
}

// A loop keeps its first two inputs, and the number of the iteration its parameter.
TEST(SinkConstants, ALoopKeepsItsCountAndCondition) {
    GraphBuilder body, builder;
    const Output w = body.input("w", "2");
    const Output i = body.input("i", "", ElementType::i64);
    const Output x = body.input("x", "2");
    const Output number = body.make<ops::Convert>("number", i, ElementType::f32);
    body.output("more", flag(body, true));
    body.output("next", add(body, add(body, x, w), number));
    const std::vector<Output> inputs{i64(builder, 3), flag(builder, true),
                                     builder.constant(tensor_of<float>({2}, {1, 2})),
                                     builder.input("x", "2")};
    const auto loop = builder.make<ops::Loop>(
        "loop", inputs, body.graph(), ops::BodyPorts{{{2, 0, {}, {}}, {3, 2, {}, 1}}, {{0, 1, {}}}},
        ops::LoopPorts{1, 0});
    builder.output("y", loop->output(0));
    const auto graph = builder.graph();
    expect_rewritten(*graph, sink_constants);
    EXPECT_EQ(loop->input_count(), 3u);
    EXPECT_EQ(loop->iteration_parameter(), 0u);
}

// What is carried or cut into parts changes from iteration to iteration.
TEST(SinkConstants, LeavesWhatChangesInTheLoop) {
    const auto graph = running_sum(false, "2,3,2", "2,2");
    GraphBuilder builder;
    auto& node = find<ops::TensorIterator>(*graph, "walk");
    node.set_input(0, builder.constant(Tensor(ElementType::f32, {2, 3, 2}), "x_known"));
    node.set_input(1, builder.constant(Tensor(ElementType::f32, {2, 2}), "h_known"));
    graph->validate();
    expect_unchanged(*graph, sink_constants);
}

}  // namespace
}  // namespace rondo::passes::sink_constants_test
