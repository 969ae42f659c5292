#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/runtime/ports.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/plugins/cpu/ordered_graph.hpp"

namespace rondo::test::fuse_transposes_test {
namespace {

using ops::CellType;

std::shared_ptr<cpu::StridedSequence> ordered_in(const Graph& graph) {
    for (const auto& node : graph.ordered_nodes()) {
        if (auto ordered = as<cpu::StridedSequence>(node)) return ordered;
    }
    return nullptr;
}

std::size_t transposes_in(const Graph& graph) {
    const auto ordered = ordered_in(graph);
    return ordered ? ordered->transposes().size() : 0;
}

std::shared_ptr<cpu::StridedSequence> order(Graph& graph) {
    EXPECT_TRUE(cpu::fuse_transposes(graph));
    graph.validate();
    check_graph(graph);
    EXPECT_FALSE(cpu::fuse_transposes(graph)) << "a second run changes nothing";
    return ordered_in(graph);
}

void expect_refused(Graph& graph, SourceLocation where = SourceLocation::current()) {
    expect_unchanged(graph, cpu::fuse_transposes, where);
}

//   x -> Transpose -> layer -> Transpose -> y   =>   x -> layer -> y
TEST(FuseTransposes, TakesInBothTransposes) {
    OrderedCase test;
    test.layer = {.batch = 3, .open = false, .with_lengths = true};
    const auto made = make_ordered(test);
    const auto ordered = order(*made.graph);
    ASSERT_NE(ordered, nullptr);
    EXPECT_EQ(count_nodes(*made.graph, "Transpose"), 0u);
    EXPECT_EQ(count_nodes(*made.graph, "LSTMSequence"), 0u);
    EXPECT_EQ(ordered->name(), "layer");
    EXPECT_EQ(ordered->sequence().name(), "layer");
    ASSERT_EQ(ordered->transposes().size(), 2u);
    EXPECT_EQ(ordered->transposes()[0].node->name(), "before");
    EXPECT_EQ(ordered->transposes()[1].node->name(), "behind");
    EXPECT_EQ(ordered->input_count(), 4u);  // x, h0, c0, lengths
    EXPECT_EQ(ordered->order().x, (std::vector<std::size_t>{1, 0, 2}));
    EXPECT_EQ(ordered->order().y, (std::vector<std::size_t>{2, 1, 0, 3}));
    const Output y = made.graph->results()[0]->input(0);
    EXPECT_EQ(y, ordered->output(0));
    EXPECT_EQ(y.names(), std::set<std::string>{"y"});
    EXPECT_EQ(to_string(y.shape()), "[7,1,3,12]");
}

TEST(FuseTransposes, TakesInOneOfThem) {
    OrderedCase before;
    before.y = {};
    EXPECT_EQ(order(*make_ordered(before).graph)->transposes().size(), 1u);
    OrderedCase behind;
    behind.x = {};
    EXPECT_EQ(order(*make_ordered(behind).graph)->transposes().size(), 1u);
}

// Every cell, direction, type and order of Y gives the bits of Transposes that copy.
TEST(FuseTransposes, KeepsEveryBit) {
    const Order orders[] = {{0, 2, 1, 3}, {1, 0, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}, {2, 1, 0, 3}};
    const ops::Direction directions[] = {ops::Direction::forward, ops::Direction::reverse,
                                         ops::Direction::bidirectional};
    for (const auto kind : {CellType::lstm, CellType::gru, CellType::rnn}) {
        for (const auto direction : directions) {
            for (const auto type : {ElementType::f32, ElementType::f64, ElementType::f16}) {
                for (const Order& y : orders) {
                    OrderedCase test;
                    test.kind = kind;
                    test.y = y;
                    test.layer.batch = 3;
                    test.layer.direction = direction;
                    test.layer.type = type;
                    test.layer.open = type == ElementType::f32;
                    test.layer.with_lengths = direction != ops::Direction::forward;
                    test.first = y[0] == 2;
                    test.last = y[1] != 2;
                    const auto together = make_ordered(test);
                    test.apart = true;
                    const auto apart = make_ordered(test);
                    EXPECT_EQ(transposes_in(*on_cpu(*apart.graph).executable->graph()), 0u);
                    EXPECT_NE(transposes_in(*on_cpu(*together.graph).executable->graph()), 0u);
                    const auto expected = on_cpu(*apart.graph).run(apart.inputs);
                    const auto actual = on_cpu(*together.graph).run(together.inputs);
                    for (std::size_t i = 0; i < expected.size(); ++i) {
                        expect_same(actual[i], expected[i]);
                    }
                }
            }
        }
    }
}

TEST(FuseTransposes, OpenShapesChangeFromRunToRun) {
    OrderedCase small, large;
    large.layer.batch = 6;
    large.layer.time = 15;
    auto device = on_cpu(*make_ordered(small).graph);
    for (const OrderedCase& test : {small, large, small}) {
        const auto made = make_ordered(test);
        const auto expected = on_reference(*make_ordered(small).graph).run(made.inputs);
        const auto actual = device.run(made.inputs);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expect_near(actual[i], expected[i], 1e-5, 1e-5);
        }
    }
}

TEST(FuseTransposes, CompressedWeightsStayNarrow) {
    OrderedCase test;
    test.layer.stored = ElementType::f16;
    EXPECT_NE(ordered_in(*on_cpu(*make_ordered(test).graph).executable->graph()), nullptr);
    EXPECT_EQ(kernel_of(*make_ordered(test).graph, "layer").substr(0, 5), "lstm_");
    EXPECT_NE(kernel_of(*make_ordered(test).graph, "layer").find("f16w"), std::string::npos);
}

//   h0 [2,N,H] -> Transpose -> layer -> Transpose -> ho [2,N,H], and c likewise
TEST(FuseTransposes, TakesInTheTransposesOfStates) {
    for (const auto kind : {CellType::lstm, CellType::gru}) {
        OrderedCase test;
        test.kind = kind;
        test.layer = {.direction = ops::Direction::bidirectional, .batch = 3, .open = false};
        test.x = test.y = {};
        test.first = test.last = true;
        const auto made = make_ordered(test);
        expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
        const auto ordered = order(*made.graph);
        EXPECT_EQ(count_nodes(*made.graph, "Transpose"), 0u);
        EXPECT_EQ(ordered->transposes().size(), kind == CellType::lstm ? 4u : 2u);
        EXPECT_EQ(ordered->order().first, (std::vector<std::size_t>{1, 0, 2}));
        EXPECT_EQ(ordered->order().last, (std::vector<std::size_t>{1, 0, 2}));
        EXPECT_EQ(to_string(made.graph->results()[1]->input(0).shape()), "[2,3,12]");
    }
}

//   layer -> Squeeze -> Transpose -> y   =>   layer -> Squeeze -> y
TEST(FuseTransposes, TakesInATransposeBehindTheSqueezeOfY) {
    for (const auto direction : {ops::Direction::forward, ops::Direction::bidirectional}) {
        const bool is_one = direction == ops::Direction::forward;
        StackMaker maker({.direction = direction});
        GraphBuilder& b = maker.builder();
        const Output x = maker.x();
        const std::int64_t directions = is_one ? 1 : 2;
        const std::vector<Output> states{
            maker.input("h", {2, static_cast<std::size_t>(directions), 12}, 1)};
        const auto layer = maker.layer("layer", CellType::gru, x, maker.full_lengths(x), states);
        const Output y =
            is_one ? b.squeeze(layer->output(0), {1})
                   : b.make<ops::Gather>("", layer->output(0),
                                         b.constant(scalar_of<std::int64_t>(0)), b.ints({1}));
        b.output("y", b.transpose(y, {1, 0, 2}, "behind"));
        b.output("z", b.make<ops::Unary>("", ops::UnaryFunction::tanh, b.transpose(y, {1, 0, 2})));
        const auto made = maker.finish();
        expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
        if (!is_one) {
            expect_refused(*made.graph);
            continue;
        }
        order(*made.graph);
        EXPECT_EQ(count_nodes(*made.graph, "Transpose"), 0u);
        EXPECT_EQ(made.graph->results()[0]->input(0).node().name(), "behind");
    }
}

// H and C lie in one order, so that both stay where only one is turned.
TEST(FuseTransposes, LeavesTheTransposeOfOneStateOfTwo) {
    OrderedCase test;
    test.layer.direction = ops::Direction::bidirectional;
    test.x = test.y = {};
    test.last = true;
    const auto made = make_ordered(test);
    const auto co = made.graph->results()[2]->input(0);
    made.graph->results()[2]->set_input(0, co.node().input(0));
    made.graph->validate();
    expect_refused(*made.graph);
}

// What nothing reads has no order.
TEST(FuseTransposes, TakesInTheTransposeOfTheOnlyStateThatIsRead) {
    StackMaker maker({.direction = ops::Direction::bidirectional});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x();
    const std::vector<Output> states{maker.input("h", {2, 2, 12}, 1),
                                     maker.input("c", {2, 2, 12}, 1)};
    const auto layer = maker.layer("layer", CellType::lstm, x, maker.full_lengths(x), states);
    b.output("y", layer->output(0));
    b.output("h_n", b.transpose(layer->output(1), {1, 0, 2}));
    const auto made = maker.finish();
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
    EXPECT_EQ(order(*made.graph)->transposes().size(), 1u);
}

// An output is still found by its producer's name.
TEST(FuseTransposes, NamelessOutputsKeepTheirProducersName) {
    const auto made = make_ordered({});
    const Output y = made.graph->results()[0]->input(0);
    y.set_names({});
    const auto device = on_cpu(*made.graph);
    const auto ports = output_ports(*device.executable->graph());
    EXPECT_EQ(device.executable->graph()->results()[0]->input(0).node().type_name(),
              "StridedSequence");
    EXPECT_EQ(ports[0].any_name(), "behind");
    EXPECT_EQ(ports[1].any_name(), "state_1");
}

// Two outputs of the model with names of their own may become one tensor.
TEST(FuseTransposes, OutputsOnEqualTransposesKeepTheirNames) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x();
    const Output y = maker.layer("layer", CellType::gru, x, maker.full_lengths(x))->output(0);
    b.output("a", b.transpose(y, {2, 1, 0, 3}));
    b.output("b", b.transpose(y, {2, 1, 0, 3}));
    const auto made = maker.finish();
    auto device = on_cpu(*made.graph);
    const auto ports = output_ports(*device.executable->graph());
    EXPECT_EQ(ports[0].names, std::vector<std::string>{"a"});
    EXPECT_EQ(ports[1].names, std::vector<std::string>{"b"});
    const auto results = device.run(made.inputs);
    const auto expected = on_reference(*made.graph).run(made.inputs);
    expect_near(results[0], expected[0], 1e-5, 1e-5);
    expect_same(results[1], results[0]);
}

