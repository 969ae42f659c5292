#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"
#include "tests/unit/transformations/recurrent/loop_maker.hpp"

namespace rondo::passes::loops_to_sequences_test {
namespace {

using namespace test;  // NOLINT: tests only

void expect_sequence(const CellSpelling& spelling, const LoopForm& form) {
    const auto graph = loop_over(spelling, form);
    const auto inputs = random_inputs(*graph);
    const auto before = evaluate_graph(*graph, inputs);
    ASSERT_TRUE(loops_to_sequences(*graph)) << spelling.name;
    graph->validate();
    EXPECT_EQ(count_nodes(*graph, spelling.op), 1u) << spelling.name;
    EXPECT_EQ(count_nodes(*graph, "Loop") + count_nodes(*graph, "TensorIterator"), 0u);
    const auto after = evaluate_graph(*graph, inputs);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        SCOPED_TRACE(std::string(spelling.name) + ", output " + std::to_string(i));
        expect_near(after[i], before[i], 2e-6);
    }
    expect_unchanged(*graph, loops_to_sequences);
}

TEST(LoopsToSequences, KnowEverySpellingOfACell) {
    for (const CellSpelling& spelling : cell_spellings()) {
        if (*spelling.op == 0) {
            expect_unchanged(*loop_over(spelling, {}), loops_to_sequences);
        } else {
            expect_sequence(spelling, {});
        }
    }
}

TEST(LoopsToSequences, KnowEveryFormOfALoop) {
    std::vector<LoopForm> forms(10);
    forms[0].x = "?,?,3";
    forms[1].time_axis = 1;
    forms[2].given_states = true;
    forms[3].by_slices = true;
    forms[4].by_slices = forms[4].reversed = true;
    forms[5].by_slices = true;
    forms[5].time_axis = 1;
    forms[6].own_counter = true;
    forms[7].own_counter = forms[7].has_condition = true;
    forms[8].has_condition = true;
    forms[8].has_trip_count = false;
    forms[9].x = "?,?,3";
    forms[9].own_counter = forms[9].has_condition = true;
    for (const LoopForm& form : forms) {
        for (const char* name : {"joined_lstm", "torch_gru", "plain_rnn"}) {
            expect_sequence(spelling(name), form);
        }
    }
}

// Each second step, or the first one again and again.
TEST(LoopsToSequences, StayWithCountersThatSkipSteps) {
    for (const std::int64_t count_by : {0, 2}) {
        LoopForm form;
        form.own_counter = true;
        form.count_by = count_by;
        expect_unchanged(*loop_over(spelling("torch_gru"), form), loops_to_sequences);
    }
}

// A loop over two cells; where they are `stacked`, the second one reads what the first one has just
// computed, else both read x.
std::shared_ptr<Graph> loop_over_two(const CellSpelling& first, const CellSpelling& second,
                                     bool stacked) {
    GraphBuilder builder, body;
    StepWriter low_step(body), high_step(body);
    const Output x = builder.input("x", "?,?,3");
    std::vector<Output> inputs{x};
    ops::BodyPorts ports{{{0, 0, ops::PartRange{0}, {}}}, {}};
    const Output part = body.squeeze(body.input("part", "1,?,3"), {0});
    std::size_t results = 0;
    const auto add_cell = [&](StepWriter& step, const CellSpelling& cell, const Output& in) {
        std::vector<Output> now;
        for (std::size_t i = 0; i < cell.states; ++i) {
            const std::size_t number = inputs.size();
            ports.inputs.push_back({number, number, {}, results + i});
            inputs.push_back(builder.input("h" + std::to_string(number), "?,4"));
            now.push_back(body.input("now" + std::to_string(number), "?,4"));
        }
        const auto next = cell.next(step, in, now);
        for (const Output& value : next) {
            body.output("next" + std::to_string(results), value);
            ports.outputs.push_back({results, results, {}});
            ++results;
        }
        return next[0];
    };
    const Output low = add_cell(low_step, first, part);
    const Output high = add_cell(high_step, second, stacked ? low : part);
    body.output("row", body.unsqueeze(high, {0}));
    ports.outputs.push_back({results, results, ops::PartRange{0}});
    const auto loop = builder.make<ops::TensorIterator>("loop", inputs, body.graph(), ports);
    for (std::size_t i = 0; i < loop->output_count(); ++i) {
        builder.output("y" + std::to_string(i), loop->output(i));
    }
    return builder.graph();
}

TEST(LoopsToSequences, SeveralCells) {
    for (const char* first : {"joined_lstm", "torch_gru"}) {
        for (const char* second : {"separate_lstm", "plain_rnn"}) {
            for (const bool stacked : {false, true}) {
                SCOPED_TRACE(testing::Message() << first << ", " << second << ", " << stacked);
                const auto graph = loop_over_two(spelling(first), spelling(second), stacked);
                const auto inputs = random_inputs(*graph);
                const auto before = evaluate_graph(*graph, inputs);
                ASSERT_TRUE(loops_to_sequences(*graph));
                graph->validate();
                EXPECT_EQ(count_nodes(*graph, "TensorIterator"), 0U);
                const std::string low = spelling(first).op, high = spelling(second).op;
                EXPECT_EQ(count_nodes(*graph, low), low == high ? 2U : 1U);
                EXPECT_GE(count_nodes(*graph, high), 1U);
                const auto after = evaluate_graph(*graph, inputs);
                for (std::size_t i = 0; i < before.size(); ++i) {
                    expect_near(after[i], before[i], 2e-6);
                }
                expect_unchanged(*graph, loops_to_sequences);
            }
        }
    }
}

// Rows of states that aren't known to be those of x are checked in a run; one row is for all.
TEST(LoopsToSequences, BroadcastStates) {
    LoopForm open_rows, one_row;
    open_rows.given_states = one_row.given_states = true;
    open_rows.x = "5,?,3";
    one_row.states = "1,4";
    const auto graph = loop_over(spelling("torch_gru"), open_rows);
    ASSERT_TRUE(loops_to_sequences(*graph));
    EXPECT_EQ(count_nodes(*graph, "GRUSequence"), 1u);
    for (const char* name : {"torch_gru", "plain_rnn"}) expect_sequence(spelling(name), one_row);
}

// A step that is left out, and states of other rows.
TEST(LoopsToSequences, LeaveWhatIsNotCertain) {
    LoopForm shorter, unbounded, other_rows;
    shorter.less_steps = 1;
    unbounded.has_trip_count = false;
    unbounded.x = "5,2,3";
    other_rows.given_states = true;
    other_rows.x = "5,1,3";
    expect_unchanged(*loop_over(spelling("torch_gru"), shorter), loops_to_sequences);
    expect_unchanged(*loop_over(spelling("torch_gru"), unbounded), loops_to_sequences);
    expect_unchanged(*loop_over(spelling("torch_gru"), other_rows), loops_to_sequences);
}

std::string why(const std::shared_ptr<Graph>& graph) {
    for (const auto& node : graph->ordered_nodes()) {
        if (const auto loop = as<ops::IteratedOp>(node)) return why_loop_stays(*graph, *loop);
    }
    return "there is no loop";
}

TEST(LoopsToSequences, RecurrentOpsInABody) {
    LoopForm static_x, slices;
    static_x.x = "5,2,3";
    slices.by_slices = true;
    for (const CellSpelling& one : layer_spellings()) {
        expect_sequence(one, static_x);
        if (std::string(one.name) != "lstm_cell") continue;
        expect_sequence(one, {});
        expect_sequence(one, slices);
    }
}

std::vector<Output> linear_rnn(StepWriter& s, const Output& x, const std::vector<Output>& now) {
    return {s.gate(x, now[0], "h")};
}

TEST(LoopsToSequences, TakeACellWithoutAFunction) {
    expect_sequence({"linear_rnn", "RNNSequence", 1, linear_rnn}, {});
}

TEST(LoopsToSequences, SayWhyALoopStays) {
    LoopForm shorter, other_rows;
    shorter.less_steps = 1;
    other_rows.given_states = true;
    other_rows.x = "5,1,3";
    EXPECT_EQ(why(loop_over(spelling("torch_gru"), shorter)),
              "it isn't certain that it runs once for each step of its inputs");
    EXPECT_EQ(why(loop_over(spelling("torch_gru"), other_rows)),
              "it isn't certain that its states have as many rows as its inputs");
    for (const CellSpelling& one : cell_spellings()) {
        if (*one.op != 0) continue;
        EXPECT_NE(why(loop_over(one, {})).find("cell"), std::string::npos) << one.name;
    }
}

TEST(LoopsToSequences, SayThatTheConditionDependsOnAState) {
    const auto graph = loop_over(spelling("plain_rnn"), {});
    for (const auto& node : graph->ordered_nodes()) {
        const auto loop = as<ops::Loop>(node);
        if (!loop) continue;
        GraphBuilder b;
        const NodePtr state = loop->body().parameters().back();
        const Output sum = b.make<ops::Reduce>("sum", ops::ReduceFunction::sum, state->output(0),
                                               b.ints({0, 1}), false);
        const NodePtr below = b.make<ops::Compare>("below", ops::CompareFunction::less, sum,
                                                   b.constant(scalar_of(9.0F)));
        loop->body().results()[0]->set_input(0, below);
    }
    EXPECT_EQ(why(graph), "its condition depends on the state 'now0'");
    expect_unchanged(*graph, loops_to_sequences);
}

}  // namespace
}  // namespace rondo::passes::loops_to_sequences_test
