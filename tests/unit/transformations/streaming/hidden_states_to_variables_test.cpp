#include "transformations/streaming/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/state/variables.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/state_steps.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::hidden_states_to_variables_test {
namespace {

using namespace test;  // NOLINT: tests only

// An LSTM of H = 3 on X [N,T,I], whose states are given.
std::shared_ptr<ops::LSTMSequence> make_lstm(GraphBuilder& b, const std::string& name,
                                             const Output& x, const Output& h, const Output& c,
                                             const Output& lengths) {
    Rng rng(11);
    const auto weights = [&](Shape shape) {
        return b.constant(random_tensor(ElementType::f32, shape, rng, -0.5, 0.5));
    };
    const auto inputs = static_cast<std::size_t>(x.shape()[2].length());
    auto lstm = std::make_shared<ops::LSTMSequence>(std::vector<Output>{
        x, h, c, lengths, weights({1, 12, inputs}), weights({1, 12, 3}), weights({1, 12})});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = 3;
    lstm->set_attributes(attributes);
    lstm->set_name(name);
    lstm->validate();
    return lstm;
}

// x [T,N,4] -> two GRUs -> y [T,N,3], from zeros.
std::shared_ptr<Graph> stack(const std::string& shape) {
    GraphBuilder b;
    const auto first = make_gru(b, "first", b.input("x", shape), 4, 3);
    const auto second = make_gru(b, "second", b.squeeze(onnx_y(b, first), {1}), 3, 3);
    b.output("y", b.squeeze(onnx_y(b, second), {1}));
    return b.graph();
}

TEST(HiddenStatesToVariables, ChunksGiveTheOutputsOfTheWhole) {
    Rng rng = test_rng();
    for (const char* shape : {"[?,2,4]", "[?,?,4]"}) {
        const auto whole = stack(shape);
        const auto kept = whole->clone();
        EXPECT_TRUE(hidden_states_to_variables(*kept));
        EXPECT_FALSE(hidden_states_to_variables(*kept));
        ASSERT_EQ(ops::variables_of(*kept).size(), 2U);
        EXPECT_EQ(ops::variables_of(*kept)[0].id, "first/variable_0");
        const Tensor x = random_tensor(ElementType::f32, {11, 2, 4}, rng);
        for (const char* device : {"CPU", "REFERENCE"}) {
            const Tensor y = steps_of(Model(whole), device, {{{"x", x}}})[0].at("y");
            auto request = Core().compile_model(Model(kept), device).create_infer_request();
            std::size_t at = 0;
            for (const std::size_t chunk : {1U, 2U, 7U, 1U}) {
                const auto part = [&](const Tensor& of, std::size_t width) {
                    const std::size_t row = 2 * width;
                    return Tensor(ElementType::f32, {chunk, 2, width},
                                  const_cast<float*>(of.data<float>()) + at * row);
                };
                request.set_input_tensor(part(x, 4));
                request.infer();
                // The reference keeps more digits inside of a sequence.
                const double tolerance = device == std::string("CPU") ? 0 : 1e-6;
                expect_near(request.get_output_tensor(), part(y, 3), tolerance);
                at += chunk;
            }
        }
    }
}

// A state of a known shape starts as zeros without an init input; another number stays its start.
TEST(HiddenStatesToVariables, StartsAreZerosOrWhatTheyWere) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,4]");
    const Output zero = b.constant(Tensor(ElementType::f32, {1, 1, 3}));
    const Output learned = b.constant(tensor_of<float>({1, 1, 3}, {1, 2, 3}));
    const auto lstm =
        make_lstm(b, "lstm", x, zero, learned, b.constant(tensor_of<std::int64_t>({1}, {4})));
    b.output("y", lstm->output(0));
    const auto graph = b.graph();
    EXPECT_TRUE(hidden_states_to_variables(*graph));
    const auto variables = ops::variables_of(*graph);
    ASSERT_EQ(variables.size(), 2U);
    EXPECT_EQ(variables[1].id, "lstm/variable_1");
    EXPECT_FALSE(variables[0].read->has_init());
    EXPECT_TRUE(variables[1].read->has_init());
    EXPECT_EQ(variables[1].assign->input(0), Output(lstm, 2));
}

