#include "plugins/cpu/ops/strided_sequence.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ir/ir.hpp"
#include "plugins/cpu/passes/passes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/ops.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test::strided_sequence_test {
namespace {

// X [T,N,I], Y [T,1,N,H].
StackedGraph time_first(bool open = true) {
    StackMaker maker({.open = open});
    GraphBuilder& b = maker.builder();
    const Output x = b.transpose(maker.input("x", {7, 2, 5}, 2), {1, 0, 2});
    const auto layer = maker.layer("layer", ops::CellType::lstm, x, maker.full_lengths(x));
    b.output("y", b.transpose(layer->output(0), {2, 1, 0, 3}));
    b.output("ho", layer->output(1));
    b.output("co", layer->output(2));
    return maker.finish();
}

std::shared_ptr<cpu::StridedSequence> ordered(bool open = true) {
    const auto made = time_first(open);
    cpu::fuse_transposes(*made.graph);
    return as<cpu::StridedSequence>(made.graph->results()[0]->input(0));
}

TEST(StridedSequence, Shapes) {
    const auto open = ordered();
    ASSERT_NE(open, nullptr);
    EXPECT_EQ(inferred(*open, 0), "f32[?,1,?,12]");
    EXPECT_EQ(inferred(*open, 1), "f32[?,1,12]");
    const auto known = ordered(false);
    EXPECT_EQ(inferred(*known, 0), "f32[7,1,2,12]");
    EXPECT_EQ(inferred(*known, 2), "f32[2,1,12]");
}

TEST(StridedSequence, IsPrintedButNotWritten) {
    const auto made = time_first();
    const auto device = on_cpu(*made.graph);
    const Graph& graph = *device.executable->graph();
    EXPECT_NE(to_text(graph).find("{sequence=LSTMSequence, x_order=1, 0, 2, y_order=2, 1, 0, 3, "
                                  "first_order=0, 1, 2, last_order=0, 1, 2}"),
              std::string::npos)
        << to_text(graph);
    const std::string path = temporary_path("model.xml");
    expect_error<UnsupportedError>(
        [&] { ir::write(graph, path); },
        "node 'layer' (LSTMSequence, as StridedSequence): this op is made by");
}

TEST(StridedSequence, ProfilesNameWhatItTookIn) {
    std::vector<std::string> rows;
    for (const auto& row : on_cpu(*time_first().graph).executable->kernels()) {
        if (row.reason == "part of 'layer'") rows.push_back(row.node_type + " " + row.kernel);
    }
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].substr(0, 18), "LSTMSequence lstm_");
    EXPECT_EQ(rows[1], "Transpose strides");
    EXPECT_EQ(rows[2], "Transpose strides");
}

TEST(StridedSequence, AFaultIsThatOfTheSequence) {
    const auto op = ordered();
    auto inputs = op->inputs();
    inputs[1] = parameter("[?,1,11]");
    expect_error<ModelError>([&] { op->clone_with(inputs); }, "node 'layer' (LSTMSequence)");
    inputs = op->inputs();
    inputs[0] = parameter("[?,5]");
    expect_error<ModelError>([&] { op->clone_with(inputs); }, "X");
}

}  // namespace
}  // namespace rondo::test::strided_sequence_test
