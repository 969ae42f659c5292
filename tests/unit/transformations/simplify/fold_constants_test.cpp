#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::fold_constants_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_same;
using test::expect_unchanged;
using test::GraphBuilder;
using test::tensor_of;

constexpr std::size_t kBudget = 16 << 20;  // of a graph with small constants

Output scalar(GraphBuilder& b, std::int64_t value) {
    return b.constant(tensor_of<std::int64_t>({}, {value}));
}

TEST(FoldConstants, ComputesWhatDependsOnConstantsAlone) {
    // x + relu([-1,2] + [3,4])   =>   x + [2,6]
    GraphBuilder b;
    const Output sum = b.make<ops::Binary>("sum", ops::BinaryFunction::add,
                                           b.constant(tensor_of<float>({2}, {-5, 2})),
                                           b.constant(tensor_of<float>({2}, {3, 4})));
    const Output relu = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, sum);
    b.output("y", b.make<ops::Binary>("add", ops::BinaryFunction::add, b.input("x", "[2]"), relu));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    const Node& folded = graph->results()[0]->input(0).node().input(1).node();
    EXPECT_EQ(folded.name(), "relu");
    expect_same(folded.known_value(0), tensor_of<float>({2}, {0, 6}));
    EXPECT_EQ(graph->ordered_nodes().size(), 4U);
}

TEST(FoldConstants, DrawsNoNumbers) {
    GraphBuilder b;
    const Output zero = b.constant(tensor_of<float>({}, {0}));
    const Output one = b.constant(tensor_of<float>({}, {1}));
    b.output("y", b.make<ops::RandomUniform>("draw", b.ints({3}), zero, one, ElementType::f32,
                                             ops::RandomSeed{7, 7}));
    expect_unchanged(*b.graph(), fold_constants);
}

TEST(FoldConstants, FoldsEachOutputThatIsRead) {
    GraphBuilder b;
    const auto split =
        b.make<ops::Split>("split", b.constant(tensor_of<float>({3}, {1, 2, 3})), scalar(b, 0), 3);
    const Output x = b.input("x", "[1]");
    b.output("y", b.make<ops::Binary>("a", ops::BinaryFunction::add, x, split->output(0)));
    b.output("z", b.make<ops::Binary>("b", ops::BinaryFunction::add, x, split->output(2)));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    EXPECT_EQ(count_nodes(*graph, "Split"), 0U);
    const Node& last = graph->results()[1]->input(0).node().input(1).node();
    EXPECT_EQ(last.name(), "split.2");
    expect_same(last.known_value(0), tensor_of<float>({1}, {3}));
}

TEST(FoldConstants, KnowsTheShapeOfWhatItDoesNotKnow) {
    // Gather(ShapeOf(x [2,3]), 1)   =>   3
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("shape", b.input("x", "[2,3]"));
    b.output("y", b.make<ops::Gather>("three", shape, scalar(b, 1), scalar(b, 0)));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    const Node& folded = graph->results()[0]->input(0).node();
    EXPECT_EQ(folded.name(), "three");
    expect_same(folded.known_value(0), tensor_of<std::int64_t>({}, {3}));
}

TEST(FoldConstants, LeavesWhatIsNotConstant) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?]");
    b.output("y", b.make<ops::Binary>("add", ops::BinaryFunction::add, x,
                                      b.constant(tensor_of<float>({}, {1}))));
    b.output("z", b.make<ops::ShapeOf>("shape", x));
    b.output("c", b.ints({1}));
    expect_unchanged(*b.graph(), fold_constants);
}

TEST(FoldConstants, LeavesResultsThatWouldBlowUp) {
    GraphBuilder b;
    const Output one = b.constant(tensor_of<float>({}, {1}));
    b.output("large", b.make<ops::Broadcast>("large", one, b.ints({128, 129})));
    expect_unchanged(*b.graph(), fold_constants);
    GraphBuilder c;
    const Output two = c.constant(tensor_of<float>({}, {2}));
    c.output("small", c.make<ops::Broadcast>("small", two, c.ints({128, 128})));
    const auto small = c.graph();
    expect_rewritten(*small, fold_constants);
    EXPECT_EQ(count_nodes(*small, "Broadcast"), 0U);
}

