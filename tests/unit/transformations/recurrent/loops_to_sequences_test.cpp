#include "transformations/recurrent/loops_to_sequences.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/compare.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/recurrent/gru_sequence.hpp"
#include "core/ops/recurrent/lstm_cell.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/shape_of.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"

namespace rondo::passes {
namespace {

using namespace test;  // NOLINT: tests only

// How a loop over a cell is written.
struct LoopForm {
    bool by_slices = false;  // TensorIterator
    bool reversed = false;   // of slices
    std::string x = "5,2,3";
    std::size_t time_axis = 0;
    bool given_states = false;
    std::string states = "2,4";
    bool own_counter = false;    // that goes round and is the index
    bool has_condition = false;  // counter + 1 < T, besides the trip count
    bool has_trip_count = true;
    std::int64_t less_steps = 0;
};

class LoopMaker {
public:
    LoopMaker(const CellSpelling& spelling, LoopForm form)
        : spelling_(spelling), form_(std::move(form)) {}

    std::shared_ptr<Graph> make() {
        x_ = builder_.input("x", form_.x);
        form_.by_slices ? add_part() : add_loop_inputs();
        std::vector<Output> now;
        for (std::size_t i = 0; i < spelling_.states; ++i) now.push_back(add_state(i));
        const std::vector<Output> next = spelling_.next(step_, part_, now);
        for (std::size_t i = 0; i < next.size(); ++i) body_.output(name("next", i), next[i]);
        const auto axis = static_cast<std::int64_t>(form_.time_axis);
        body_.output("row", body_.unsqueeze(next[0], {axis}));
        const std::size_t first = form_.by_slices ? 0 : 1;
        for (std::size_t i = 0; i < next.size(); ++i) {
            ports_.outputs.push_back({i, first + i, {}});
            ports_.inputs[state_ports_[i]].back_edge = first + i;
        }
        ops::PartRange range =
            form_.reversed ? ops::PartRange{axis, -1, -1, 1, 0} : ops::PartRange{axis};
        ports_.outputs.push_back({next.size(), first + next.size(), range});
        if (form_.own_counter) {
            ports_.inputs[counter_port_].back_edge = first + next.size() + 1;
            body_.output("next_count", next_count_);
        }
        const auto loop = made();
        for (std::size_t i = 0; i <= next.size(); ++i) {
            builder_.output(name("y", i), loop->output(i));
        }
        return builder_.graph();
    }

private:
    static std::string name(const char* role, std::size_t i) { return role + std::to_string(i); }

    std::shared_ptr<Node> made() {
        if (form_.by_slices) {
            return builder_.make<ops::TensorIterator>("loop", inputs_, body_.graph(), ports_);
        }
        return builder_.make<ops::Loop>("loop", inputs_, body_.graph(), ports_,
                                        ops::LoopPorts{0, 0});
    }

    std::size_t parameters_ = 0;

    Output add_port(const std::string& role, const Output& input, std::string_view shape,
                    ElementType type = ElementType::f32) {
        ports_.inputs.push_back({inputs_.size(), parameters_++, {}, {}});
        inputs_.push_back(input);
        return body_.input(role, shape, type);
    }

    void add_part() {
        const auto axis = static_cast<std::int64_t>(form_.time_axis);
        const Output part = add_port("part", x_, form_.time_axis == 0 ? "1,?,3" : "?,1,3");
        ports_.inputs.back().slice =
            form_.reversed ? ops::PartRange{axis, -1, -1, 1, 0} : ops::PartRange{axis};
        part_ = body_.squeeze(part, {axis});
    }

    // The extent of the time axis.
    Output steps() {
        const auto shape = builder_.make<ops::ShapeOf>("shape", x_);
        const Output extent = builder_.make<ops::Gather>(
            "T", shape, i64(builder_, static_cast<std::int64_t>(form_.time_axis)),
            i64(builder_, 0));
        return form_.less_steps == 0 ? extent
                                     : add(builder_, extent, i64(builder_, -form_.less_steps));
    }

