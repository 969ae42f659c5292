#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/graph/inference.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::test::hoist_from_loops_test {
namespace {

constexpr std::size_t kInput = 3;
constexpr std::size_t kHidden = 4;

// What a body has at hand: a part of x [N,3], the state [N,4], and an input `side` that each
// iteration gets whole.
struct Step {
    GraphBuilder& b;
    Output part, state, side;
};

using NextState = std::function<Output(const Step& step)>;

struct LoopForm {
    bool by_slices = true;
    bool reversed = false;
    std::int64_t axis = 0;
    std::int64_t trips = 5;
    std::string side = "[2,4]";
    std::string x = "[5,2,3]";
    bool may_end = false;  // where the state gets too large
};

// A loop over the parts of x, with the last state and all states as results.
class LoopMaker {
public:
    LoopMaker(LoopForm form, NextState next) : is_(std::move(form)), next_(std::move(next)) {}

    std::shared_ptr<Graph> make() {
        const Output x = builder_.input("x", is_.x);
        const Output state = builder_.input("h0", "[2,4]");
        const Output side = builder_.input("s", is_.side);
        if (!is_.by_slices) {
            inputs_ = {i64(builder_, is_.trips), flag(builder_, true)};
            body_.input("i", "", ElementType::i64);
            parameters_ = 1;
        }
        Step step{body_, part_of(x), {}, {}};
        step.state = port("h", state, "[2,4]");
        const std::size_t state_port = ports_.inputs.size() - 1;
        step.side = port("side", side, is_.side);
        const Output next = next_(step);
        if (!is_.by_slices) body_.output("more", goes_on(next));
        const std::size_t first = is_.by_slices ? 0 : 1;
        ports_.inputs[state_port].back_edge = first;
        body_.output("next", next);
        body_.output("row", body_.unsqueeze(next, {is_.axis}));
        ports_.outputs = {{0, first, {}}, {1, first + 1, range()}};
        const auto loop = made();
        builder_.output("last", loop->output(0));
        builder_.output("all", loop->output(1));
        return builder_.graph();
    }

private:
    ops::PartRange range() const {
        return is_.reversed ? ops::PartRange{is_.axis, -1, -1, 1, 0} : ops::PartRange{is_.axis};
    }

    Output port(const std::string& name, const Output& input, std::string_view shape) {
        ports_.inputs.push_back({inputs_.size(), parameters_++, {}, {}});
        inputs_.push_back(input);
        return body_.input(name, shape);
    }

    Output part_of(const Output& x) {
        if (is_.by_slices) {
            const Output part = port("part", x, is_.axis == 0 ? "[1,2,3]" : "[2,1,3]");
            ports_.inputs.back().slice = range();
            return body_.squeeze(part, {is_.axis});
        }
        const Output all = port("all_x", x, is_.x);
        return body_.make<ops::Gather>("part", all, number(), i64(body_, is_.axis));
    }

    Output number() const { return {body_.graph()->parameters()[0], 0}; }

    Output goes_on(const Output& next) {
        if (!is_.may_end) return flag(body_, true);
        const Output first = body_.make<ops::Gather>("first", body_.reshape(next, {-1}),
                                                     i64(body_, 0), i64(body_, 0));
        return body_.make<ops::Compare>("small", ops::CompareFunction::less, first,
                                        body_.constant(scalar_of(0.5F)));
    }

    NodePtr made() {
        if (is_.by_slices) {
            return builder_.make<ops::TensorIterator>("loop", inputs_, body_.graph(), ports_);
        }
        return builder_.make<ops::Loop>("loop", inputs_, body_.graph(), ports_,
                                        ops::LoopPorts{0, 0});
    }

