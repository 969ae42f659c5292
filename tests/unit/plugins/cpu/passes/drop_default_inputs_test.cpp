#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "plugins/cpu/ops/default_input.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test::drop_default_inputs_test {
namespace {

using ops::CellType;
using ops::Direction;

// Broadcast(value, [rows of `of`, D, H]).
Output filled(StackMaker& maker, const Output& of, float value, std::int64_t directions = 1) {
    GraphBuilder& b = maker.builder();
    const Output rows = b.make<ops::Gather>("", b.make<ops::ShapeOf>("", of), b.ints({0}),
                                            b.constant(tensor_of<std::int64_t>({}, {0})));
    const auto hidden = static_cast<std::int64_t>(maker.test().hidden);
    const Output shape =
        b.make<ops::Concat>("", std::vector<Output>{rows, b.ints({directions, hidden})}, 0);
    const Tensor element = converted(tensor_of<float>({}, {value}), maker.test().type);
    return b.make<ops::Broadcast>("", b.constant(element), shape);
}

// Layers of `kinds` on zero states and full lengths.
StackedGraph on_zeros(const std::vector<CellType>& kinds, Direction direction, ElementType type) {
    StackedCase test;
    test.direction = direction;
    test.type = type;
    StackMaker maker(test);
    GraphBuilder& b = maker.builder();
    const Output first = maker.x();
    Output x = first;
    const std::int64_t directions = direction == Direction::bidirectional ? 2 : 1;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const std::size_t states = kinds[i] == CellType::lstm ? 2 : 1;
        const std::string name = "layer_" + std::to_string(i);
        const auto layer =
            maker.layer(name, kinds[i], x, maker.full_lengths(x),
                        std::vector<Output>(states, filled(maker, first, 0, directions)));
        for (std::size_t k = 0; k < layer->output_count(); ++k) {
            b.output(name + "_" + std::to_string(k), layer->output(k));
        }
        if (i + 1 == kinds.size()) break;
        x = directions == 1 ? maker.handed_on(layer)
                            : b.reshape(b.transpose(layer->output(0), {0, 2, 1, 3}), {0, 0, 24});
    }
    return maker.finish();
}

std::shared_ptr<Graph> for_cpu(const StackedGraph& made) {
    auto graph = made.graph->clone();
    cpu::run_cpu_passes(*graph);
    check_graph(*graph);
    return graph;
}

std::size_t count_ops_of_shapes(const Graph& graph) {
    return count_nodes(graph, "ShapeOf") + count_nodes(graph, "Gather") +
           count_nodes(graph, "Concat") + count_nodes(graph, "Broadcast");
}

TEST(DropDefaultInputs, ALayerStandsAlone) {
    for (const auto kind : {CellType::lstm, CellType::gru, CellType::rnn}) {
        for (const auto direction :
             {Direction::forward, Direction::reverse, Direction::bidirectional}) {
            for (const auto type : {ElementType::f32, ElementType::f16, ElementType::f64}) {
                const auto made = on_zeros({kind}, direction, type);
                const auto graph = for_cpu(made);
                EXPECT_EQ(count_ops_of_shapes(*graph), 0U);
                EXPECT_EQ(count_nodes(*graph, "StridedSequence"), 1U);
                const double tolerance = type == ElementType::f16 ? 2e-3 : 1e-5;
                expect_like_reference(*made.graph, made.inputs, tolerance, tolerance);
            }
        }
    }
}

TEST(DropDefaultInputs, SoDoesAStack) {
    const auto made = on_zeros({CellType::lstm, CellType::gru, CellType::rnn}, Direction::forward,
                               ElementType::f32);
    const auto graph = for_cpu(made);
    EXPECT_EQ(count_ops_of_shapes(*graph), 0U);
    EXPECT_EQ(count_nodes(*graph, "SequenceStack"), 1U);
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
}

// Layers that a bidirectional one keeps apart, whose extents are read from X of the first.
TEST(DropDefaultInputs, LayersOverLayersAndABatchOfOne) {
    const auto made =
        on_zeros({CellType::gru, CellType::lstm}, Direction::bidirectional, ElementType::f32);
    EXPECT_EQ(count_ops_of_shapes(*for_cpu(made)), 0U);
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
    StackMaker maker({.batch = 1});
    GraphBuilder& b = maker.builder();
    const Output x = b.input("x", "[1,?,5]");
    const Output time = b.make<ops::Gather>("", b.make<ops::ShapeOf>("", x), b.ints({1}),
                                            b.constant(tensor_of<std::int64_t>({}, {0})));
    b.output("y",
             maker.layer("layer", CellType::gru, x, time, {b.input("h", "[1,1,12]")})->output(0));
    EXPECT_EQ(count_ops_of_shapes(*for_cpu(maker.finish())), 0U);
}

