#include "transformations/streaming/find_state_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::find_state_pairs_test {
namespace {

using namespace test;  // NOLINT: tests only
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// A GRU whose state is an input and an output under any names.
struct Layer {
    GraphBuilder b;
    ops::Direction direction = ops::Direction::forward;
    Output x = b.input("input", "[?,2,4]");
    int layers = 0;

    void add(const std::string& h, const std::string& hn, const std::string& shape = "[1,2,3]") {
        const auto gru = make_gru(b, "gru_" + h, x, 4, 3, direction);
        gru->set_input(gru->h_port(), b.transpose(b.input(h, shape), {1, 0, 2}));
        gru->validate();
        b.output(hn, b.transpose(gru->output(1), {1, 0, 2}));
        b.output("rows_of_" + std::to_string(++layers), gru->output(0));
    }
};

TEST(FindStatePairs, FindsLayersWhateverTheNames) {
    Layer layer;
    layer.add("input_3", "35");
    layer.add("a", "output");
    EXPECT_THAT(find_state_pairs(*layer.b.graph()).pairs,
                ElementsAre(Pair("input_3", "35"), Pair("a", "output")));
}

// Names that lie are no reason.
TEST(FindStatePairs, UsesCountMoreThanNames) {
    Layer layer;
    layer.add("h0", "c_out");
    layer.add("c0", "h_out");
    EXPECT_THAT(find_state_pairs(*layer.b.graph()).pairs,
                ElementsAre(Pair("h0", "c_out"), Pair("c0", "h_out")));
}

// Only a name speaks for states whose ops are of no kind that is known.
TEST(FindStatePairs, FindsNamesOfStates) {
    for (const auto& [input, output] :
         std::vector<std::pair<std::string, std::string>>{{"h0", "hn"},
                                                          {"h", "h_out"},
                                                          {"state", "stateN"},
                                                          {"in_state", "out_state"},
                                                          {"cache", "cache_out"},
                                                          {"conv_cache_in", "conv_cache_out"},
                                                          {"prev_attn", "attn_out"},
                                                          {"past.0.key", "present.0.key"},
                                                          {"initial_h", "Y_h"},
                                                          {"hidden_1", "new_hidden_1"},
                                                          {"lstm.state.c", "lstm.next_state.c"}}) {
        GraphBuilder b;
        const Output x = b.input("data", "[1,1,257]");
        b.output("result", x);
        b.output(output, add(b, b.input(input, "[1,1,257]"), x));
        EXPECT_THAT(find_state_pairs(*b.graph()).pairs, ElementsAre(Pair(input, output)));
    }
}

TEST(FindStatePairs, EqualShapesAreNoReason) {
    for (const auto& [input, output] :
         std::vector<std::pair<std::string, std::string>>{{"input", "output"},
                                                          {"input_2", "activation_2"},
                                                          {"mix", "enh"},
                                                          {"x", "x_out"},
                                                          {"audio_in", "audio_out"},
                                                          {"mag", "state"},
                                                          {"1", "1_out"}}) {
        GraphBuilder b;
        const Output x = b.input(input, "[1,1,257]");
        b.output(output, add(b, x, x));
        EXPECT_THAT(find_state_pairs(*b.graph()).pairs, IsEmpty()) << input;
    }
}

TEST(FindStatePairs, SaysWhyAPortStays) {
    GraphBuilder b;
    const Output x = b.input("data", "[1,2]");
    const Output h = b.input("h", "[1,2]");
    b.input("state", "[7]");
    b.output("hn", add(b, x, h));
    b.output("h_out", add(b, h, h));
    const auto found = find_state_pairs(*b.graph());
    EXPECT_THAT(found.pairs, IsEmpty());
    EXPECT_THAT(found.unpaired,
                UnorderedElementsAre(
                    HasSubstr("input 'h' f32[1,2]: output 'hn' f32[1,2] and output 'h_out' "
                              "f32[1,2] both fit it"),
                    HasSubstr("input 'state' f32[7]: no output has its type and shape"),
                    HasSubstr("output 'hn'"), HasSubstr("output 'h_out'")));
}

TEST(FindStatePairs, TwoInputsOfOneOutput) {
    GraphBuilder b;
    const Output h = b.input("h", "[1,2]");
    b.output("h_out", add(b, b.input("h0", "[1,2]"), h));
    const auto found = find_state_pairs(*b.graph());
    EXPECT_THAT(found.pairs, IsEmpty());
    EXPECT_THAT(found.unpaired, UnorderedElementsAre(HasSubstr("input 'h0' f32[1,2] fits output"),
                                                     HasSubstr("input 'h' f32[1,2] fits output"),
                                                     HasSubstr("both fit it")));
}

TEST(FindStatePairs, ALayerThatRunsBackwardsIsNone) {
    Layer layer;
    layer.direction = ops::Direction::bidirectional;
    layer.add("h0", "hn", "[2,2,3]");
    const auto found = find_state_pairs(*layer.b.graph());
    EXPECT_THAT(found.pairs, IsEmpty());
    EXPECT_THAT(found.unpaired,
                UnorderedElementsAre(HasSubstr("node 'gru_h0' (GRUSequence) needs later steps"),
                                     HasSubstr("output 'hn'")));
}

// rows -> Concat(window, x) -> Slice: whatever the names are.
std::shared_ptr<Graph> window(std::int64_t joined_axis) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,8,4]");
    const Output rows = b.input("rows", "[1,2,4]");
    const Output all = b.make<ops::Concat>("", std::vector<Output>{rows, x}, 1);
    b.output("tail", b.make<ops::Slice>("", all, b.ints({0}), b.ints({2}), b.ints({1}),
                                        b.ints({joined_axis})));
    b.output("y", add(b, all, all));
    return b.graph();
}

