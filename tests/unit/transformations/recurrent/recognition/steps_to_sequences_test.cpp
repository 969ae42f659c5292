#include "transformations/recurrent/recognition/steps_to_sequences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"

namespace rondo::passes::steps_to_sequences_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr std::size_t kSteps = 5;

// How a chain of steps is written.
struct ChainForm {
    enum class States { zeros, shaped_zeros, given, own_first_step };
    States states = States::zeros;
    std::string x = "2,5,3";
    std::size_t time_axis = 1;
    bool reverse = false;
    bool by_split = false;
    std::int64_t by_slice_to = 0;     // above 0: by Slice, which takes so many rows of the batch
    bool hoists = false;              // one product for all steps, RNN only
    bool flips = false;               // reads parts of the reversed input
    bool reads_third = false;         // an output of its own
    std::size_t other_step = kSteps;  // this one is another cell
    std::size_t looks_back = kSteps;  // this one adds the part before to its own
};

class ChainMaker {
public:
    ChainMaker(const CellSpelling& spelling, ChainForm form)
        : spelling_(spelling), form_(std::move(form)) {}

    std::shared_ptr<Graph> make() {
        x_ = builder_.input("x", form_.x);
        Output all = form_.hoists ? hoisted() : x_;
        if (form_.flips) {
            all = builder_.make<ops::Slice>("flip", all, builder_.ints({-1}),
                                            builder_.ints({-2147483648}), builder_.ints({-1}),
                                            builder_.ints({axis()}));
        }
        if (form_.by_split)
            split_ = step_.builder().make<ops::Split>("parts", all, i64(builder_, axis()),
                                                      static_cast<std::int64_t>(kSteps));
        std::vector<Output> now;
        for (std::size_t i = 0; i < spelling_.states; ++i) now.push_back(state(i));
        std::vector<Output> rows(kSteps);
        for (std::size_t step = 0; step < kSteps; ++step) {
            const std::size_t place = form_.reverse ? kSteps - 1 - step : step;
            Output x = part(all, place);
            if (step == form_.looks_back) x = step_.sum(x, part(all, place - 1));
            now = next(x, now, step);
            rows[place] = builder_.unsqueeze(now[0], {axis()});
            if (step == 2 && form_.reads_third) builder_.output("third", step_.tanh(now[0]));
        }
        builder_.output("all", builder_.make<ops::Concat>("joined", rows, axis()));
        builder_.output("last", step_.tanh(now[0]));
        if (now.size() == 2) builder_.output("last_c", step_.tanh(now[1]));
        return builder_.graph();
    }

private:
    using States = ChainForm::States;

    std::int64_t axis() const { return static_cast<std::int64_t>(form_.time_axis); }

    std::vector<Output> next(const Output& x, const std::vector<Output>& now, std::size_t step) {
        if (form_.hoists) {
            return {step_.tanh(step_.sum(x, step_.matmul(now[0], "R", kStepHidden, true)))};
        }
        const bool is_other =
            step == form_.other_step || (step == 0 && form_.states == States::own_first_step);
        if (!is_other) return spelling_.next(step_, x, now);
        const Output product = step_.matmul(x, "other", kStepHidden);
        std::vector<Output> other{step_.tanh(product)};
        if (now.size() == 2) other.push_back(step_.sigmoid(product));
        return other;
    }

    Output hoisted() {
        return step_.sum(step_.matmul(x_, "W", kStepHidden), step_.weights("b", {kStepHidden}));
    }

    Output part(const Output& all, std::size_t place) {
        if (form_.by_split) return builder_.squeeze(split_->output(place), {axis()});
        if (form_.by_slice_to > 0) {
            const auto first = static_cast<std::int64_t>(place);
            return builder_.squeeze(
                builder_.make<ops::Slice>("", all, builder_.ints({0, first}),
                                          builder_.ints({form_.by_slice_to, first + 1}),
                                          builder_.ints({1, 1}), builder_.ints({0, 1})),
                {axis()});
        }
        return builder_.make<ops::Gather>("", all, i64(builder_, static_cast<std::int64_t>(place)),
                                          i64(builder_, axis()));
    }

