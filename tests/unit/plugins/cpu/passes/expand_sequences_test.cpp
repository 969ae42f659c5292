#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <unordered_set>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/runtime/ports.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/plugins/cpu/ordered_graph.hpp"

namespace rondo::test::expand_sequences_test {
namespace {

using ops::CellType;
using ops::Direction;

const CellType kCells[] = {CellType::lstm, CellType::gru, CellType::rnn};
const Direction kDirections[] = {Direction::forward, Direction::reverse, Direction::bidirectional};

std::shared_ptr<Graph> joined(const StackedGraph& made) {
    auto graph = made.graph->clone();
    cpu::run_cpu_passes(*graph);
    return graph;
}

// The pass on a copy of what the CPU would run.
std::shared_ptr<Graph> expanded(const StackedGraph& made) {
    auto graph = joined(made)->clone();
    EXPECT_TRUE(cpu::expand_sequences(*graph)) << "nothing was joined";
    graph->validate();
    check_graph(*graph);
    EXPECT_EQ(count_nodes(*graph, "StridedSequence"), 0u);
    EXPECT_EQ(count_nodes(*graph, "SequenceStack"), 0u);
    expect_unchanged(*graph, cpu::expand_sequences);
    return graph;
}

std::vector<std::vector<std::string>> output_names(const Graph& graph) {
    std::vector<std::vector<std::string>> names;
    for (const auto& port : output_ports(graph)) names.push_back(port.names);
    return names;
}

void expect_same_results(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
}

// The bits of the layers as they were, op by op, and of those that the CPU joined.
void expect_same_bits(const StackedGraph& made) {
    const auto graph = expanded(made);
    EXPECT_EQ(output_names(*graph), output_names(*made.graph));
    expect_same_results(on_reference(*graph).run(made.inputs),
                        on_reference(*made.graph).run(made.inputs));
    expect_same_results(on_cpu(*graph).run(made.inputs), on_cpu(*made.graph).run(made.inputs));
}

NodePtr named_node(const Graph& graph, const std::string& name) {
    for (const auto& node : graph.ordered_nodes()) {
        if (node->name() == name) return node;
    }
    return nullptr;
}

//   x -> layer -> y   =>   x -> Transpose -> layer -> Transpose -> y
TEST(ExpandSequences, ALayerGetsItsTransposesBack) {
    OrderedCase test;
    test.layer.open = false;
    const auto graph = expanded(make_ordered(test));
    const NodePtr behind = graph->results()[0]->input(0).node_ptr();
    EXPECT_EQ(behind->type_name(), "Transpose");
    EXPECT_EQ(behind->name(), "behind");
    EXPECT_EQ(behind->output(0).names(), std::set<std::string>{"y"});
    EXPECT_EQ(to_string(behind->output_shape(0)), "[7,1,2,12]");
    const NodePtr layer = behind->input(0).node_ptr();
    EXPECT_EQ(layer->type_name(), "LSTMSequence");
    EXPECT_EQ(layer->name(), "layer");
    EXPECT_TRUE(layer->output(0).names().empty());
    EXPECT_EQ(layer->output(2).names(), std::set<std::string>{"state_2"});
    EXPECT_EQ(graph->results()[2]->input(0), layer->output(2));
    const NodePtr before = layer->input(0).node_ptr();
    EXPECT_EQ(before->type_name(), "Transpose");
    EXPECT_EQ(before->name(), "before");
    EXPECT_EQ(before->input(0), graph->parameters()[0]->output(0));
    EXPECT_EQ(layer->input(4).node().name(), "layer_w");
}

TEST(ExpandSequences, AnOrderThatMovesNothingNeedsNoTranspose) {
    OrderedCase before, behind;
    before.y = {};
    behind.x = {};
    for (const OrderedCase& test : {before, behind}) {
        EXPECT_EQ(count_nodes(*expanded(make_ordered(test)), "Transpose"), 1u);
        expect_same_bits(make_ordered(test));
    }
}

TEST(ExpandSequences, OrderedLayersKeepEveryBit) {
    for (const auto kind : kCells) {
        for (const auto direction : kDirections) {
            for (const bool known : {false, true}) {
                OrderedCase test;
                test.kind = kind;
                test.y = known ? Order{1, 2, 0, 3} : Order{2, 1, 0, 3};
                test.first = test.last = direction == Direction::bidirectional;
                test.layer.batch = 3;
                test.layer.direction = direction;
                test.layer.open = !known;
                test.layer.with_lengths = known;
                test.layer.stored = known ? ElementType::f16 : ElementType::dynamic;
                if (direction == Direction::reverse) test.layer.type = ElementType::f16;
                expect_same_bits(make_ordered(test));
            }
        }
    }
}

//                           x
//   x                       |
//   |                       layer_0
//   layer_0 + ...     =>    Squeeze
//                           |
//                           layer_1 and so on
TEST(ExpandSequences, LayersOfAStackFollowEachOther) {
    StackedCase test;
    test.kinds = {CellType::rnn, CellType::lstm, CellType::gru};
    test.open = false;
    const auto graph = expanded(make_stacked(test));
    EXPECT_EQ(count_nodes(*graph, "Squeeze"), 2u);
    NodePtr layer = named_node(*graph, "layer_2");
    ASSERT_NE(layer, nullptr);
    EXPECT_EQ(layer->type_name(), "GRUSequence");
    EXPECT_EQ(layer->output(0).names(), std::set<std::string>{"y_2"});
    for (const char* below : {"layer_1", "layer_0"}) {
        const NodePtr squeeze = layer->input(0).node_ptr();
        EXPECT_EQ(squeeze->type_name(), "Squeeze");
        EXPECT_EQ(squeeze->name(), layer->name() + "/X");
        EXPECT_EQ(to_string(squeeze->output_shape(0)), "[2,7,12]");
        layer = squeeze->input(0).node_ptr();
        EXPECT_EQ(layer->name(), below);
    }
    EXPECT_EQ(layer->type_name(), "RNNSequence");
    EXPECT_EQ(layer->input(0), graph->parameters()[0]->output(0));
    EXPECT_EQ(graph->results()[4]->input(0), named_node(*graph, "layer_1")->output(2));
}

TEST(ExpandSequences, StacksKeepEveryBit) {
    const std::vector<std::vector<CellType>> stacks = {
        {CellType::lstm, CellType::lstm, CellType::lstm},
        {CellType::gru, CellType::gru},
        {CellType::rnn, CellType::lstm, CellType::gru}};
    for (const auto& kinds : stacks) {
        for (const auto direction : {Direction::forward, Direction::reverse}) {
            for (const bool lengths : {false, true}) {
                for (const bool inner : {false, true}) {
                    StackedCase test;
                    test.kinds = kinds;
                    test.direction = direction;
                    test.with_lengths = lengths;
                    test.inner_results = inner;
                    test.open = lengths == inner;
                    if (inner) test.stored = ElementType::f16;
                    expect_same_bits(make_stacked(test));
                }
            }
        }
    }
}

TEST(ExpandSequences, LayersOfOtherTypes) {
    for (const auto type : {ElementType::f16, ElementType::bf16, ElementType::f64}) {
        StackedCase test;
        test.type = type;
        expect_same_bits(make_stacked(test));
    }
}

// The CPU widens them in registers: both Converts are of use again.
TEST(ExpandSequences, CompressedWeightsKeepTheirConverts) {
    StackedCase test;
    test.stored = ElementType::f16;
    const auto graph = expanded(make_stacked(test));
    const auto& layer = dynamic_cast<const ops::RecurrentOp&>(*named_node(*graph, "layer_0"));
    for (const std::size_t port : {layer.w_port(), layer.r_port()}) {
        const Node& convert = layer.input(port).node();
        EXPECT_EQ(convert.type_name(), "Convert");
        EXPECT_EQ(convert.input(0).element_type(), ElementType::f16);
        EXPECT_EQ(convert.input(0).node().name(), convert.name() + "_compressed");
    }
}

// A node, what it reads, and what the layers in it read.
void add_all(const Node& node, std::unordered_set<const Node*>& all) {
    if (!all.insert(&node).second) return;
    for (const Output& input : node.inputs()) add_all(input.node(), all);
    if (const auto* ordered = dynamic_cast<const cpu::StridedSequence*>(&node)) {
        add_all(ordered->sequence(), all);
        for (const auto& transpose : ordered->transposes()) add_all(*transpose.node, all);
    }
    if (const auto* stack = dynamic_cast<const cpu::SequenceStack*>(&node)) {
        for (const auto& layer : stack->layers()) add_all(*layer, all);
    }
}

std::unordered_set<const Node*> all_nodes(const Graph& graph) {
    std::unordered_set<const Node*> all;
    for (const auto& result : graph.results()) add_all(*result, all);
    return all;
}

// The executed graph may be read by other threads meanwhile.
TEST(ExpandSequences, NothingIsSharedWithTheGraphThatRuns) {
    StackedCase stacked;
    stacked.stored = ElementType::f16;
    for (const auto& made : {make_stacked(stacked), make_ordered({})}) {
        const auto running = joined(made);
        const std::string before = to_text(*running);
        const auto theirs = all_nodes(*running);
        std::unordered_map<const Node*, std::size_t> readers;
        for (const Node* node : theirs) readers[node] = node->consumers(0).size();
        auto copy = running->clone();
        ASSERT_TRUE(cpu::expand_sequences(*copy));
        for (const Node* node : all_nodes(*copy)) EXPECT_FALSE(theirs.contains(node));
        for (const Node* node : theirs) {
            EXPECT_EQ(node->consumers(0).size(), readers[node]) << describe(*node);
        }
        EXPECT_EQ(to_text(*running), before);
    }
}

TEST(ExpandSequences, WeightsShareTheirMemory) {
    const auto made = make_ordered({});
    const NodePtr before = named_node(*made.graph, "layer_w");
    const NodePtr after = named_node(*expanded(made), "layer_w");
    ASSERT_NE(after, nullptr);
    EXPECT_NE(after, before);
    EXPECT_EQ(std::as_const(*after).known_value(0).strided_data(),
              std::as_const(*before).known_value(0).strided_data());
}

TEST(ExpandSequences, AWeightOfTwoLayersStaysOne) {
    StackMaker maker({.input = 12});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto lower = maker.layer("lower", CellType::gru, x, lengths);
    const auto upper = maker.layer("upper", CellType::gru, maker.handed_on(lower), lengths);
    upper->set_input(3, lower->input(3));
    b.output("y", upper->output(0));
    b.output("w", b.make<ops::Unary>("", ops::UnaryFunction::sigmoid,
                                     lower->input(3)));  // and of an op beside them
    const auto made = maker.finish();
    const auto graph = expanded(made);
    EXPECT_EQ(named_node(*graph, "upper")->input(3), named_node(*graph, "lower")->input(3));
    EXPECT_EQ(named_node(*graph, "lower")->input(3).node().name(), "lower_w");
    expect_same_bits(made);
}

// One X for both, and for another node.
TEST(ExpandSequences, ATransposeOfTwoLayersStaysOne) {
    for (const bool is_read : {false, true}) {
        StackMaker maker({});
        GraphBuilder& b = maker.builder();
        const Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2}, "turned");
        const Output lengths = maker.full_lengths(x);
        const auto left = maker.layer("left", CellType::gru, x, lengths);
        const auto right = maker.layer("right", CellType::gru, x, lengths);
        b.output("left_y", left->output(0));
        b.output("right_y", right->output(0));
        if (is_read) b.output("x_turned", b.make<ops::Unary>("", ops::UnaryFunction::sigmoid, x));
        const auto made = maker.finish();
        const auto graph = expanded(made);
        EXPECT_EQ(count_nodes(*graph, "Transpose"), 1u);
        EXPECT_EQ(named_node(*graph, "right")->input(0), named_node(*graph, "turned")->output(0));
        expect_same_bits(made);
    }
}