TEST(FoldConstants, HostileShapesTakeNoMemory) {
    GraphBuilder b;
    const Output one = b.constant(tensor_of<float>({}, {1}));
    const auto large = b.make<ops::Broadcast>("large", one, b.ints({1 << 20, 1 << 20}));
    b.output("large", large);
    expect_unchanged(*b.graph(), fold_constants);
}

TEST(FoldConstants, CountsAnInputReadTwiceOnce) {
    // Five times t [64,64] is five times as much as t.
    GraphBuilder b;
    const Output t = b.constant(Tensor(ElementType::f32, {64, 64}));
    b.output("y", b.make<ops::Concat>("five", std::vector<Output>(5, t), 0));
    expect_unchanged(*b.graph(), fold_constants);
}

// t = Concat(t, t), again and again.
Output doubled(GraphBuilder& b, Output t, int times) {
    for (int i = 0; i < times; ++i) t = b.make<ops::Concat>("", std::vector<Output>{t, t}, 0);
    return t;
}

std::size_t constant_bytes(const Graph& graph) {
    std::size_t bytes = 0;
    for (const auto& node : graph.ordered_nodes()) {
        if (const auto constant = as<ops::Constant>(node)) bytes += constant->value().byte_size();
    }
    return bytes;
}

TEST(FoldConstants, DoublingStopsAtTheBudget) {
    GraphBuilder b;  // 4 KiB, 13 times doubled: 32 MiB
    b.output("y", doubled(b, b.constant(Tensor(ElementType::f32, {1024})), 13));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    EXPECT_GT(count_nodes(*graph, "Concat"), 0U);
    EXPECT_LE(constant_bytes(*graph), kBudget);
}

TEST(FoldConstants, HostileChainsTakeNoMemory) {
    GraphBuilder b;
    b.output("y", doubled(b, b.constant(Tensor(ElementType::f32, {1024})), 37));
    const auto graph = b.graph();
    EXPECT_TRUE(fold_constants(*graph));
    for (int round = 0; round < 3; ++round) expect_unchanged(*graph, fold_constants);
    EXPECT_LE(constant_bytes(*graph), kBudget);
}

TEST(FoldConstants, ACopyOfTheGraphKeepsTheLimit) {
    GraphBuilder b;
    b.output("y", doubled(b, b.constant(Tensor(ElementType::f32, {1024})), 37));
    const auto graph = b.graph();
    EXPECT_TRUE(fold_constants(*graph));
    const auto copy = graph->clone();
    EXPECT_EQ(copy->constants_limit(), kBudget);
    expect_unchanged(*copy, fold_constants);
}

TEST(FoldConstants, ManyCopiesStopAtTheBudget) {
    GraphBuilder b;
    const Output w = b.constant(Tensor(ElementType::f32, {512, 1024}));  // 2 MiB
    for (int i = 0; i < 12; ++i) {
        b.output("y" + std::to_string(i), b.transpose(w, {1, 0}));
    }
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 6U);  // w, six of them and the orders fit
}

// Each branch would fold to 8 MiB: the bodies share the graph's limit.
TEST(FoldConstants, BodiesShareTheBudget) {
    const auto branch = [] {
        GraphBuilder body;
        body.output("t", doubled(body, body.constant(Tensor(ElementType::f32, {1024})), 11));
        return body.graph();
    };
    GraphBuilder b;
    const Output condition = b.input("c", "", ElementType::boolean);
    for (int i = 0; i < 3; ++i) {
        const ops::BodyPorts ports{{}, {{0, 0, {}}}};
        const auto choice = b.make<ops::If>(
            "if" + std::to_string(i), std::vector<Output>{condition},
            std::vector<GraphPtr>{branch(), branch()}, std::vector<ops::BodyPorts>{ports, ports});
        b.output("y" + std::to_string(i), choice->output(0));
    }
    const auto graph = b.graph();
    EXPECT_TRUE(fold_constants(*graph));
    EXPECT_GT(ops::constant_bytes(*graph), kBudget / 2);
    EXPECT_LE(ops::constant_bytes(*graph), kBudget);
    expect_unchanged(*graph, fold_constants);
}

