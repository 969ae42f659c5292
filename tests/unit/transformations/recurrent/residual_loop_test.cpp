#include "transformations/recurrent/recognition/loop_step.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/transformations/recurrent/loop_maker.hpp"
#include "transformations/recurrent/passes.hpp"

namespace rondo::passes::residual_loop_test {
namespace {

using namespace test;  // NOLINT: tests only

// What a loop computes of H stays a loop, or becomes one, over the sequence's steps.
TEST(RestOfLoop, ReadsWhatTheSequenceGives) {
    std::vector<LoopForm> forms(5);
    forms[1].by_slices = true;
    forms[2].by_slices = forms[2].reversed = true;
    forms[3].own_counter = forms[3].has_condition = true;
    forms[4].given_states = true;
    for (LoopForm& form : forms) {
        form.reads_more = true;
        for (const char* name : {"joined_lstm", "torch_gru"}) {
            SCOPED_TRACE(name);
            const auto graph = loop_over(spelling(name), form);
            const auto inputs = random_inputs(*graph);
            const auto before = evaluate_graph(*graph, inputs);
            ASSERT_TRUE(loops_to_sequences(*graph));
            graph->validate();
            EXPECT_EQ(count_nodes(*graph, spelling(name).op), 1u);
            EXPECT_EQ(count_nodes(*graph, "Loop") + count_nodes(*graph, "TensorIterator"), 1u);
            const auto after = evaluate_graph(*graph, inputs);
            for (std::size_t i = 0; i < before.size(); ++i) expect_near(after[i], before[i], 2e-6);
            expect_unchanged(*graph, loops_to_sequences);
        }
    }
    LoopForm number;  // slices alone say how often such a loop runs
    number.by_slices = number.gives_number = true;
    expect_unchanged(*loop_over(spelling("torch_gru"), number), loops_to_sequences);
    LoopForm of_cell;
    of_cell.reads_cell = true;
    expect_unchanged(*loop_over(spelling("joined_lstm"), of_cell), loops_to_sequences);
}

}  // namespace
}  // namespace rondo::passes::residual_loop_test
