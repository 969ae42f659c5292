// Counts every allocation of this program: once shapes are known, a run must make none.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/unit/plugins/cpu/plugin/run/allocation_counter.hpp"
#include "tests/unit/plugins/cpu/plugin/run/late_program.hpp"
#include "tests/unit/plugins/cpu/plugin/run/lock_counter.hpp"
#include "tests/unit/plugins/cpu/plugin/run/open_graph.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"
#include "tests/unit/plugins/stateful_graphs.hpp"

namespace rondo::test::allocation_test {
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

// Counts what `run` allocates and locks.
template <typename Run>
void expect_no_costs(Run&& run) {
    const long allocations = allocation_count();
    const long locks = lock_count();
    run();
    EXPECT_EQ(allocation_count() - allocations, 0);
    EXPECT_EQ(lock_count() - locks, 0);
}

// x[start : start + 5] and what follows it, for starts that no run has seen.
TEST(Allocation, AWindowThatMovesMakesNone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,6]");
    const Output start = b.input("start", "[1]", ElementType::i64);
    const Output stop = b.make<ops::Binary>("", ops::BinaryFunction::add, start, b.ints({5}));
    const Output part = b.make<ops::Slice>("", x, start, stop, b.ints({1}), b.ints({0}));
    b.output("y", b.make<ops::Softmax>("", part, -1));
    const auto device = on_cpu(*b.graph());
    auto rng = test_rng();
    std::vector<Tensor> inputs{random_tensor(ElementType::f32, {100, 6}, rng),
                               tensor_of<std::int64_t>({1}, {0})};
    std::vector<Tensor> outputs(1);
    const auto run = [&](std::int64_t at) {
        inputs[1].data<std::int64_t>()[0] = at;
        device.executor->run(inputs, outputs, device.not_cancelled);
    };
    for (std::int64_t at = 0; at < 3; ++at) run(at);
    expect_no_costs([&] {
        for (std::int64_t at = 3; at < 95; ++at) run(at);
    });
}

// Each run makes a new plan after the cut, and costs nothing before it.
TEST(Allocation, NothingIsAllocatedOrLockedBeforeACut) {
    auto rng = test_rng();
    GraphBuilder b;
    const Output x = b.input("x", "[1,40]");
    const Output product =
        b.make<ops::MatMul>("", x, b.constant(random_tensor(ElementType::f32, {40, 60}, rng)));
    const Output soft = b.make<ops::Softmax>("", product, -1);
    const Output flat =
        b.reshape(b.make<ops::Binary>("", ops::BinaryFunction::add, soft, product), {60});
    const Output some = b.make<ops::Unary>("", ops::UnaryFunction::relu, flat);
    b.output("y", b.make<ops::Unary>("", ops::UnaryFunction::tanh, some));
    b.output("soft", soft);
    long allocations = 0;
    long locks = 0;
    OneRun one(late_program(b.graph(), [&] {
        allocations = allocation_count() - allocations;
        locks = lock_count() - locks;
    }));
    std::set<std::size_t> sizes;
    for (int i = 0; i < 20; ++i) {
        const std::vector<Tensor> inputs{random_tensor(ElementType::f32, {1, 40}, rng)};
        std::vector<Tensor> outputs(2);
        allocations = allocation_count();
        locks = lock_count();
        one.run(inputs, outputs);
        sizes.insert(outputs[0].size());
        if (i == 0) continue;
        EXPECT_EQ(allocations, 0) << "run " << i;
        EXPECT_EQ(locks, 0) << "run " << i;
    }
    EXPECT_GT(sizes.size(), 5u);
}

// The variable gets the shape of x: three shapes that take turns.
TEST(Allocation, VariablesWhoseShapesComeBackMakeNone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    b.output("y", b.make<ops::Unary>("", ops::UnaryFunction::tanh, b.read("v", "[?]")));
    b.assign("v", b.make<ops::Unary>("", ops::UnaryFunction::sigmoid, x));
    const auto device = on_cpu(*b.graph());
    std::vector<std::vector<Tensor>> sets;
    for (const std::size_t count : {3, 900, 50})
        sets.push_back({Tensor(ElementType::f32, {count})});
    std::vector<Tensor> outputs(1);
    const auto round = [&] {
        for (const auto& inputs : sets) {
            outputs[0] = {};
            device.executor->run(inputs, outputs, device.not_cancelled);
        }
    };
    for (int i = 0; i < 4; ++i) round();
    expect_no_costs(round);
}

}  // namespace
}  // namespace rondo::test::allocation_test
