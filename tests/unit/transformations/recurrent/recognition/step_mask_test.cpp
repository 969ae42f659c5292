#include "transformations/recurrent/recognition/step_mask.hpp"

#include <gtest/gtest.h>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"
#include "transformations/recurrent/passes.hpp"

namespace rondo::passes::step_mask_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr std::size_t kSteps = 6;
constexpr std::size_t kRows = 5;

// How a masked loop is written.
struct Form {
    bool selects = false;    // rather than products and a sum
    bool subtracts = false;  // 1 - mask, rather than LogicalNot
    bool skips = false;      // true leaves a step out
    bool holds = true;       // an output of its own is carried, as Keras writes it
    bool resets = false;     // to something else if a row takes no step
    bool given = false;      // first states
    bool some = false;       // the mask keeps only one of the states
    const char* mask = "6,5,1";
    const char* x = "6,5,3";
};

class MaskedLoop {
public:
    MaskedLoop(const CellSpelling& cell, Form form) : cell_(cell), form_(form) {}

    std::shared_ptr<Graph> make() {
        const Output x = builder_.input("x", form_.x);
        const Output mask = builder_.input("mask", form_.mask, ElementType::boolean);
        inputs_ = {i64(builder_, kSteps), flag(builder_, true)};
        const Output number = body_.input("i", "", ElementType::i64);
        const Output part = part_of(port("xs", x, form_.x), number);
        mask_ = part_of(port("masks", mask, form_.mask, ElementType::boolean), number);
        if (mask_.shape().rank() == 1) mask_ = body_.unsqueeze(mask_, {1});
        std::vector<Output> now;
        const Output other =
            form_.resets ? port("others", builder_.input("other", "5,4"), "5,4") : Output();
        if (form_.holds) held_ = state("held");
        for (std::size_t i = 0; i < cell_.states; ++i) {
            now.push_back(state("now" + std::to_string(i)));
        }
        const auto next = cell_.next(step_, part, now);
        body_.output("more", flag(body_, true));
        std::size_t result = 1;
        const auto go_round = [&](const Output& value) {
            ports_.inputs[state_ports_[result - 1]].back_edge = result;
            ports_.outputs.push_back({result - 1, result, {}});
            body_.output("next" + std::to_string(result), value);
            ++result;
        };
        const Output row =
            form_.holds ? masked(next[0], form_.resets ? other : held_) : masked(next[0], now[0]);
        if (form_.holds) go_round(row);
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (i == 0 && !form_.holds) {
                go_round(row);
            } else {
                go_round(form_.some && i > 0 ? next[i] : masked(next[i], now[i]));
            }
        }
        ports_.outputs.push_back({result - 1, result, ops::PartRange{0}});
        body_.output("row", body_.unsqueeze(row, {0}));
        const auto loop =
            builder_.make<ops::Loop>("loop", inputs_, body_.graph(), ports_, ops::LoopPorts{0, 0});
        // The last one of an output that is reset is nothing that a sequence has.
        for (std::size_t i = form_.resets ? 1 : 0; i < loop->output_count(); ++i) {
            builder_.output("y" + std::to_string(i), loop->output(i));
        }
        return builder_.graph();
    }