// The graph that users see has tensors at all ports again.
TEST(DropDefaultInputs, TheRuntimeModelSpellsThemOut) {
    for (const auto& kinds : {std::vector<CellType>{CellType::lstm},
                              std::vector<CellType>{CellType::gru, CellType::lstm}}) {
        const auto made = on_zeros(kinds, Direction::reverse, ElementType::f32);
        auto graph = for_cpu(made)->clone();
        cpu::expand_all(*graph);
        graph->validate();
        check_graph(*graph);
        EXPECT_EQ(count_nodes(*graph, "LSTMSequence"), 1U);
        const auto expected = on_reference(*made.graph).run(made.inputs);
        const auto actual = on_reference(*graph).run(made.inputs);
        for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
    }
}

TEST(DropDefaultInputs, NoRowsAndNoSteps) {
    for (const auto& [rows, steps] : {std::pair{0U, 3U}, std::pair{2U, 0U}}) {
        const auto made = on_zeros({CellType::lstm}, Direction::forward, ElementType::f32);
        const std::vector<Tensor> inputs{Tensor(ElementType::f32, {rows, steps, 5})};
        expect_like_reference(*made.graph, inputs, 1e-5, 1e-5);
    }
}

// A plain sequence with constant weights on these inputs: the pass leaves it alone.
template <typename Make>
void expect_stays(Make&& make, SourceLocation where = SourceLocation::current()) {
    StackMaker maker({});
    const Output x = maker.x();
    const std::vector<Output> inputs = make(maker, x);  // state, lengths
    const auto layer = maker.layer("layer", CellType::gru, x, inputs[1], {inputs[0]});
    maker.builder().output("y", layer->output(0));
    expect_unchanged(*maker.finish().graph, cpu::drop_default_inputs, where);
}

TEST(DropDefaultInputs, WhatIsNotCertainStays) {
    expect_stays([&](StackMaker& maker, const Output&) -> std::vector<Output> {
        return {maker.state("h"), maker.builder().input("l", "[?]", ElementType::i64)};
    });
    expect_stays([&](StackMaker& maker, const Output& x) -> std::vector<Output> {
        return {filled(maker, x, 0.5F), maker.builder().input("l", "[?]", ElementType::i64)};
    });
    // The zeros of another batch: their rows are checked.
    expect_stays([&](StackMaker& maker, const Output&) -> std::vector<Output> {
        const Output other = maker.builder().input("other", "[?,7,5]");
        return {filled(maker, other, 0), maker.builder().input("l", "[?]", ElementType::i64)};
    });
}

// Packed sequences have zeros of as many rows as there are lengths, which are checked.
TEST(DropDefaultInputs, ZerosWithTheRowsOfTheLengthsAreLeftOut) {
    StackMaker maker({});
    const Output x = maker.x();
    const Output lengths = maker.builder().input("l", "[?]", ElementType::i64);
    const auto layer = maker.layer("layer", CellType::gru, x, lengths, {filled(maker, lengths, 0)});
    maker.builder().output("y", layer->output(0));
    auto made = maker.finish();
    const auto graph = for_cpu(made);
    EXPECT_EQ(count_ops_of_shapes(*graph), 0U);
    EXPECT_FALSE(
        cpu::is_default(as<cpu::StridedSequence>(graph->results()[0]->input(0))->input(2)));
    made.inputs.push_back(tensor_of<std::int64_t>({2}, {7, 3}));
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
    made.inputs.back() = tensor_of<std::int64_t>({3}, {7, 3, 1});
    auto device = on_cpu(*made.graph);
    expect_error<ModelError>([&] { device.run(made.inputs); }, "'layer'");
}

TEST(DropDefaultInputs, HalvesAreLeftOutAlone) {
    StackMaker maker({});
    const Output x = maker.x();
    const auto layer = maker.layer("layer", CellType::gru, x, maker.full_lengths(x));
    maker.builder().output("y", layer->output(0));
    const auto made = maker.finish();
    const auto graph = for_cpu(made);
    const auto ordered = as<cpu::StridedSequence>(graph->results()[0]->input(0));
    ASSERT_NE(ordered, nullptr);
    EXPECT_EQ(ordered->name(), "layer");
    EXPECT_FALSE(cpu::is_default(ordered->input(1)));
    EXPECT_TRUE(cpu::is_default(ordered->input(2)));
    EXPECT_TRUE(ordered->transposes().empty());
    expect_like_reference(*made.graph, made.inputs, 1e-5, 1e-5);
}

}  // namespace
}  // namespace rondo::test::drop_default_inputs_test
