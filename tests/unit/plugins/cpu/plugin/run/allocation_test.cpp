// Counts every allocation of this program: once shapes are known, a run must make none.
#include <gtest/gtest.h>

#include <atomic>

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/lstm_sequence.hpp"
#include "core/ops/reduction/softmax.hpp"
#include "core/ops/source/shape_of.hpp"
#include "tests/unit/plugins/cpu/plugin/run/allocation_counter.hpp"
#include "tests/unit/plugins/cpu/plugin/run/open_graph.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"
#include "tests/unit/plugins/stateful_graphs.hpp"

namespace rondo::test {
namespace {

long allocations_of_a_run(Executor& executor, const std::vector<Tensor>& inputs,
                          std::vector<Tensor>& outputs) {
    const std::atomic<bool> not_cancelled{false};
    const auto run = [&] { executor.run(inputs, outputs, not_cancelled); };
    for (int i = 0; i < 3; ++i) run();
    const long before = allocation_count();
    for (int i = 0; i < 10; ++i) run();
    return allocation_count() - before;
}

// A tagger: bidirectional LSTM, layout changes, a dense layer and softmax.
RecurrentGraph tagger(bool with_lengths) {
    RecurrentCase test;
    test.attributes.hidden_size = 64;
    test.attributes.direction = ops::Direction::bidirectional;
    test.batch = 3;
    test.with_lengths = with_lengths;
    test.lengths_type = ElementType::i32;
    auto rng = test_rng();
    auto made = make_recurrent<ops::LSTMSequence>(test);
    const Output y = made.graph->results()[0]->input(0);
    const auto transposed = make_node<ops::Transpose>(y, ops::make_i64({0, 2, 1, 3}, "order"));
    const auto joined =
        make_node<ops::Reshape>(transposed, ops::make_i64({0, 0, 128}, "joined"), true);
    const auto dense =
        make_node<ops::MatMul>(joined, constant(random_tensor(ElementType::f32, {128, 10}, rng)));
    const auto biased = make_node<ops::Binary>(
        ops::BinaryFunction::add, dense, constant(random_tensor(ElementType::f32, {10}, rng)));
    const auto shape = make_node<ops::ShapeOf>(biased);
    made.graph = graph_of(made.graph->parameters(), {make_node<ops::Softmax>(biased, -1), shape});
    return made;
}

TEST(Allocation, ARunWithKnownShapesMakesNone) {
    for (const bool with_lengths : {false, true}) {
        const auto made = tagger(with_lengths);
        for (const char* threads : {"1", "2"}) {
            for (const char* profile : {"NO", "YES"}) {
                const auto device = on_cpu(*made.graph, {{property::kInferenceNumThreads, threads},
                                                         {property::kPerfCount, profile}});
                std::vector<Tensor> outputs(2);
                EXPECT_EQ(allocations_of_a_run(*device.executor, made.inputs, outputs), 0)
                    << threads << " threads, lengths " << with_lengths;
            }
        }
    }
}

TEST(Allocation, NoElementTypeOrOriginOfWeightsMakesAny) {
    for (const ElementType type :
         {ElementType::f32, ElementType::f64, ElementType::f16, ElementType::bf16}) {
        for (const bool constant : {true, false}) {
            RecurrentCase test;
            test.attributes.hidden_size = 24;
            test.type = type;
            test.constant_weights = constant;
            const auto made = make_recurrent<ops::LSTMSequence>(test);
            const auto device = on_cpu(*made.graph);
            std::vector<Tensor> outputs(3);
            EXPECT_EQ(allocations_of_a_run(*device.executor, made.inputs, outputs), 0)
                << to_string(type) << ", constant weights " << constant;
        }
    }
}

TEST(Allocation, TheCounterCounts) {
    const long before = allocation_count();
    const Tensor tensor(ElementType::f32, {4});
    EXPECT_GT(allocation_count(), before);
}

TEST(Allocation, OutputsSetAndStateInPlaceMakeNoneEither) {
    RecurrentCase test;
    test.attributes.hidden_size = 32;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    const auto device = on_cpu(*made.graph);
    std::vector<Tensor> outputs{Tensor(ElementType::f32, {2, 1, 7, 32}), made.inputs[1],
                                made.inputs[2]};
    EXPECT_EQ(allocations_of_a_run(*device.executor, made.inputs, outputs), 0);
}

TEST(Allocation, VariablesMakeNoneEither) {
    Rng rng = test_rng();
    const std::vector<Tensor> chunk{random_tensor(ElementType::f32, {1, 4, 5}, rng),
                                    tensor_of<std::int64_t>({1}, {4})};
    std::vector<Tensor> y(1);
    const auto lstm = on_cpu(*lstm_graph(32, false));
    EXPECT_EQ(allocations_of_a_run(*lstm.executor, chunk, y), 0);
    const auto sum = on_cpu(*sum_of_all("[?]", true));  // y and the variable: one is a copy
    const std::vector<Tensor> x{random_tensor(ElementType::f32, {40}, rng)};
    std::vector<Tensor> outputs(1);
    EXPECT_EQ(allocations_of_a_run(*sum.executor, x, outputs), 0);
}

// Extents that depend on elements: what has run once costs nothing, also where others come between.
TEST(Allocation, ExtentsThatWereSeenMakeNone) {
    auto rng = test_rng();
    for (int round = 0; round < 40; ++round) {
        SCOPED_TRACE(round);
        const auto graph = OpenGraphMaker(rng, false).make(12, 0);
        const auto device = on_cpu(*graph, {{property::kPerfCount, round % 2 == 0 ? "YES" : "NO"}});
        std::vector<std::vector<Tensor>> sets;
        for (int i = 0; i < 4; ++i) sets.push_back(OpenGraphMaker::inputs(rng));
        std::vector<std::vector<Tensor>> outputs(
            sets.size(), std::vector<Tensor>(device.executable->graph()->results().size()));
        const auto run_all = [&] {
            for (std::size_t i = 0; i < sets.size(); ++i) {
                device.executor->run(sets[i], outputs[i], device.not_cancelled);
            }
        };
        for (int i = 0; i < 6; ++i) run_all();
        const long before = allocation_count();
        run_all();
        EXPECT_EQ(allocation_count(), before);
    }
}

}  // namespace
}  // namespace rondo::test
