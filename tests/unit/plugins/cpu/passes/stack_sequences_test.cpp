#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test::stack_sequences_test {
namespace {

using ops::CellType;

std::vector<std::shared_ptr<cpu::SequenceStack>> stacks_of(const Graph& graph) {
    std::vector<std::shared_ptr<cpu::SequenceStack>> stacks;
    for (const auto& node : graph.ordered_nodes()) {
        if (const auto stack = as<cpu::SequenceStack>(node)) stacks.push_back(stack);
    }
    return stacks;
}

// Runs the pass, and says which layers it joined: "a + b".
std::vector<std::string> joined(Graph& graph) {
    cpu::stack_sequences(graph);
    graph.validate();
    check_graph(graph);
    std::vector<std::string> names;
    for (const auto& stack : stacks_of(graph)) names.push_back(stack->name());
    EXPECT_FALSE(cpu::stack_sequences(graph)) << "a second run changes nothing";
    return names;
}

void expect_refused(Graph& graph, SourceLocation where = SourceLocation::current()) {
    expect_unchanged(graph, cpu::stack_sequences, where);
}

const std::vector<std::string> kBoth{"layer_0 + layer_1"};

//   x              x
//   |              |
//   layer_0        |
//   Squeeze   ->   layer_0 + layer_1
//   |
//   layer_1
TEST(StackSequences, JoinsLayersThatFeedEachOther) {
    const auto made = make_stacked({});
    ASSERT_TRUE(cpu::stack_sequences(*made.graph));
    made.graph->validate();
    check_graph(*made.graph);
    const auto stacks = stacks_of(*made.graph);
    ASSERT_EQ(stacks.size(), 1u);
    const auto& stack = *stacks[0];
    EXPECT_EQ(stack.name(), "layer_0 + layer_1");
    ASSERT_EQ(stack.layers().size(), 2u);
    EXPECT_EQ(stack.layers()[0]->name(), "layer_0");
    EXPECT_EQ(stack.layers()[1]->type_name(), "GRUSequence");
    EXPECT_EQ(stack.input_count(), 5u);   // x, lengths, h0 and c0, h0
    EXPECT_EQ(stack.output_count(), 5u);  // y, ho and co, y and ho
    EXPECT_EQ(count_nodes(*made.graph, "LSTMSequence"), 0u);
    EXPECT_EQ(count_nodes(*made.graph, "GRUSequence"), 0u);
    const char* names[] = {"y_0", "ho_0", "co_0", "y_1", "ho_1"};
    for (std::size_t i = 0; i < 5; ++i) {
        const Output source = made.graph->results()[i]->input(0);
        EXPECT_EQ(source, stacks[0]->output(i));
        EXPECT_EQ(source.names(), std::set<std::string>{names[i]});
        EXPECT_EQ(source.shape(), source.node().output_shape(i));
    }
    EXPECT_FALSE(cpu::stack_sequences(*made.graph));
}

// The bits of layers that a product with 1 keeps apart.
TEST(StackSequences, KeepsEveryBit) {
    for (const bool lengths : {false, true}) {
        for (const auto direction : {ops::Direction::forward, ops::Direction::reverse}) {
            StackedCase test;
            test.kinds = {CellType::rnn, CellType::lstm, CellType::gru};
            test.direction = direction;
            test.with_lengths = lengths;
            const auto together = make_stacked(test), apart = make_apart(test);
            const auto expected = on_cpu(*apart.graph).run(apart.inputs);
            const auto actual = on_cpu(*together.graph).run(together.inputs);
            for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
            EXPECT_EQ(joined(*together.graph).size(), 1u);
            expect_refused(*apart.graph);
        }
    }
}

TEST(StackSequences, NobodyElseNeedsTheLowerLayer) {
    StackedCase test;
    test.inner_results = false;
    const auto made = make_stacked(test);
    EXPECT_EQ(joined(*made.graph), kBoth);
}

TEST(StackSequences, KnownShapes) {
    StackedCase test;
    test.open = false;
    EXPECT_EQ(joined(*make_stacked(test).graph), kBoth);
}

TEST(StackSequences, ReverseOnReverse) {
    StackedCase test;
    test.direction = ops::Direction::reverse;
    EXPECT_EQ(joined(*make_stacked(test).graph), kBoth);
}

TEST(StackSequences, CompressedWeights) {
    StackedCase test;
    test.stored = ElementType::f16;
    EXPECT_EQ(joined(*make_stacked(test).graph), kBoth);
}

TEST(StackSequences, LongChainsAreCut) {
    StackedCase test;
    test.kinds = std::vector<CellType>(11, CellType::rnn);
    const auto names = joined(*make_stacked(test).graph);
    ASSERT_EQ(names.size(), 2u);
    EXPECT_EQ(names[1], "layer_8 + layer_9 + layer_10");
    test.kinds.resize(9);  // the ninth stays alone
    const auto nine = make_stacked(test);
    EXPECT_EQ(joined(*nine.graph).size(), 1u);
    EXPECT_EQ(count_nodes(*nine.graph, "RNNSequence"), 1u);
}

TEST(StackSequences, BothDirectionsAreLeftAlone) {
    StackMaker maker({.direction = ops::Direction::bidirectional, .hidden = 6});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto states = [&] { return std::vector<Output>{maker.input("", {2, 2, 6}, 1)}; };
    const auto lower = maker.layer("lower", CellType::gru, x, lengths, states());
    const Output y = b.reshape(b.transpose(lower->output(0), {0, 2, 1, 3}), {0, 0, 12});
    const auto upper = maker.layer("upper", CellType::gru, y, lengths, states());
    b.output("y", upper->output(0));
    expect_refused(*maker.finish().graph);
}

// Two layers with `join` between Y of the first and X of the second, over [2,7] rows and steps.
template <typename Join>
std::shared_ptr<Graph> joined_by(Join&& join, bool open = false) {
    StackMaker maker({.open = open});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = b.ints({7, 7});
    const auto lower = maker.layer("layer_0", CellType::gru, x, lengths);
    const auto upper = maker.layer("layer_1", CellType::gru, join(b, lower->output(0)), lengths);
    b.output("y", upper->output(0));
    return maker.finish().graph;
}

TEST(StackSequences, ViewsBetweenTheLayers) {
    EXPECT_EQ(joined(*joined_by([](GraphBuilder& b, const Output& y) {
                  return b.reshape(y, {2, 7, 12});
              })),
              kBoth);
    EXPECT_EQ(
        joined(*joined_by([](GraphBuilder& b, const Output& y) {
            return b.squeeze(b.transpose(y, {1, 0, 2, 3}), {0});  // moves an axis of extent 1 alone
        })),
        kBoth);
    EXPECT_EQ(joined(*joined_by([](GraphBuilder& b, const Output& y) { return b.squeeze(y, {1}); },
                                true)),
              kBoth);
}

TEST(StackSequences, RowsThatBecomeSteps) {
    StackedCase square{.batch = 7, .open = false};  // N = T: nothing shows in the shapes
    StackMaker maker(square);
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = b.ints(std::vector<std::int64_t>(7, 7));
    const auto lower = maker.layer("layer_0", CellType::gru, x, lengths);
    const Output y = b.transpose(b.squeeze(lower->output(0), {1}), {1, 0, 2});
    b.output("y", maker.layer("layer_1", CellType::gru, y, lengths)->output(0));
    expect_refused(*maker.finish().graph);
}

// The same elements, cut into other rows.
TEST(StackSequences, RowsThatAreCutAnew) {
    StackMaker maker({.batch = 2, .time = 8, .open = false});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x();
    const auto lower = maker.layer("layer_0", CellType::gru, x, b.ints({8, 8}));
    const Output y = b.reshape(lower->output(0), {4, 4, 12});
    const Output h0 = b.constant(Tensor(ElementType::f32, {4, 1, 12}));
    const auto upper = maker.layer("layer_1", CellType::gru, y, b.ints({4, 4, 4, 4}), {h0});
    b.output("y", upper->output(0));
    expect_refused(*maker.finish().graph);
}

TEST(StackSequences, AnOpBetweenTheLayers) { expect_refused(*make_apart({}).graph); }

// Full lengths below, and lengths of its own above.
TEST(StackSequences, OtherLengths) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x();
    const Output lengths = b.input("lengths", "[?]", ElementType::i64);
    const auto lower = maker.layer("layer_0", CellType::gru, x, maker.full_lengths(x));
    const auto upper = maker.layer("layer_1", CellType::gru, maker.handed_on(lower), lengths);
    b.output("y", upper->output(0));
    expect_refused(*maker.finish().graph);
}