    Output state(std::size_t i) {
        if (form_.states == States::given) {
            return builder_.input("state" + std::to_string(i), "2,4");
        }
        if (form_.states != States::shaped_zeros) {
            return builder_.constant(tensor_of<float>({2, 4}, std::vector<float>(8, 0)));
        }
        const auto shape = builder_.make<ops::ShapeOf>("", x_);
        const Output rows =
            builder_.make<ops::Gather>("", shape, builder_.ints({1 - axis()}), i64(builder_, 0));
        const Output target =
            builder_.make<ops::Concat>("", std::vector<Output>{rows, builder_.ints({4})}, 0);
        return builder_.make<ops::Broadcast>("", builder_.constant(scalar_of(0.0F)), target);
    }

    const CellSpelling& spelling_;
    ChainForm form_;
    GraphBuilder builder_;
    StepWriter step_{builder_};
    Output x_;
    std::shared_ptr<Node> split_;
};

std::shared_ptr<Graph> chain_of(const CellSpelling& spelling, ChainForm form) {
    return ChainMaker(spelling, std::move(form)).make();
}

void expect_sequence(const CellSpelling& spelling, const ChainForm& form) {
    SCOPED_TRACE(spelling.name);
    const auto graph = chain_of(spelling, form);
    const auto inputs = random_inputs(*graph);
    const auto before = evaluate_graph(*graph, inputs);
    ASSERT_TRUE(steps_to_sequences(*graph));
    graph->validate();
    EXPECT_EQ(count_nodes(*graph, spelling.op), 1u);
    const bool keeps_first = form.states == ChainForm::States::own_first_step;
    EXPECT_EQ(count_nodes(*graph, "MatMul"), keeps_first ? 1u : 0u);
    const auto after = evaluate_graph(*graph, inputs);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) expect_near(after[i], before[i], 2e-6);
    expect_unchanged(*graph, steps_to_sequences);
}

TEST(StepsToSequences, KnowEverySpellingOfACell) {
    for (const CellSpelling& spelling : cell_spellings()) {
        if (*spelling.op == 0) {
            expect_unchanged(*chain_of(spelling, {}), steps_to_sequences);
            continue;
        }
        for (const auto states :
             {ChainForm::States::zeros, ChainForm::States::given, ChainForm::States::shaped_zeros,
              ChainForm::States::own_first_step}) {
            ChainForm form;
            form.states = states;
            if (states == ChainForm::States::shaped_zeros) form.x = "?,5,3";
            expect_sequence(spelling, form);
        }
    }
}

TEST(StepsToSequences, KnowEveryFormOfAChain) {
    std::vector<ChainForm> forms(7);
    forms[6].by_slice_to = 2147483647;
    forms[0].reverse = true;
    forms[1].by_split = true;
    forms[2].time_axis = 0;
    forms[2].x = "5,2,3";
    forms[3].reads_third = true;
    forms[4].reverse = forms[4].by_split = forms[4].reads_third = true;
    forms[5].reverse = true;
    forms[5].states = ChainForm::States::own_first_step;
    for (const ChainForm& form : forms) {
        for (const char* name : {"joined_lstm", "torch_gru", "plain_rnn"}) {
            expect_sequence(spelling(name), form);
        }
    }
}

// PyTorch writes a layer's other direction like this.
TEST(StepsToSequences, ReadAnInputThatIsTurnedRoundBackward) {
    for (const char* name : {"joined_lstm", "torch_gru", "plain_rnn"}) {
        for (const bool reverse : {false, true}) {
            ChainForm form;
            form.flips = true;
            form.reverse = reverse;
            form.hoists = name == std::string("plain_rnn");
            expect_sequence(spelling(name), form);
        }
    }
}

