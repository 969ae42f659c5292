#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"

namespace rondo::passes::cell_fusion_test {
namespace {

using namespace test;  // NOLINT: tests only

// The shapes of one step's X and states; views between them and the step.
struct StepForm {
    std::string x = "[2,3]";
    std::string state = "[2,4]";
    bool is_viewed = false;
};

struct Step {
    GraphBuilder b;
    StepWriter writer{b};
    std::vector<Output> next;

    Step(const CellSpelling& spelling, const StepForm& form) {
        const Output x = b.input("x", form.x);
        std::vector<Output> now;
        for (std::size_t i = 0; i < spelling.states; ++i) {
            now.push_back(b.input("state" + std::to_string(i), form.state));
            if (form.is_viewed) now.back() = b.squeeze(now.back(), {0});
        }
        next = spelling.next(writer, form.is_viewed ? b.squeeze(x, {1}) : x, now);
    }

    std::shared_ptr<Graph> graph() {
        for (std::size_t i = 0; i < next.size(); ++i) {
            b.output("next" + std::to_string(i), b.unsqueeze(next[i], {0}));
        }
        return b.graph();
    }
};

std::string cell_of(std::string sequence) {
    return sequence.replace(sequence.find("Sequence"), std::string::npos, "Cell");
}

void expect_near_results(const Graph& graph, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& expected) {
    const auto got = evaluate_graph(graph, inputs);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) expect_near(got[i], expected[i], 2e-6);
}

void expect_cell(const CellSpelling& spelling, const StepForm& form) {
    SCOPED_TRACE(spelling.name + (" " + form.x));
    const auto graph = Step(spelling, form).graph();
    const auto inputs = random_inputs(*graph);
    const auto before = evaluate_graph(*graph, inputs);
    ASSERT_TRUE(cell_fusion(*graph));
    graph->validate();
    EXPECT_EQ(count_nodes(*graph, cell_of(spelling.op)), 1u);
    EXPECT_EQ(count_nodes(*graph, "MatMul"), 0u);
    expect_near_results(*graph, inputs, before);
    expect_unchanged(*graph, cell_fusion);
}

TEST(CellFusion, KnowsEverySpellingOfACell) {
    StepForm viewed;
    viewed.x = "[?,1,3]";
    viewed.state = "[1,?,4]";
    viewed.is_viewed = true;
    for (const CellSpelling& spelling : cell_spellings()) {
        if (*spelling.op == 0) {
            expect_unchanged(*Step(spelling, {}).graph(), cell_fusion);
            continue;
        }
        expect_cell(spelling, {});
        expect_cell(spelling, {"[?,3]", "[?,4]"});
        expect_cell(spelling, viewed);
    }
}

// H' is a function of C' that no cell has, so that H'' = f C' + i g of the step after it looks
// like C', and f C' like an H' whose gate needs it.
TEST(CellFusion, NoCellNeedsItself) {
    GraphBuilder b;
    StepWriter step(b);
    Output h = b.input("h", "[2,4]"), c = b.input("c", "[2,4]");
    for (int i = 0; i < 2; ++i) {
        const Output x = b.input("x" + std::to_string(i), "[2,3]");
        const Output kept = step.product(step.sigmoid(step.gate(x, h, "f")), c);
        const Output added =
            step.product(step.sigmoid(step.gate(x, h, "i")), step.tanh(step.gate(x, h, "g")));
        c = step.sum(kept, added);
        const Output shown = step.tanh(step.product(step.exp(step.number(-1)), step.exp(c)));
        h = step.product(step.sigmoid(step.gate(x, h, "o")), shown);
    }
    b.output("h", h);
    b.output("c", c);
    const auto graph = b.graph();
    const auto inputs = random_inputs(*graph);
    const auto before = evaluate_graph(*graph, inputs);
    cell_fusion(*graph);
    graph->validate();
    expect_near_results(*graph, inputs, before);
}

// The forms of these cells name no axis.
TEST(CellFusion, SeveralAxesMayHoldRows) {
    for (const CellSpelling& spelling : cell_spellings()) {
        const std::string name = spelling.name;
        if (name != "separate_lstm" && name != "peephole_lstm" && name != "coupled_lstm") continue;
        expect_cell(spelling, {"[2,5,3]", "[2,5,4]"});
        expect_cell(spelling, {"[?,?,3]", "[?,?,4]"});
        expect_cell(spelling, {"[?,1,2,3]", "[?,1,2,4]"});
    }
}

// One row of X beside several of the states, or the other way round, as the arithmetic takes it.
TEST(CellFusion, OpenRowsMayBeOne) {
    for (const char* name : {"split_lstm", "torch_gru", "plain_rnn"}) {
        SCOPED_TRACE(name);
        const auto graph = Step(spelling(name), {"[?,3]", "[?,4]"}).graph();
        const auto original = graph->clone();
        ASSERT_TRUE(cell_fusion(*graph));
        Rng rng(3);
        for (const auto& [rows_of_x, rows_of_states] : {std::pair(1, 3), std::pair(3, 1)}) {
            std::vector<Tensor> inputs;
            const auto add = [&](int rows, std::size_t units) {
                inputs.push_back(random_tensor(
                    ElementType::f32, {static_cast<std::size_t>(rows), units}, rng, -1, 1));
            };
            add(rows_of_x, 3);
            for (std::size_t i = 0; i < spelling(name).states; ++i) add(rows_of_states, 4);
            expect_near_results(*graph, inputs, evaluate_graph(*original, inputs));
        }
    }
}

TEST(CellFusion, RowsSideBySideAreTheSame) {
    const auto graph = Step(spelling("joined_lstm"), {"[?,3]", "[?,4]"}).graph();
    ASSERT_TRUE(cell_fusion(*graph));
    Rng rng(3);
    std::vector<Tensor> inputs{random_tensor(ElementType::f32, {1, 3}, rng, -1, 1)};
    for (int i = 0; i < 2; ++i) {
        inputs.push_back(random_tensor(ElementType::f32, {3, 4}, rng, -1, 1));
    }
    EXPECT_THROW(evaluate_graph(*graph, inputs), ModelError);
}

// C may have more rows than X and H, which are side by side, or fewer.
TEST(CellFusion, OpenRowsOfCMayBeOthers) {
    const auto graph = Step(spelling("joined_lstm"), {"[?,3]", "[?,4]"}).graph();
    const auto original = graph->clone();
    ASSERT_TRUE(cell_fusion(*graph));
    Rng rng(3);
    for (const auto& [rows, rows_of_c] : {std::pair(1U, 3U), std::pair(3U, 1U)}) {
        const std::vector<Tensor> inputs{
            random_tensor(ElementType::f32, {rows, 3}, rng, -1, 1),
            random_tensor(ElementType::f32, {rows, 4}, rng, -1, 1),
            random_tensor(ElementType::f32, {rows_of_c, 4}, rng, -1, 1)};
        expect_near_results(*graph, inputs, evaluate_graph(*original, inputs));
    }
}

// Inputs side by side, but not with H: one X, whose open rows may be others than those of H.
TEST(CellFusion, InputsThatAreJoinedApartAreOne) {
    GraphBuilder b;
    StepWriter step(b);
    const Output x = b.input("x", "[?,2]"), y = b.input("y", "[?,1]");
    const Output both = b.make<ops::Concat>("", std::vector<Output>{x, y}, 1);
    const Output h = b.input("h", "[?,4]");
    b.output("next", spelling("torch_gru").next(step, both, {h})[0]);
    const auto graph = b.graph();
    const auto original = graph->clone();
    ASSERT_TRUE(cell_fusion(*graph));
    graph->validate();
    EXPECT_EQ(count_nodes(*graph, "GRUCell"), 1U);
    Rng rng(3);
    for (const auto& [rows, rows_of_h] : {std::pair(1U, 3U), std::pair(3U, 1U)}) {
        const std::vector<Tensor> inputs{
            random_tensor(ElementType::f32, {rows, 2}, rng, -1, 1),
            random_tensor(ElementType::f32, {rows, 1}, rng, -1, 1),
            random_tensor(ElementType::f32, {rows_of_h, 4}, rng, -1, 1)};
        expect_near_results(*graph, inputs, evaluate_graph(*original, inputs));
    }
}

// x W of [3,1,4] becomes [1,3,4], so that the sum with h R has rows in two axes.
TEST(CellFusion, LeavesAStepWhoseViewsMoveRows) {
    GraphBuilder b;
    StepWriter step(b);
    const Output x = b.input("x", "[3,1,3]"), h = b.input("h", "[3,1,4]");
    const Output product = b.reshape(step.matmul(x, "W", 4), {1, 3, 4}, false);
    b.output("next", step.tanh(step.sum(product, step.matmul(h, "R", 4))));
    expect_unchanged(*b.graph(), cell_fusion);
}

TEST(CellFusion, LeavesACellOfWhichMoreIsRead) {
    Step step(spelling("split_lstm"), {});
    const auto* output_gate = &step.next[0].node().input(0).node();
    step.b.output("inner", {std::const_pointer_cast<Node>(output_gate->shared_from_this()), 0});
    expect_unchanged(*step.graph(), cell_fusion);
}

TEST(CellFusion, LeavesOuterSums) {
    expect_unchanged(*Step(spelling("separate_lstm"), {"[2,1,3]", "[2,4]"}).graph(), cell_fusion);
    expect_unchanged(*Step(spelling("separate_lstm"), {"[2,5,3]", "[2,1,4]"}).graph(), cell_fusion);
}

// A dense layer of two inputs is no cell, for none of them is a state.
TEST(CellFusion, LeavesALayerOfTwoComputedInputs) {
    GraphBuilder b;
    StepWriter step(b);
    const Output x = step.tanh(b.input("x", "[2,3]")), y = step.tanh(b.input("y", "[2,4]"));
    b.output("z", step.tanh(step.gate(x, y, "g")));
    expect_unchanged(*b.graph(), cell_fusion);
}

}  // namespace
}  // namespace rondo::passes::cell_fusion_test