struct StrategyCase {
    const char* strategy;  // on two threads
    std::size_t batch, time, hidden;
    ops::Direction direction;
};

// Strides under every strategy, and for a single row, which projects inputs on the side.
TEST(FuseTransposes, EveryStrategyGivesTheSameBits) {
    const StrategyCase cases[] = {
        {"serial", 1, 33, 24, ops::Direction::reverse},
        {"serial", 3, 1, 24, ops::Direction::forward},
        {"hidden_split", 1, 20, 256, ops::Direction::reverse},
        {"batch_split", 16, 20, 64, ops::Direction::forward},
        {"direction_split", 1, 40, 64, ops::Direction::bidirectional},
    };
    for (const StrategyCase& shape : cases) {
        OrderedCase test;
        test.layer.batch = shape.batch;
        test.layer.time = shape.time;
        test.layer.hidden = shape.hidden;
        test.layer.input = 40;
        test.layer.direction = shape.direction;
        const auto together = make_ordered(test);
        test.apart = true;
        const auto apart = make_ordered(test);
        const auto expected =
            on_cpu(*apart.graph, {{"INFERENCE_NUM_THREADS", "1"}}).run(apart.inputs);
        for (const char* threads : {"1", "2"}) {
            auto device = on_cpu(*together.graph, {{"INFERENCE_NUM_THREADS", threads}});
            for (int run = 0; run < 3; ++run) {
                const auto actual = device.run(together.inputs);
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    SCOPED_TRACE(shape.strategy);
                    expect_same(actual[i], expected[i]);
                }
            }
        }
    }
}

