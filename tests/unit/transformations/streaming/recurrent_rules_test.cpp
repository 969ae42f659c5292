// The rules of transformations/streaming/recurrent_rules.cpp.
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::recurrent_rules_test {
namespace {

using namespace test;  // NOLINT: tests only

// x [T,N,4] -> GRU from zeros -> y, and its last state
TEST(RecurrentRules, KeepTheStateThatStartsFromZeros) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,?,4]"), 4, 3);
    b.output("y", onnx_y(b, gru));
    b.output("h", gru->output(1));
    for (const std::size_t batch : {1, 3}) {
        const auto made = expect_same_in_chunks(*b.graph(), {noise({15, batch, 4})});
        EXPECT_EQ(count_nodes(*made, "ReadValue"), 1U);
        EXPECT_EQ(made->sinks().size(), 1U);
    }
}

TEST(RecurrentRules, StartFromAConstantState) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->h_port(), b.constant(noise({2, 1, 3})));
    b.output("y", onnx_y(b, gru));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({15, 2, 4})});
    EXPECT_EQ(count_nodes(*made, "ReadValue"), 1U);
}

// An LSTM with peepholes over x [3,T,4], of four units.
std::shared_ptr<ops::LSTMSequence> make_lstm(GraphBuilder& b, const std::string& name,
                                             const Output& x) {
    const Output lengths = b.make<ops::Broadcast>("", extent_of(b, x, 1), b.ints({3}));
    const Output zeros = b.constant(Tensor(ElementType::f32, {3, 1, 4}));
    auto lstm = std::make_shared<ops::LSTMSequence>(std::vector<Output>{
        x, zeros, zeros, lengths, b.constant(noise({1, 16, 4})), b.constant(noise({1, 16, 4})),
        b.constant(noise({1, 16})), b.constant(noise({1, 12}))});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = 4;
    lstm->set_attributes(attributes);
    lstm->set_name(name);
    lstm->validate();
    return lstm;
}

// Two layers with a state of their own each.
TEST(RecurrentRules, KeepBothStatesOfAnLstm) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,?,4]");
    const Output first = b.squeeze(make_lstm(b, "first", x)->output(0), {1});
    b.output("y", b.squeeze(make_lstm(b, "second", first)->output(0), {1}));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({3, 15, 4})});
    EXPECT_EQ(made->sinks().size(), 4U);
}

// A state that is a variable already goes on as it is.
TEST(RecurrentRules, FollowAVariable) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->h_port(), b.transpose(b.read("h", "[1,2,3]"), {1, 0, 2}));
    b.output("y", onnx_y(b, gru));
    b.assign("h", b.transpose(gru->output(1), {1, 0, 2}));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({15, 2, 4})});
    EXPECT_EQ(made->sinks().size(), 1U);
}

TEST(RecurrentRules, RefuseAStateThatIsComputedFirst) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->h_port(), relu(b, b.read("h", "[2,1,3]")));
    b.output("y", onnx_y(b, gru));
    b.assign("h", gru->output(1));
    expect_refused(b, "node 'gru' (GRUSequence)", "a value that is computed first");
}

TEST(RecurrentRules, RefuseAStateThatNobodyCarries) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->h_port(), b.input("h", "[2,1,3]"));
    b.output("y", onnx_y(b, gru));
    expect_refused(b, "node 'gru' (GRUSequence)", "no output gives the state");
}

// Another value of the last frame is no state.
TEST(RecurrentRules, RefuseAStateThatIsntShownAtTheEnd) {
    const StreamingOptions time{{{"x", 1}}};
    for (const bool shows_both : {true, false}) {
        GraphBuilder b;
        const Output x = b.input("x", "[3,?,4]");
        const auto lstm = make_lstm(b, "lstm", x);
        lstm->set_input(lstm->h_port(), b.input("h", "[3,1,4]"));
        lstm->set_input(lstm->c_port(), b.input("c", "[3,1,4]"));
        b.output("y", lstm->output(0));
        b.output("last_x", b.make<ops::Gather>("", x, b.constant(scalar_of<std::int64_t>(-1)),
                                               b.constant(scalar_of<std::int64_t>(1))));
        b.output("next_h", lstm->output(1));
        if (shows_both) {
            b.output("next_c", lstm->output(2));
            Model(b.graph()).make_streaming(time);
        } else {
            expect_refused(b, "node 'lstm' (LSTMSequence)", "no output gives the state", time);
        }
    }
}