    void add_loop_inputs() {
        const Output count = steps();
        inputs_ = {form_.has_trip_count ? count : i64(builder_, -1), flag(builder_, true)};
        Output number = body_.input("i", "", ElementType::i64);
        parameters_ = 1;
        if (form_.own_counter) {
            number = add_port("count", i64(builder_, 0), "", ElementType::i64);
            counter_port_ = ports_.inputs.size() - 1;
            next_count_ = add(body_, number, i64(body_, 1));
        }
        Output goes_on = flag(body_, true);
        if (form_.has_condition) {
            const Output bound = add_port("bound", count, "", ElementType::i64);
            goes_on = body_.make<ops::Compare>("goes_on", ops::CompareFunction::less,
                                               add(body_, number, i64(body_, 1)), bound);
        }
        const Output x = add_port("all_x", x_, form_.x);
        part_ = body_.make<ops::Gather>("part", x, number,
                                        i64(body_, static_cast<std::int64_t>(form_.time_axis)));
        body_.output("more", goes_on);
    }

    // Given, or zeros for each row of x.
    Output add_state(std::size_t i) {
        Output first =
            form_.given_states ? builder_.input(name("state", i), form_.states) : zeros();
        const Output state = add_port(name("now", i), first, "?,4");
        state_ports_.push_back(ports_.inputs.size() - 1);
        return state;
    }

    Output zeros() {
        const auto shape = builder_.make<ops::ShapeOf>("", x_);
        const auto batch = static_cast<std::int64_t>(1 - form_.time_axis);
        const Output rows =
            builder_.make<ops::Gather>("", shape, builder_.ints({batch}), i64(builder_, 0));
        const Output target =
            builder_.make<ops::Concat>("", std::vector<Output>{rows, builder_.ints({4})}, 0);
        return builder_.make<ops::Broadcast>("", builder_.constant(scalar_of(0.0F)), target);
    }

    const CellSpelling& spelling_;
    LoopForm form_;
    GraphBuilder builder_, body_;
    StepWriter step_{body_};
    Output x_, part_, next_count_;
    std::vector<Output> inputs_;
    ops::BodyPorts ports_;
    std::vector<std::size_t> state_ports_;
    std::size_t counter_port_ = 0;
};

std::shared_ptr<Graph> loop_over(const CellSpelling& spelling, LoopForm form) {
    return LoopMaker(spelling, std::move(form)).make();
}

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

const CellSpelling& spelling(const std::string& name) {
    for (const CellSpelling& one : cell_spellings()) {
        if (one.name == name) return one;
    }
    throw ModelError("there is no spelling " + name);
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

template <typename Op>
std::shared_ptr<Op> layer_of(std::vector<Output> inputs) {
    auto node = std::make_shared<Op>(std::move(inputs));
    ops::RecurrentAttributes attributes = node->attributes();
    attributes.hidden_size = 4;
    node->set_attributes(attributes);
    node->validate();
    node->set_name("layer");
    return node;
}

std::vector<Output> lstm_cell(StepWriter& s, const Output& x, const std::vector<Output>& now) {
    const auto cell = layer_of<ops::LSTMCell>({x, now[0], now[1], s.weights("W", {16, 3}),
                                               s.weights("R", {16, 4}), s.weights("B", {16})});
    return {cell->output(0), cell->output(1)};
}

// As scripted loops have it: a sequence of one step in each step.
std::vector<Output> gru_of_one_step(StepWriter& s, const Output& x,
                                    const std::vector<Output>& now) {
    GraphBuilder& b = s.builder();
    const auto layer = layer_of<ops::GRUSequence>(
        {b.unsqueeze(x, {1}), b.unsqueeze(now[0], {1}),
         b.constant(tensor_of<std::int64_t>({2}, {1, 1})), s.weights("W", {1, 12, 3}),
         s.weights("R", {1, 12, 4}), s.weights("B", {1, 12})});
    return {b.squeeze(layer->output(1), {1})};
}

TEST(LoopsToSequences, RecurrentOpsInABody) {
    const CellSpelling cell{"lstm_cell", "LSTMSequence", 2, lstm_cell};
    const CellSpelling sequence{"gru_of_one_step", "GRUSequence", 1, gru_of_one_step};
    expect_sequence(cell, {});
    LoopForm static_x, slices;
    static_x.x = "5,2,3";
    slices.by_slices = true;
    expect_sequence(sequence, static_x);
    expect_sequence(cell, slices);
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
}  // namespace rondo::passes