TEST(StackSequences, EqualConstantLengths) {
    for (const std::int64_t other : {3, 2}) {
        StackMaker maker({.open = false});
        GraphBuilder& b = maker.builder();
        const auto lower = maker.layer("layer_0", CellType::gru, maker.x(), b.ints({3, 7}));
        const auto upper =
            maker.layer("layer_1", CellType::gru, maker.handed_on(lower), b.ints({other, 7}));
        b.output("y", upper->output(0));
        EXPECT_EQ(joined(*maker.finish().graph).size(), other == 3 ? 1u : 0u);
    }
}

TEST(StackSequences, TheOtherDirection) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto lower = maker.layer("layer_0", CellType::gru, x, lengths);
    const auto upper = maker.layer("layer_1", CellType::gru, maker.handed_on(lower), lengths);
    const auto op = as<ops::GRUSequence>(upper);
    auto attributes = op->attributes();
    attributes.direction = ops::Direction::reverse;
    op->set_attributes(attributes);
    b.output("y", upper->output(0));
    expect_refused(*maker.finish().graph);
}

// As between an encoder and a decoder.
TEST(StackSequences, AStateThatComesFromTheLayerBelow) {
    for (const std::size_t port : {1, 2}) {
        StackMaker maker({});
        GraphBuilder& b = maker.builder();
        const Output x = maker.x(), lengths = maker.full_lengths(x);
        const auto lower = maker.layer("layer_0", CellType::lstm, x, lengths);
        std::vector<Output> states{maker.state("h0"), maker.state("c0")};
        states[port - 1] = b.make<ops::Unary>("", ops::UnaryFunction::tanh, lower->output(port));
        const auto upper =
            maker.layer("layer_1", CellType::lstm, maker.handed_on(lower), lengths, states);
        b.output("y", upper->output(0));
        expect_refused(*maker.finish().graph);
    }
}