TEST(HiddenStatesToVariables, AWalkOverPartsGoesOn) {
    GraphBuilder b;
    const auto graph = running_sum(false, "1,?,2", "1,2");
    auto& walk = find<ops::TensorIterator>(*graph, "walk");
    walk.set_input(1, b.constant(Tensor(ElementType::f32, {1, 2})));
    Graph from_zero("sum", {graph->parameters()[0]}, graph->results());
    EXPECT_TRUE(hidden_states_to_variables(from_zero));
    EXPECT_EQ(ops::variables_of(from_zero)[0].id, "walk/h/variable_1");
    from_zero.validate();
    const Model model(from_zero.clone());
    const Tensor x = tensor_of<float>({1, 2, 2}, {1, 2, 3, 4});
    const auto steps = steps_of(model, "CPU", {{{"x", x}}, {{"x", x}}});
    expect_same(steps[1].at("last"), tensor_of<float>({1, 2}, {8, 12}));
}

TEST(HiddenStatesToVariables, AListGrowsFromChunkToChunk) {
    const auto graph = growing_list();
    EXPECT_TRUE(hidden_states_to_variables(*graph));
    const Tensor x = tensor_of<float>({1, 2, 2}, {1, 2, 3, 4});
    const auto steps = steps_of(Model(graph), "CPU", {{{"x", x}}, {{"x", x}}});
    expect_same(steps[0].at("list"), tensor_of<float>({2, 2}, {1, 2, 3, 4}));
    expect_same(steps[1].at("list"), tensor_of<float>({4, 2}, {1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST(HiddenStatesToVariables, LeavesStatesThatAreFed) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->h_port(), b.transpose(b.input("h", "[1,2,3]"), {1, 0, 2}));
    gru->validate();
    b.output("y", gru->output(0));
    expect_unchanged(*b.graph(), hidden_states_to_variables);
}

// The inner layer walks over 5 bands of each step, in both directions.
TEST(HiddenStatesToVariables, LeavesLayersAlongOtherAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,1,4]");
    const auto over_time = make_gru(b, "time", x, 4, 3);
    const Output bands = b.input("bands", "[5,?,4]");
    const auto inner = make_gru(b, "bands_gru", bands, 4, 3, ops::Direction::bidirectional);
    b.output("y", over_time->output(0));
    b.output("z", inner->output(0));
    const auto graph = b.graph();
    EXPECT_TRUE(hidden_states_to_variables(*graph));
    ASSERT_EQ(ops::variables_of(*graph).size(), 1U);
    EXPECT_EQ(ops::variables_of(*graph)[0].id, "time/variable_0");
}

// However X is reversed, before or after what leaves its steps where they are.
TEST(HiddenStatesToVariables, RefusesLayersWhoseInputIsTurnedRound) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2,4]");
    const Output lengths = b.make<ops::Broadcast>("", extent_of(b, x, 0), extent_of(b, x, 1));
    const Output sliced =
        b.make<ops::Slice>("", x, b.ints({-1}), b.ints({-(1LL << 31)}), b.ints({-1}), b.ints({0}));
    const Output by_lengths = b.make<ops::ReverseSequence>("", x, lengths, 1, 0);
    const Output given_lengths =
        b.make<ops::ReverseSequence>("", x, b.input("lengths", "[2]", ElementType::i64), 1, 0);
    const Output behind =
        b.squeeze(b.transpose(b.unsqueeze(sliced, {2}), {2, 1, 0, 3}), {0});  // [2,?,4]
    const Output moved =
        b.make<ops::Unary>("", ops::UnaryFunction::tanh, b.transpose(behind, {1, 0, 2}));
    for (const Output& turned : {sliced, by_lengths, given_lengths, moved}) {
        GraphBuilder own = b;
        const auto gru = make_gru(own, "gru", turned, 4, 3);
        own.output("y", gru->output(0));
        const auto graph = own.graph();
        expect_error<UnsupportedError>([&] { hidden_states_to_variables(*graph); },
                                       "node 'gru' (GRUSequence): its state can't be kept from "
                                       "chunk to chunk: it runs backwards");
    }
}