    LoopForm is_;
    NextState next_;
    GraphBuilder builder_, body_;
    std::vector<Output> inputs_;
    ops::BodyPorts ports_;
    std::size_t parameters_ = 0;
};

const Graph& body_of(const Graph& graph) {
    for (const auto& node : graph.ordered_nodes()) {
        if (!node->bodies().empty()) return *node->bodies()[0];
    }
    throw ModelError("the graph has no loop");
}

Output weights(GraphBuilder& b, std::size_t rows, std::size_t columns = kHidden) {
    auto rng = test_rng();
    return b.constant(random_tensor(ElementType::f32, {rows, columns}, rng));
}

Output product(GraphBuilder& b, const Output& x, std::size_t rows) {
    return b.make<ops::MatMul>("", x, weights(b, rows));
}

Output tanh(GraphBuilder& b, const Output& x) {
    return b.make<ops::Unary>("", ops::UnaryFunction::tanh, x);
}

Output product_of_input(const Step& step) {
    return tanh(step.b, add(step.b, product(step.b, step.part, kInput), step.state));
}

//  x --slice--> Squeeze > MatMul > Add        x > MatMul --slice--> Squeeze > Add
//               [body]                   =>                        [body]
TEST(HoistFromLoops, ProductsOfPartsAreComputedBefore) {
    for (const bool by_slices : {true, false}) {
        for (const bool reversed : {false, true}) {
            for (const std::int64_t axis : {0, 1}) {
                if (reversed && !by_slices) continue;
                SCOPED_TRACE(testing::Message() << by_slices << reversed << axis);
                const LoopForm form{.by_slices = by_slices,
                                    .reversed = reversed,
                                    .axis = axis,
                                    .x = axis == 0 ? "[5,2,3]" : "[2,5,3]"};
                const auto graph = LoopMaker(form, product_of_input).make();
                expect_rewritten(*graph, cpu::hoist_from_loops);
                EXPECT_EQ(count_nodes(*graph, "MatMul"), 1U);
                EXPECT_EQ(count_nodes(body_of(*graph), "MatMul"), 0U);
                EXPECT_EQ(count_nodes(body_of(*graph), "Tanh"), 1U);
            }
        }
    }
}

TEST(HoistFromLoops, PartsKeepAnAxisThatAGatherKeeps) {
    const auto next = [](const Step& step) {
        const Output all = step.part.node().input(0);
        const Output place = step.b.unsqueeze(step.part.node().input(1), {0});
        const Output row = step.b.make<ops::Gather>("row", all, place, i64(step.b, 0));
        const Output made = product(step.b, row, kInput);  // [1,2,4]
        return add(step.b, step.b.squeeze(made, {0}), step.state);
    };
    const auto graph = LoopMaker({.by_slices = false}, next).make();
    expect_rewritten(*graph, cpu::hoist_from_loops);
    EXPECT_EQ(count_nodes(body_of(*graph), "MatMul"), 0U);
}

// One axis of the steps can't replace several.
TEST(HoistFromLoops, PartsOfMoreAxesThanTheWholeStay) {
    const auto next = [](const Step& step) {
        const Output all = step.part.node().input(0);
        const Output place = step.b.unsqueeze(step.part.node().input(1), {0, 1});
        const Output row = step.b.make<ops::Gather>("row", all, place, i64(step.b, 0));
        const Output made = product(step.b, row, kInput);  // [1,1,2,4]
        return add(step.b, step.b.squeeze(made, {0, 1}), step.state);
    };
    expect_unchanged(*LoopMaker({.by_slices = false}, next).make(), cpu::hoist_from_loops);
}

TEST(HoistFromLoops, LongChainsStay) {
    const auto next = [](const Step& step) {
        Output value = product(step.b, step.part, kInput);
        for (int i = 0; i < 5000; ++i) value = tanh(step.b, value);
        return add(step.b, value, step.state);
    };
    const auto graph = LoopMaker({}, next).make();
    EXPECT_NO_THROW(cpu::hoist_from_loops(*graph));
    graph->validate();
    check_graph(*graph);
}

TEST(HoistFromLoops, WhatIsTheSameInEachStepIsComputedOnce) {
    const auto next = [](const Step& step) {
        return add(step.b, tanh(step.b, product(step.b, step.side, kHidden)), step.state);
    };
    for (const bool may_end : {false, true}) {
        const auto graph = LoopMaker({.by_slices = false, .may_end = may_end}, next).make();
        expect_rewritten(*graph, cpu::hoist_from_loops);
        EXPECT_EQ(count_nodes(body_of(*graph), "MatMul"), 0U);
        EXPECT_EQ(count_nodes(body_of(*graph), "Tanh"), 0U);
    }
}

TEST(HoistFromLoops, OneValueMayBeReadByAnother) {
    const auto next = [](const Step& step) {
        const Output once = tanh(step.b, step.side);
        const Output twice = tanh(step.b, once);
        const Output both = add(step.b, add(step.b, step.state, twice), once);
        const Output part = tanh(step.b, product(step.b, step.part, kInput));
        return add(step.b, add(step.b, both, tanh(step.b, part)), part);
    };
    const auto graph = LoopMaker({}, next).make();
    expect_rewritten(*graph, cpu::hoist_from_loops);
    EXPECT_EQ(count_nodes(body_of(*graph), "Tanh"), 0U);
    EXPECT_EQ(count_nodes(*graph, "Tanh"), 4U);
}

// What the first one is computed from falls out of the body before the second one is replaced.
TEST(HoistFromLoops, PartsOfAGatherMayBeReadByAnother) {
    const auto next = [](const Step& step) {
        const Output once = tanh(step.b, product(step.b, step.part, kInput));
        const Output twice = product(step.b, once, kHidden);
        return add(step.b, tanh(step.b, add(step.b, twice, step.state)), once);
    };
    for (const bool by_slices : {true, false}) {
        const auto graph = LoopMaker({.by_slices = by_slices}, next).make();
        expect_rewritten(*graph, cpu::hoist_from_loops);
        EXPECT_EQ(count_nodes(body_of(*graph), "MatMul"), 0U);
    }
}

// A result of the body has a name of its own, which an input of the body can't take.
TEST(HoistFromLoops, ResultsThatAreTheSameInEachStep) {
    const auto next = [](const Step& step) { return tanh(step.b, step.side); };
    for (const bool by_slices : {true, false}) {
        for (const bool may_end : {true, false}) {
            if (may_end && by_slices) continue;
            const LoopForm form{.by_slices = by_slices, .may_end = may_end};
            const auto graph = LoopMaker(form, next).make();
            expect_rewritten(*graph, cpu::hoist_from_loops);
            EXPECT_EQ(count_nodes(body_of(*graph), "Tanh"), 0U);
        }
    }
}

// Concat(x, h) * W  =>  x * W1 + h * W2
TEST(HoistFromLoops, ProductsOfInputAndStateAreCut) {
    for (const bool transposed : {false, true}) {
        const auto next = [&](const Step& step) {
            const std::vector<Output> joined{step.part, step.state, step.side};
            const Output both = step.b.make<ops::Concat>("both", joined, 1);
            constexpr std::size_t kRows = kInput + kHidden + kHidden;
            const auto made = std::make_shared<ops::MatMul>(
                both, transposed ? weights(step.b, kHidden, kRows) : weights(step.b, kRows));
            made->set_transpose_b(transposed);
            made->set_name("product");
            made->validate();
            return tanh(step.b, Output(made, 0));
        };
        const auto graph = LoopMaker({}, next).make();
        const auto inputs = random_inputs(*graph);
        const auto before = evaluate_graph(*graph, inputs);
        EXPECT_TRUE(cpu::hoist_from_loops(*graph));
        graph->validate();
        check_graph(*graph);
        const auto after = evaluate_graph(*graph, inputs);
        for (std::size_t i = 0; i < before.size(); ++i) expect_near(after[i], before[i], 1e-6);
        EXPECT_EQ(count_nodes(body_of(*graph), "MatMul"), 1U);
        EXPECT_EQ(count_nodes(body_of(*graph), "Concat"), 0U);
        expect_unchanged(*graph, cpu::hoist_from_loops);
    }
}

// The parts' products may not stretch rows that the Concat refuses.
TEST(HoistFromLoops, CutProductsRefuseOtherRows) {
    const auto next = [](const Step& step) {
        const Output both = step.b.make<ops::Concat>(
            "both", std::vector<Output>{step.part, step.state, step.side}, 1);
        return tanh(step.b, product(step.b, both, kInput + kHidden + kHidden));
    };
    const auto graph = LoopMaker({.side = "[?,4]"}, next).make();
    EXPECT_TRUE(cpu::hoist_from_loops(*graph));
    auto rng = test_rng();
    std::vector<Tensor> inputs;
    for (const Shape& shape : {Shape{5, 2, 3}, Shape{2, 4}, Shape{1, 4}}) {
        inputs.push_back(random_tensor(ElementType::f32, shape, rng));
    }
    expect_error<ModelError>([&] { evaluate_graph(*graph, inputs); }, "(MatMul, as Add): ");
}

TEST(HoistFromLoops, StatesStay) {
    const auto next = [](const Step& step) {
        return tanh(step.b, add(step.b, product(step.b, step.state, kHidden), step.part));
    };
    const auto part_as_state = [&](const Step& step) {
        return next({step.b, step.side, step.state, step.side});
    };
    expect_unchanged(*LoopMaker({}, part_as_state).make(), cpu::hoist_from_loops);
}

// The number of iterations isn't known to be that of the parts.
TEST(HoistFromLoops, PartsOfALoopThatMayEndEarlyStay) {
    for (const bool may_end : {false, true}) {
        const LoopForm form{
            .by_slices = false, .trips = may_end ? 5 : 4, .x = "[5,2,3]", .may_end = may_end};
        expect_unchanged(*LoopMaker(form, product_of_input).make(), cpu::hoist_from_loops);
    }
}

// A loop that never runs has no error, so what may be one isn't computed before it.
TEST(HoistFromLoops, WhatMayFailStaysWhereTheLoopMayNeverRun) {
    const auto next = [](const Step& step) {
        const Output twice = add(step.b, step.side, step.b.reshape(step.side, {-1, 4}, false));
        return add(step.b, step.state, twice);
    };
    const LoopForm form{.by_slices = false, .trips = 0, .side = "[?,4]"};
    expect_unchanged(*LoopMaker(form, next).make(), cpu::hoist_from_loops);
    const auto sure = [](const Step& step) {
        return add(step.b, step.state, add(step.b, step.side, step.side));
    };
    const auto graph = LoopMaker(form, sure).make();
    auto inputs = random_inputs(*graph, 1);
    expect_rewritten(*graph, cpu::hoist_from_loops, inputs);
    LoopForm runs = form;
    runs.trips = 5;
    const auto with_trips = LoopMaker(runs, next).make();
    inputs = random_inputs(*with_trips, 1);
    expect_rewritten(*with_trips, cpu::hoist_from_loops, inputs);
}

// Their rows are those of one tensor around the loop.
TEST(HoistFromLoops, SumsOfTheSameRowsNeverFail) {
    for (const bool same : {true, false}) {
        GraphBuilder body, b;
        const Output x = body.squeeze(body.input("part", "[1,?,3]"), {0});
        const Output y = body.squeeze(body.input("other", "[1,?,3]"), {0});
        body.output("row", body.unsqueeze(add(body, x, y), {0}));
        const ops::BodyPorts ports{{{0, 0, ops::PartRange{0}, {}}, {1, 1, ops::PartRange{0}, {}}},
                                   {{0, 0, ops::PartRange{0}}}};
        const Output whole = b.input("x", "[?,?,3]");
        const Output other = same ? tanh(b, whole) : b.input("y", "[?,?,3]");
        const auto loop = b.make<ops::TensorIterator>("loop", std::vector<Output>{whole, other},
                                                      body.graph(), ports);
        b.output("all", loop->output(0));
        const auto graph = b.graph();
        if (same) {
            expect_rewritten(*graph, cpu::hoist_from_loops);
            EXPECT_EQ(count_nodes(*graph, "Add"), 1u);
        } else {
            expect_unchanged(*graph, cpu::hoist_from_loops);
        }
    }
}

// [5,2,3] would become [5,2,1000,3].
TEST(HoistFromLoops, WhatGrowsStays) {
    const auto next = [](const Step& step) {
        const Output many = step.b.constant(Tensor(ElementType::f32, Shape{1000, 1, 1}));
        const Output wide = add(step.b, many, step.part);
        const Output one = step.b.make<ops::Gather>("one", wide, i64(step.b, 7), i64(step.b, 0));
        return add(step.b, step.state, product(step.b, one, kInput));
    };
    expect_unchanged(*LoopMaker({}, next).make(), cpu::hoist_from_loops);
}

}  // namespace
}  // namespace rondo::test::hoist_from_loops_test