// Each chain could be joined alone; both would wait for each other.
TEST(StackSequences, ChainsThatCrossAreJoinedOnce) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto a0 = maker.layer("a0", CellType::gru, x, lengths);
    const auto b0 = maker.layer("b0", CellType::gru, x, lengths);
    const auto a1 = maker.layer("a1", CellType::gru, maker.handed_on(a0), lengths, {b0->output(1)});
    const auto b1 = maker.layer("b1", CellType::gru, maker.handed_on(b0), lengths, {a0->output(1)});
    b.output("a", a1->output(0));
    b.output("b", b1->output(0));
    const auto graph = maker.finish().graph;
    EXPECT_EQ(joined(*graph).size(), 1u);
    EXPECT_EQ(count_nodes(*graph, "GRUSequence"), 2u);
}

TEST(StackSequences, TwoLayersAboveOne) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto lower = maker.layer("lower", CellType::gru, x, lengths);
    const Output y = maker.handed_on(lower);
    const auto left = maker.layer("left", CellType::gru, y, lengths);
    const auto right = maker.layer("right", CellType::gru, y, lengths);
    b.output("left_y", left->output(0));
    b.output("right_y", right->output(0));
    const StackedGraph made = maker.finish();
    const auto expected = on_reference(*made.graph).run(made.inputs);
    const auto actual = on_cpu(*made.graph).run(made.inputs);
    for (std::size_t i = 0; i < 2; ++i) expect_near(actual[i], expected[i], 4e-6, 0);
    EXPECT_EQ(joined(*made.graph).size(), 1u);
    EXPECT_EQ(count_nodes(*made.graph, "GRUSequence"), 1u);
}

TEST(StackSequences, WeightsThatAreNoConstants) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto lower = maker.layer("layer_0", CellType::gru, x, lengths);
    const auto upper = maker.layer("layer_1", CellType::gru, maker.handed_on(lower), lengths);
    const auto& op = dynamic_cast<const ops::RecurrentOp&>(*upper);
    upper->set_input(op.r_port(), maker.input("r", {1, 36, 12}, 0));
    b.output("y", upper->output(0));
    expect_refused(*maker.finish().graph);
}

}  // namespace
}  // namespace rondo::test::stack_sequences_test