TEST(HiddenStatesToVariables, RefusesWhatNeedsLaterSteps) {
    for (const auto direction : {ops::Direction::reverse, ops::Direction::bidirectional}) {
        GraphBuilder b;
        const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3, direction);
        b.output("y", gru->output(0));
        const auto graph = b.graph();
        expect_error<UnsupportedError>([&] { hidden_states_to_variables(*graph); },
                                       "node 'gru' (GRUSequence): its state can't be kept from "
                                       "chunk to chunk: it runs backwards");
        EXPECT_EQ(count_nodes(*graph, "ReadValue"), 0U);
    }
    GraphBuilder b;
    const auto walk = running_sum(true, "1,?,2", "1,2");
    auto& node = find<ops::TensorIterator>(*walk, "walk");
    node.set_input(1, b.constant(Tensor(ElementType::f32, {1, 2})));
    Graph graph("sum", {walk->parameters()[0]}, walk->results());
    expect_error<UnsupportedError>([&] { hidden_states_to_variables(graph); },
                                   "node 'walk' (TensorIterator): its state can't be kept");
}

// Encoder and decoder: the second layer starts from what the first one ends with.
TEST(HiddenStatesToVariables, RefusesLayersThatStartOthers) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2,4]");
    const auto encoder = make_gru(b, "encoder", x, 4, 3);
    const auto decoder = make_gru(b, "decoder", x, 4, 3);
    decoder->set_input(decoder->h_port(), encoder->output(1));
    decoder->validate();
    b.output("y", decoder->output(0));
    const auto graph = b.graph();
    expect_error<UnsupportedError>([&] { hidden_states_to_variables(*graph); },
                                   "its last state starts node 'decoder' (GRUSequence)");

    GraphBuilder c;
    const Output features = c.input("features", "[2,1,3]");
    const auto gru = make_gru(c, "gru", c.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->h_port(), add(c, features, features));
    gru->validate();
    c.output("y", gru->output(0));
    const auto computed = c.graph();
    expect_error<UnsupportedError>([&] { hidden_states_to_variables(*computed); },
                                   "it starts from a value that is computed from inputs");
}

TEST(HiddenStatesToVariables, RefusesBodiesAndLoops) {
    GraphBuilder yes;
    const auto gru = make_gru(yes, "gru", yes.input("yes_x", "[?,2,4]"), 4, 3);
    yes.output("yes_y", gru->output(0));
    GraphBuilder no;
    no.output("no_y", no.input("no_x", "[?,2,4]"));
    GraphBuilder b;
    const std::vector<Output> inputs{b.input("c", "", ElementType::boolean),
                                     b.input("x", "[?,2,4]")};
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    const auto choice =
        b.make<ops::If>("choice", inputs, std::vector<GraphPtr>{yes.graph(), no.graph()},
                        std::vector<ops::BodyPorts>{ports, ports});
    b.output("y", choice->output(0));
    const auto graph = b.graph();
    expect_error<UnsupportedError>([&] { hidden_states_to_variables(*graph); },
                                   "it stands in a body of node 'choice' (If)");
    const auto loop = count_loop();
    expect_error<UnsupportedError>([&] { hidden_states_to_variables(*loop); },
                                   "only a TensorIterator's rounds are steps for certain");
}

}  // namespace
}  // namespace rondo::passes::hidden_states_to_variables_test