TEST(FindStatePairs, FindsWindows) {
    EXPECT_THAT(find_state_pairs(*window(1)).pairs, ElementsAre(Pair("rows", "tail")));
    EXPECT_THAT(find_state_pairs(*window(2)).pairs, IsEmpty());
}

TEST(FindStatePairs, FindsValuesThatGoRound) {
    EXPECT_THAT(find_state_pairs(*running_sum()).pairs, ElementsAre(Pair("h0", "last")));
    EXPECT_THAT(find_state_pairs(*running_sum(true)).pairs, IsEmpty());
    // A Loop may be any computation on its inputs.
    EXPECT_THAT(find_state_pairs(*count_loop()).pairs, IsEmpty());
}

// x is walked over, and also what a value is at first.
TEST(FindStatePairs, WhatIsWalkedOverIsNoState) {
    GraphBuilder body;
    const Output part = body.input("part", "?,1,2");
    const Output all = body.input("all", "?,?,2");
    body.output("next", add(body, all, part));
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,2]");
    const auto node = b.make<ops::TensorIterator>(
        "walk", std::vector<Output>{x, x}, body.graph(),
        ops::BodyPorts{{{0, 0, ops::PartRange{1}, {}}, {1, 1, {}, 0}}, {{0, 0, {}}}});
    b.output("y", node->output(0));
    EXPECT_THAT(find_state_pairs(*b.graph()).pairs, IsEmpty());
}

// if c: a layer's state in and out; else: the same of another layer.
TEST(FindStatePairs, LooksIntoBranches) {
    const auto branch = [](const std::string& name) {
        GraphBuilder b;
        const Output x = b.input(name + "_x", "[?,2,4]");
        const auto gru = make_gru(b, name, x, 4, 3);
        gru->set_input(gru->h_port(), b.input(name + "_h", "[2,1,3]"));
        gru->validate();
        b.output(name + "_hn", gru->output(1));
        return b.graph();
    };
    GraphBuilder b;
    const std::vector<Output> inputs{b.input("c", "", ElementType::boolean),
                                     b.input("x", "[?,2,4]"), b.input("a", "[2,1,3]")};
    const ops::BodyPorts ports{{{1, 0, {}, {}}, {2, 1, {}, {}}}, {{0, 0, {}}}};
    const auto choice =
        b.make<ops::If>("choice", inputs, std::vector<GraphPtr>{branch("yes"), branch("no")},
                        std::vector<ops::BodyPorts>{ports, ports});
    b.output("z", choice->output(0));
    EXPECT_THAT(find_state_pairs(*b.graph()).pairs, ElementsAre(Pair("a", "z")));
}

}  // namespace
}  // namespace rondo::passes::find_state_pairs_test