TEST(FuseTransposes, YThatNobodyWants) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2});
    b.output("ho", maker.layer("layer", CellType::gru, x, maker.full_lengths(x))->output(1));
    const auto made = maker.finish();
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
    EXPECT_NE(order(*made.graph), nullptr);
}

// I and H have to stay together; a Transpose that moves nothing is a view already.
TEST(FuseTransposes, OtherOrdersStay) {
    OrderedCase inner;
    inner.x = {0, 2, 1};
    inner.y = {0, 1, 3, 2};
    inner.layer.open = false;
    expect_refused(*make_ordered(inner).graph);
    OrderedCase still;
    still.x = {};
    still.y = {1, 0, 2, 3};
    still.layer.open = false;
    expect_refused(*make_ordered(still).graph);
}

TEST(FuseTransposes, YThatIsReadInTwoWaysStays) {
    OrderedCase test;
    test.x = {};
    test.y = {};
    for (const Order& second : {Order{}, Order{2, 0, 1, 3}}) {
        StackMaker maker(test.layer);
        GraphBuilder& b = maker.builder();
        const Output x = maker.x();
        const Output y = maker.layer("layer", CellType::gru, x, maker.full_lengths(x))->output(0);
        b.output("a", b.transpose(y, {2, 1, 0, 3}));
        b.output("b", second.empty() ? y : b.transpose(y, second));
        expect_refused(*maker.finish().graph);
    }
}