private:
    Output port(const std::string& name, const Output& input, std::string_view shape,
                ElementType type = ElementType::f32) {
        ports_.inputs.push_back({inputs_.size(), ports_.inputs.size() + 1, {}, {}});
        inputs_.push_back(input);
        return body_.input(name, shape, type);
    }

    Output part_of(const Output& all, const Output& number) {
        return body_.make<ops::Gather>("", all, number, i64(body_, 0));
    }

    Output state(const std::string& name) {
        const Output first = form_.given ? builder_.input("first_" + name, "5,4")
                                         : builder_.constant(Tensor(ElementType::f32, {5, 4}));
        const Output now = port(name, first, "5,4");
        state_ports_.push_back(ports_.inputs.size() - 1);
        return now;
    }

    Output masked(const Output& taken, const Output& kept) {
        const Output& yes = form_.skips ? kept : taken;
        const Output& no = form_.skips ? taken : kept;
        if (form_.selects) return body_.make<ops::Select>("", mask_, yes, no);
        const Output share = body_.make<ops::Convert>("", mask_, ElementType::f32);
        const Output other =
            form_.subtracts ? step_.difference(step_.number(1), share) : not_mask();
        return step_.sum(step_.product(share, yes), step_.product(no, other));
    }

    Output not_mask() {
        const Output other = body_.make<ops::Unary>("", ops::UnaryFunction::logical_not, mask_);
        return body_.make<ops::Convert>("", other, ElementType::f32);
    }

    const CellSpelling& cell_;
    Form form_;
    GraphBuilder builder_, body_;
    StepWriter step_{body_};
    std::vector<Output> inputs_;
    ops::BodyPorts ports_;
    std::vector<std::size_t> state_ports_;
    Output mask_, held_;
};

// Rows that take no step, all of them, and some.
Tensor mask_like(const Tensor& mask) {
    Rng rng = test_rng();
    Tensor result(ElementType::boolean, mask.shape());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t row = i % kRows;
        const bool some = row == 0 ? false : row == 1 || uniform_int(rng, 0, 1) == 1;
        static_cast<std::uint8_t*>(result.data())[i] = some ? 1 : 0;
    }
    return result;
}

void expect_sequence(const char* cell, const Form& form) {
    SCOPED_TRACE(cell);
    const auto graph = MaskedLoop(spelling(cell), form).make();
    std::vector<Tensor> inputs = random_inputs(*graph);
    inputs[1] = mask_like(inputs[1]);
    const auto before = evaluate_graph(*graph, inputs);
    ASSERT_TRUE(loops_to_sequences(*graph));
    graph->validate();
    EXPECT_EQ(count_nodes(*graph, spelling(cell).op), 1U);
    EXPECT_EQ(count_nodes(*graph, "Loop"), 0U);
    const auto after = evaluate_graph(*graph, inputs);
    for (std::size_t i = 0; i < before.size(); ++i) {
        SCOPED_TRACE(i);
        expect_near(after[i], before[i], 2e-6);
    }
    expect_unchanged(*graph, loops_to_sequences);
}

TEST(StepMask, MaskedLoopsBecomeSequencesOfSomeSteps) {
    for (const char* cell : {"joined_lstm", "torch_gru", "plain_rnn"}) {
        for (int bits = 0; bits < 16; ++bits) {
            SCOPED_TRACE(bits);
            Form form;
            form.selects = (bits & 1) != 0;
            form.skips = (bits & 2) != 0;
            form.holds = (bits & 4) != 0;
            form.given = (bits & 8) != 0;
            form.subtracts = bits % 3 == 0;
            expect_sequence(cell, form);
        }
    }
}

TEST(StepMask, OutputsMayBeResetWhereNoStepIsTaken) {
    for (const char* cell : {"joined_lstm", "torch_gru"}) {
        expect_sequence(cell, {.selects = true, .resets = true});
        expect_sequence(cell, {.skips = true, .resets = true, .given = true});
    }
}

TEST(StepMask, MasksOfOtherShapes) {
    expect_sequence("torch_gru", {.selects = true, .mask = "6,5"});
    expect_sequence("torch_gru", {.mask = "6,5"});
}

// Rows of zeros that are others than those of x would be lost.
TEST(StepMask, OutputsOfOtherRowsStay) {
    expect_unchanged(*MaskedLoop(spelling("torch_gru"), {.mask = "6,1,1", .x = "6,1,3"}).make(),
                     loops_to_sequences);
}

TEST(StepMask, OtherMaskedLoopsStay) {
    for (const Form& form : {Form{.some = true}, Form{.mask = "7,5,1"}}) {
        expect_unchanged(*MaskedLoop(spelling("joined_lstm"), form).make(), loops_to_sequences);
    }
}

}  // namespace
}  // namespace rondo::passes::step_mask_test