TEST(ExpandSequences, EqualTransposesOfYAreOne) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x();
    const Output y = maker.layer("layer", CellType::gru, x, maker.full_lengths(x))->output(0);
    b.output("a", b.transpose(y, {2, 1, 0, 3}, "first"));
    b.output("b", b.make<ops::Unary>("", ops::UnaryFunction::sigmoid,
                                     b.transpose(y, {2, 1, 0, 3}, "second")));
    const auto made = maker.finish();
    const auto graph = expanded(made);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1u);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "first");
    expect_same_bits(made);
}

// Time-first layers on a stack: each finds what the other became.
TEST(ExpandSequences, AnOrderedLayerOnAStack) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto lower = maker.layer("layer_0", CellType::lstm, x, lengths);
    const auto upper = maker.layer("layer_1", CellType::gru, maker.handed_on(lower), lengths);
    const Output turned = b.transpose(maker.handed_on(upper), {1, 0, 2}, "turned");
    const Output above = b.make<ops::Unary>("between", ops::UnaryFunction::tanh, turned);
    const Output again = b.transpose(above, {1, 0, 2}, "again");
    const auto top = maker.layer("top", CellType::gru, again, lengths, {upper->output(1)});
    b.output("y", b.transpose(top->output(0), {2, 1, 0, 3}, "behind"));
    const auto made = maker.finish();
    const auto graph = joined(made);
    EXPECT_EQ(count_nodes(*graph, "SequenceStack"), 1u);
    EXPECT_EQ(count_nodes(*graph, "StridedSequence"), 1u);
    const auto apart = expanded(made);
    EXPECT_EQ(named_node(*apart, "top")->input(1), named_node(*apart, "layer_1")->output(1));
    expect_same_bits(made);
}