// X's Transpose goes in, those of Y, which disagree, stay.
TEST(FuseTransposes, OnlyTheTransposeOfXGoesIn) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2});
    const Output y = maker.layer("layer", CellType::gru, x, maker.full_lengths(x))->output(0);
    b.output("a", b.transpose(y, {2, 1, 0, 3}));
    b.output("b", b.transpose(y, {2, 0, 1, 3}));
    const auto made = maker.finish();
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
    const auto ordered = order(*made.graph);
    EXPECT_EQ(ordered->order().x, (std::vector<std::size_t>{1, 0, 2}));
    EXPECT_EQ(ordered->order().y, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(FuseTransposes, EqualTransposesBecomeOne) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x();
    const Output y = maker.layer("layer", CellType::gru, x, maker.full_lengths(x))->output(0);
    b.output("a", b.transpose(y, {2, 1, 0, 3}));
    b.output("b",
             b.make<ops::Unary>("", ops::UnaryFunction::sigmoid, b.transpose(y, {2, 1, 0, 3})));
    const auto made = maker.finish();
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
    EXPECT_EQ(order(*made.graph)->transposes().size(), 2u);
}

// Another node may read the transposed X.
TEST(FuseTransposes, TheTransposeBeforeMayStayForOthers) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2});
    b.output("y", maker.layer("layer", CellType::gru, x, maker.full_lengths(x))->output(0));
    b.output("x_turned", b.make<ops::Unary>("", ops::UnaryFunction::sigmoid, x));
    const auto made = maker.finish();
    EXPECT_NE(order(*made.graph), nullptr);
    EXPECT_EQ(count_nodes(*made.graph, "Transpose"), 1u);
}

TEST(FuseTransposes, WeightsThatComeWithEachRunStayOut) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2});
    const auto layer = maker.layer("layer", CellType::rnn, x, maker.full_lengths(x));
    layer->set_input(4, maker.input("r", {1, 12, 12}, 0));
    b.output("y", layer->output(0));
    expect_refused(*maker.finish().graph);
}

}  // namespace
}  // namespace rondo::test::fuse_transposes_test
