#include <gtest/gtest.h>

#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test::sequence_stack_node_test {
namespace {

using ops::CellType;

const Properties kOneThread = {{property::kInferenceNumThreads, "1"}};
const Properties kTwoThreads = {{property::kInferenceNumThreads, "2"}};

void expect_like_apart(const StackedCase& test, const std::string& what) {
    SCOPED_TRACE(what);
    const auto together = make_stacked(test), apart = make_apart(test);
    const auto expected = on_cpu(*apart.graph, kOneThread).run(apart.inputs);
    for (const Properties& threads : {kOneThread, kTwoThreads}) {
        auto device = on_cpu(*together.graph, threads);
        EXPECT_EQ(device.executable->kernels().back().reason.substr(0, 7), "part of");
        for (int run = 0; run < 2; ++run) {
            const auto actual = device.run(together.inputs);
            ASSERT_EQ(actual.size(), expected.size());
            for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i]);
        }
    }
}

TEST(SequenceStackNode, HasTheBitsOfLayersApart) {
    struct Sizes {
        std::size_t batch, time, hidden;
    };
    for (const Sizes& sizes : {Sizes{1, 40, 64}, Sizes{5, 16, 96}, Sizes{1, 1, 64}, Sizes{2, 0, 16},
                               Sizes{0, 4, 16}, Sizes{1, 60, 33}}) {
        for (const auto type :
             {ElementType::f32, ElementType::f64, ElementType::f16, ElementType::bf16}) {
            for (const bool lengths : {false, true}) {
                StackedCase test;
                test.batch = sizes.batch;
                test.time = sizes.time;
                test.hidden = sizes.hidden;
                test.type = type;
                test.with_lengths = lengths;
                test.lengths_type = sizes.time % 3 == 0 ? ElementType::i32 : ElementType::i64;
                test.inner_results = sizes.hidden % 2 == 0;
                expect_like_apart(test, std::string(to_string(type)) + ", N " +
                                            std::to_string(sizes.batch) + ", T " +
                                            std::to_string(sizes.time));
            }
        }
    }
}

TEST(SequenceStackNode, WeightsThatStay16BitsWide) {
    for (const auto stored : {ElementType::f16, ElementType::bf16}) {
        StackedCase test;
        test.stored = stored;
        test.time = 50;
        expect_like_apart(test, std::string(to_string(stored)));
        const auto rows = on_cpu(*make_stacked(test).graph).executable->kernels();
        const std::string suffix = stored == ElementType::f16 ? "_f16w" : "_bf16w";
        EXPECT_NE(rows.back().kernel.find(suffix), std::string::npos) << rows.back().kernel;
    }
}

TEST(SequenceStackNode, IsNearTheReference) {
    StackedCase test;
    test.kinds = {CellType::gru, CellType::rnn, CellType::lstm};
    test.direction = ops::Direction::reverse;
    test.with_lengths = true;
    const auto made = make_stacked(test);
    expect_like_reference(*made.graph, made.inputs, 4e-6);
}

TEST(SequenceStackNode, ALengthThatIsTooLong) {
    StackedCase test;
    test.with_lengths = true;
    auto made = make_stacked(test);
    made.inputs.back() = tensor_of<std::int64_t>({2}, {3, 8});
    auto device = on_cpu(*made.graph);
    expect_error<ModelError>([&] { device.run(made.inputs); }, "node 'layer_0' (LSTMSequence)");
}

TEST(SequenceStackNode, SaysWhatItWouldDo) {
    StackedCase test;
    test.input = test.hidden = 64;
    test.kinds = {CellType::lstm, CellType::lstm};
    test.batch = 1;
    test.time = 100;
    test.open = false;
    const auto rows = on_cpu(*make_stacked(test).graph, kTwoThreads).executable->kernels();
    ASSERT_GE(rows.size(), 3u);
    const auto& stack = rows[rows.size() - 3];
    EXPECT_EQ(stack.node_name, "layer_0 + layer_1");
    EXPECT_EQ(stack.node_type, "SequenceStack");
    EXPECT_TRUE(stack.kernel.starts_with("lstm_")) << stack.kernel;
    const std::string packed = "2 stacked layers, constant weights, packed once; ";
    // Plain steps last so long that others share them better.
    const bool is_plain = stack.kernel.find("plain") != std::string::npos;
    EXPECT_TRUE(stack.reason.starts_with(packed + (is_plain ? "one by one: " : "wavefront 2 (")))
        << stack.reason;
    EXPECT_EQ(rows.back().node_name, "layer_1");
    EXPECT_EQ(rows.back().node_type, "LSTMSequence");
    EXPECT_EQ(rows.back().reason, "part of 'layer_0 + layer_1'");
    test.open = true;
    for (const auto& row : on_cpu(*make_stacked(test).graph, kOneThread).executable->kernels()) {
        if (row.node_type != "SequenceStack") continue;
        EXPECT_NE(row.reason.find("T=100 would run as serial (one thread)"), std::string::npos)
            << row.reason;
    }
}

TEST(SequenceStackNode, AProfileHasARowForEachLayer) {
    StackedCase test;
    test.kinds = {CellType::lstm, CellType::gru};
    const auto made = make_stacked(test);
    auto properties = kOneThread;
    properties[property::kPerfCount] = "YES";
    auto device = on_cpu(*made.graph, properties);
    device.run(made.inputs);
    const auto rows = device.executor->profiling();
    ASSERT_GE(rows.size(), 3u);
    const auto& stack = rows[rows.size() - 3];
    EXPECT_EQ(stack.node_name, "layer_0 + layer_1");
    EXPECT_EQ(stack.status, ProfilingInfo::ExecutionStatus::executed);
    EXPECT_GT(stack.real_time_ns.count(), 0);
    EXPECT_NE(stack.exec_type.find(" + gru_"), std::string::npos) << stack.exec_type;
    EXPECT_NE(stack.exec_type.find(" serial"), std::string::npos) << stack.exec_type;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& layer = rows[rows.size() - 2 + i];
        EXPECT_EQ(layer.node_name, "layer_" + std::to_string(i));
        EXPECT_EQ(layer.status, ProfilingInfo::ExecutionStatus::optimized_out);
        EXPECT_EQ(layer.exec_type, "part of 'layer_0 + layer_1'");
    }
}

}  // namespace
}  // namespace rondo::test::sequence_stack_node_test