TEST(RecurrentRules, RefuseOtherDirections) {
    for (const auto direction : {ops::Direction::reverse, ops::Direction::bidirectional}) {
        GraphBuilder b;
        const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3, direction);
        b.output("y", onnx_y(b, gru));
        expect_refused(b, "node 'gru' (GRUSequence)", "from the last frame of the sequence");
    }
}

TEST(RecurrentRules, RefuseLengthsOfTheCaller) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->lengths_port(), b.input("lengths", "[2]", ElementType::i64));
    b.output("y", onnx_y(b, gru));
    expect_refused(b, "node 'gru' (GRUSequence)", "lengths of its own");
}

// Time as the rows of a layer that runs over features in both directions: nothing is carried.
TEST(RecurrentRules, TakeFramesAsRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[6,?,4]");
    const auto gru = make_gru(b, "gru", x, 4, 3, ops::Direction::bidirectional);
    b.output("y", onnx_y(b, gru));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({6, 15, 4})}, {{{"x", 1}}});
    EXPECT_TRUE(made->sinks().empty());
}

// The same in a model of one frame a call, which has one row.
TEST(RecurrentRules, SpreadStatesOfOneRow) {
    GraphBuilder b;
    const Output x = b.input("x", "[6,1,4]");
    const auto gru = make_gru(b, "gru", x, 4, 3, ops::Direction::bidirectional);
    b.output("y", onnx_y(b, gru));
    const auto graph = b.graph();
    Model(graph).make_streaming({{{"x", 1}}});
    GraphBuilder open;
    const auto same =
        make_gru(open, "gru", open.input("x", "[6,?,4]"), 4, 3, ops::Direction::bidirectional);
    open.output("y", onnx_y(open, same));
    const std::vector<Tensor> inputs{noise({6, 9, 4})};
    expect_same(run_whole(*graph, "CPU", inputs).front(),
                run_whole(*open.graph(), "CPU", inputs).front());
}

TEST(RecurrentRules, KeepRunningSums) {
    for (const bool exclusive : {false, true}) {
        for (const bool is_product : {false, true}) {
            GraphBuilder b;
            const Output x = b.input("x", "[?,3,?]");
            const Output axis = b.constant(scalar_of<std::int64_t>(-1));
            const ops::Cumulation::Options options{.exclusive = exclusive};
            b.output("y", is_product ? Output(b.make<ops::CumProd>("sum", x, axis, options))
                                     : Output(b.make<ops::CumSum>("sum", x, axis, options)));
            Tensor x_value = noise({2, 3, 20});
            for (int i = 0; i < 5; ++i) x_value.data<float>()[i] = -0.0F;
            expect_same_in_chunks(*b.graph(), {x_value}, {{{"x", 2}}});
        }
    }
}

TEST(RecurrentRules, RefuseReverseSums) {
    GraphBuilder b;
    const ops::Cumulation::Options options{.reverse = true};
    b.output("y", b.make<ops::CumSum>("sum", b.input("x", "[2,3,?]"),
                                      b.constant(scalar_of<std::int64_t>(2)), options));
    expect_refused(b, "node 'sum' (CumSum)", "from the last frame", {{{"x", 2}}});
}

TEST(RecurrentRules, RefuseToReduceTime) {
    GraphBuilder b;
    b.output("y", b.make<ops::Reduce>("mean", ops::ReduceFunction::mean, b.input("x", "[2,3,?]"),
                                      b.ints({1, 2}), false));
    expect_refused(b, "node 'mean' (ReduceMean)", "reduces over time", {{{"x", 2}}});
}

}  // namespace
}  // namespace rondo::recurrent_rules_test