TEST(ExpandSequences, NamesThatAreTakenGetANumber) {
    StackMaker maker({});
    GraphBuilder& b = maker.builder();
    const Output x = maker.x(), lengths = maker.full_lengths(x);
    const auto lower = maker.layer("lower", CellType::gru, x, lengths);
    const auto upper = maker.layer("upper", CellType::gru, maker.handed_on(lower), lengths);
    const Output axes = b.constant(tensor_of<std::int64_t>({1}, {-3}), "upper/X/axes");
    b.output("y", b.make<ops::Squeeze>("upper/X", upper->output(0), axes));  // alike, but no twin
    const auto made = maker.finish();
    const auto graph = expanded(made);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "upper/X");
    EXPECT_EQ(graph->results()[0]->input(0).node().input(1).node().name(), "upper/X/axes");
    const Node& squeeze = named_node(*graph, "upper")->input(0).node();
    EXPECT_EQ(squeeze.name(), "upper/X_2");
    EXPECT_EQ(squeeze.input(1).node().name(), "upper/X/axes_2");
    expect_same_bits(made);
}

TEST(ExpandSequences, OtherGraphsStay) {
    expect_unchanged(*make_stacked({}).graph, cpu::expand_sequences);
    expect_unchanged(*make_ordered({}).graph, cpu::expand_sequences);
}

}  // namespace
}  // namespace rondo::test::expand_sequences_test