// The product of all inputs at once becomes W again.
TEST(StepsToSequences, TakesInAProductOfAllSteps) {
    ChainForm form;
    form.hoists = true;
    for (const auto states : {ChainForm::States::zeros, ChainForm::States::given}) {
        form.states = states;
        expect_sequence(spelling("plain_rnn"), form);
    }
}

// Some rows of an open batch: their number isn't known either.
TEST(StepsToSequences, LeaveAChainOverAPartOfTheBatch) {
    ChainForm form;
    form.x = "?,5,3";
    form.by_slice_to = 2;
    form.states = ChainForm::States::shaped_zeros;
    expect_unchanged(*chain_of(spelling("plain_rnn"), form), steps_to_sequences);
}

// Sums are added in another order.
void expect_near_after(Graph& graph) {
    const auto inputs = random_inputs(graph);
    const auto before = evaluate_graph(graph, inputs);
    steps_to_sequences(graph);
    const auto after = evaluate_graph(graph, inputs);
    for (std::size_t i = 0; i < before.size(); ++i) expect_near(after[i], before[i], 2e-6);
}

// The last step reads two parts, so it is no step of a sequence; the others are.
TEST(StepsToSequences, LeaveAStepThatLooksBack) {
    ChainForm form;
    form.looks_back = kSteps - 1;
    const auto graph = chain_of(spelling("plain_rnn"), form);
    expect_near_after(*graph);
    EXPECT_GE(count_nodes(*graph, "MatMul"), 1u);
}

TEST(StepsToSequences, LeaveAChainWithAnotherCellInIt) {
    for (const std::size_t step : {1u, 3u, 4u}) {
        ChainForm form;
        form.other_step = step;
        expect_unchanged(*chain_of(spelling("torch_gru"), form), steps_to_sequences);
    }
}

// The only reason, of steps that have nodes.
std::string why(const std::shared_ptr<Graph>& graph) {
    const auto staying = why_steps_stay(*graph);
    EXPECT_EQ(staying.size(), 1u);
    if (staying.size() != 1) return "";
    EXPECT_FALSE(staying[0].nodes.empty());
    return staying[0].why;
}

TEST(StepsToSequences, SayWhyStepsStay) {
    for (const CellSpelling& one : cell_spellings()) {
        if (*one.op != 0) continue;
        EXPECT_NE(why(chain_of(one, {})), "") << one.name;
    }
    ChainForm other;
    other.other_step = 3;
    EXPECT_EQ(why(chain_of(spelling("torch_gru"), other)), "step 3 is another cell than step 1");
    other.reverse = true;
    EXPECT_EQ(why(chain_of(spelling("torch_gru"), other)), "step 3 is another cell than step 1");
    ChainForm part;
    part.x = "?,5,3";
    part.by_slice_to = 2;
    part.states = ChainForm::States::shaped_zeros;
    EXPECT_EQ(why_steps_stay(*chain_of(spelling("plain_rnn"), part)).size(), 0u)
        << "these are no parts of the whole batch";
}

TEST(StepsToSequences, SayThatAnOpIsOfNoCell) {
    GraphBuilder b;
    StepWriter step(b);
    const Output x = b.input("x", "[2,5,4]");
    Output h = b.input("h", "[2,4]");
    for (std::int64_t i = 0; i < 5; ++i) {
        const Output part = b.make<ops::Gather>("", x, i64(b, i), i64(b, 1));
        const Output mean =
            b.make<ops::Reduce>("mean" + std::to_string(i), ops::ReduceFunction::mean,
                                step.sum(h, part), b.ints({1}), true);
        h = step.tanh(step.sum(mean, part));
    }
    b.output("y", h);
    const auto graph = b.graph();
    expect_unchanged(*graph, steps_to_sequences);
    EXPECT_EQ(why(graph), "no cell computes its states as 'mean1' (ReduceMean) does");
    const auto nodes = why_steps_stay(*graph)[0].nodes;
    EXPECT_NE(std::find(nodes.begin(), nodes.end(), "mean2"), nodes.end());
}