TEST(FoldConstants, WhatFallsOutGivesItsBytesBack) {
    GraphBuilder b;
    Output w = b.constant(Tensor(ElementType::f32, {512, 1024}));  // 2 MiB
    for (int i = 0; i < 12; ++i) w = b.transpose(w, {1, 0});
    b.output("y", w);
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
}

// Each step takes the place of the one before.
TEST(FoldConstants, LargeCompressedWeightsFitTheBudget) {
    GraphBuilder b;
    test::Rng rng{5};
    const Output bytes = b.constant(test::random_tensor(ElementType::u8, {2200, 2000}, rng));
    const Output wide = b.make<ops::Convert>("wide", bytes, ElementType::f32);
    const Output less = b.make<ops::Binary>("less", ops::BinaryFunction::subtract, wide,
                                            b.constant(test::scalar_of<float>(3)));
    b.output("y", b.make<ops::Binary>("scaled", ops::BinaryFunction::multiply, less,
                                      b.constant(test::scalar_of<float>(0.5F))));
    const auto graph = b.graph();
    EXPECT_TRUE(fold_constants(*graph));
    graph->validate();
    EXPECT_EQ(count_nodes(*graph, "Multiply"), 0u);
}

TEST(FoldConstants, ShapesCountAsConstantsToo) {
    // Gather(ShapeOf(x), 1) + 1: the shape has more bytes than all constants.
    GraphBuilder b;
    const Output shape = b.make<ops::ShapeOf>("shape", b.input("x", "[2,3,1,1,1]"));
    const Output three = b.make<ops::Gather>("three", shape, scalar(b, 1), scalar(b, 0));
    b.output("y", b.make<ops::Binary>("four", ops::BinaryFunction::add, three, scalar(b, 1)));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    EXPECT_EQ(count_nodes(*graph, "Add"), 0U);
}

TEST(FoldConstants, LargeWeightsAreReordered) {
    GraphBuilder b;
    test::Rng rng(1);
    const Output w = b.constant(test::random_tensor(ElementType::f32, {256, 128}, rng));
    b.output("y", b.make<ops::Binary>("add", ops::BinaryFunction::add, b.input("x", "[128,256]"),
                                      b.transpose(w, {1, 0})));
    const auto graph = b.graph();
    expect_rewritten(*graph, fold_constants);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
}

TEST(FoldConstants, HalfPrecisionWeightsStayHalf) {
    GraphBuilder b;
    const Output w = b.constant(tensor_of<float16, double>({2}, {1, 2}));
    const auto decompress = b.make<ops::Convert>("decompress", w, ElementType::f32);
    decompress->rt_info()["decompression"] = "";
    b.output("y",
             b.make<ops::Binary>("add", ops::BinaryFunction::add, b.input("x", "[2]"), decompress));
    const auto graph = b.graph();
    expect_unchanged(*graph, fold_constants);
    decompress->rt_info().clear();
    expect_rewritten(*graph, fold_constants);
    EXPECT_EQ(count_nodes(*graph, "Convert"), 0U);
}

TEST(FoldConstants, LeavesRecurrentOpsToTheDevice) {
    GraphBuilder b;
    const auto zeros = [&](const Shape& shape) {
        return b.constant(Tensor(ElementType::f32, shape));
    };
    auto rnn = std::make_shared<ops::RNNSequence>(
        std::vector<Output>{zeros({1, 2, 3}), zeros({1, 1, 4}), b.ints({2}), zeros({1, 4, 3}),
                            zeros({1, 4, 4}), zeros({1, 4})});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = 4;
    rnn->set_attributes(attributes);
    rnn->set_name("rnn");
    rnn->validate();
    b.output("y", rnn->output(0));
    expect_unchanged(*b.graph(), fold_constants);
}

TEST(FoldConstants, SaysWhereConstantsAreForbidden) {
    GraphBuilder b;
    const Output data = b.constant(tensor_of<float>({2}, {1, 2}));
    const Output index = b.constant(tensor_of<std::int64_t>({1}, {5}));
    b.output("y", b.make<ops::Gather>("bad_gather", data, index, scalar(b, 0)));
    test::expect_error<ModelError>([&] { fold_constants(*b.graph()); }, "bad_gather");
}

}  // namespace
}  // namespace rondo::passes::fold_constants_test