// All steps of one layer before those of the next, or both layers step by step.
TEST(StepsToSequences, ReadTheNextLayerToo) {
    constexpr std::int64_t kFewSteps = 3;
    GraphBuilder b;
    StepWriter step(b);
    const Output x = b.input("x", "[?,3,3]");
    Output first = step.number(0), second = first;
    for (std::int64_t i = 0; i < kFewSteps; ++i) {
        const Output part = b.make<ops::Gather>("", x, i64(b, i), i64(b, 1));
        first = step.tanh(i == 0 ? step.matmul(part, "W1", kStepHidden)
                                 : step.sum(step.matmul(part, "W1", kStepHidden),
                                            step.matmul(first, "R1", kStepHidden)));
        second = step.tanh(i == 0 ? step.matmul(first, "W2", kStepHidden)
                                  : step.sum(step.matmul(first, "W2", kStepHidden),
                                             step.matmul(second, "R2", kStepHidden)));
    }
    b.output("first", first);
    b.output("second", second);
    const auto graph = b.graph();
    expect_near_after(*graph);
    EXPECT_EQ(count_nodes(*graph, "RNNSequence"), 2u);
    EXPECT_EQ(count_nodes(*graph, "MatMul"), 0u);
}

// A layer of one step that is called for each step of its input, as scripts have it.
TEST(StepsToSequences, ReadRecurrentOpsOfOneStep) {
    for (const CellSpelling& one : layer_spellings()) {
        for (const auto states : {ChainForm::States::zeros, ChainForm::States::given}) {
            ChainForm form;
            form.states = states;
            expect_sequence(one, form);
            form.reverse = true;
            form.by_split = form.reads_third = true;
            expect_sequence(one, form);
        }
    }
}

// The whole layer is a MatMul in front of the steps, which its result's parts then are.
TEST(StepsToSequences, ReadStepsBehindALinearLayer) {
    GraphBuilder b;
    StepWriter step(b);
    const Output x = b.input("x", "[?,5,2]");
    const Output all = step.sum(step.matmul(x, "A", 3), step.weights("a", {3}));
    Output h = b.input("h", "[?,4]");
    for (std::int64_t i = 0; i < 5; ++i) {
        const Output part = b.make<ops::Gather>("", all, i64(b, i), i64(b, 1));
        h = spelling("keras_gru").next(step, part, {h})[0];
    }
    b.output("y", step.tanh(h));
    const auto graph = b.graph();
    expect_near_after(*graph);
    EXPECT_EQ(count_nodes(*graph, "GRUSequence"), 1u);
    EXPECT_EQ(count_nodes(*graph, "MatMul"), 1u);
}

// Both are cut from one product.
TEST(StepsToSequences, TakeFirstStatesThatAreMadeOfOneValue) {
    constexpr auto kH = static_cast<std::int64_t>(kStepHidden);
    GraphBuilder b;
    StepWriter step(b);
    const Output x = b.input("x", "[?,3,3]"), z = b.input("z", "[?,2]");
    const Output both = step.matmul(z, "first", 2 * kStepHidden);
    std::vector<Output> now{step.slice(both, 0, kH), step.slice(both, kH, 2 * kH)};
    for (std::int64_t i = 0; i < 3; ++i) {
        now = spelling("split_lstm")
                  .next(step, b.make<ops::Gather>("", x, i64(b, i), i64(b, 1)), now);
    }
    b.output("h", now[0]);
    const auto graph = b.graph();
    expect_near_after(*graph);
    EXPECT_EQ(count_nodes(*graph, "LSTMSequence"), 1u);
    EXPECT_EQ(count_nodes(*graph, "Tanh"), 0u);
}

}  // namespace
}  // namespace rondo::passes::steps_to_sequences_test
