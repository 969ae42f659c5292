// Once shapes are known, infer() neither allocates nor locks: counted in the whole program.
#include <gtest/gtest.h>

#include <mutex>
#include <shared_mutex>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/core.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/plugin/run/allocation_counter.hpp"
#include "tests/unit/plugins/cpu/plugin/run/lock_counter.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test::steady_infer_test {
namespace {

Properties with_threads(const char* threads) {
    return {{property::kInferenceNumThreads, threads}, {property::kNumStreams, "1"}};
}

void set_inputs(InferRequest& request, const std::vector<Tensor>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
}

// Runs with each set of inputs in turn; the first rounds may allocate and lock.
void expect_steady(const CompiledModel& compiled, const std::vector<std::vector<Tensor>>& sets,
                   const std::string& what) {
    CompiledModel model = compiled;
    InferRequest request = model.create_infer_request();
    const auto round = [&] {
        for (const auto& inputs : sets) {
            set_inputs(request, inputs);
            request.infer();
        }
    };
    for (int i = 0; i < 10; ++i) round();
    const long allocations = allocation_count();
    const long locks = lock_count();
    for (int i = 0; i < 50; ++i) round();
    EXPECT_EQ(allocation_count() - allocations, 0) << what;
    EXPECT_EQ(lock_count() - locks, 0) << what;
}

struct Layer {
    const char* strategy;
    const char* threads;
    std::int64_t hidden;
    std::size_t batch;
    std::size_t time;
    ops::Direction direction = ops::Direction::forward;
};

template <typename Op>
void expect_steady_layer(const Layer& layer) {
    RecurrentCase test;
    test.attributes.hidden_size = layer.hidden;
    test.attributes.direction = layer.direction;
    test.batch = layer.batch;
    test.time = layer.time;
    test.input_size = 8;
    test.open_shapes = false;
    const auto made = make_recurrent<Op>(test);
    const auto compiled =
        Core().compile_model(Model(made.graph), "CPU", with_threads(layer.threads));
    const std::string reason = compiled.kernels().at(0).reason;
    EXPECT_NE(reason.find(std::string("; ") + layer.strategy), std::string::npos) << reason;
    expect_steady(compiled, {made.inputs}, layer.strategy);
}

TEST(SteadyInfer, EveryStrategy) {
    expect_steady_layer<ops::LSTMSequence>({"serial", "1", 16, 1, 5});
    expect_steady_layer<ops::LSTMSequence>({"hidden_split", "2", 192, 1, 12});
    expect_steady_layer<ops::GRUSequence>({"batch_split", "2", 48, 12, 16});
    expect_steady_layer<ops::LSTMSequence>(
        {"direction_split", "2", 32, 2, 32, ops::Direction::bidirectional});
}

TEST(SteadyInfer, StackedLayers) {
    struct Stack {
        const char* strategy;
        const char* threads;
        std::size_t batch, hidden;
    };
    const bool is_plain = instruction_sets().front() == "plain";  // slow, and other strategies pay
    for (const Stack& stack : {Stack{"serial", "1", 1, 32}, Stack{"wavefront 2", "2", 1, 64},
                               Stack{"batch_split 2", "2", 16, 128}}) {
        StackedCase test;
        test.batch = stack.batch;
        test.hidden = test.input = stack.hidden;
        test.time = is_plain ? 8 : 80;
        test.open = false;
        test.with_lengths = stack.batch == 1;
        const auto made = make_stacked(test);
        const auto compiled =
            Core().compile_model(Model(made.graph), "CPU", with_threads(stack.threads));
        std::string reasons;
        for (const auto& row : compiled.kernels()) reasons += row.reason;
        EXPECT_TRUE(is_plain ||
                    reasons.find(std::string("; ") + stack.strategy) != std::string::npos)
            << reasons;
        expect_steady(compiled, {made.inputs}, stack.strategy);
    }
}

// Shapes that take turns: each was seen before.
TEST(SteadyInfer, OpenShapesThatComeBack) {
    RecurrentCase test;
    test.attributes.hidden_size = 16;
    std::vector<std::vector<Tensor>> sets;
    std::shared_ptr<Graph> graph;
    for (const std::size_t time : {3, 9, 1, 4, 7, 5, 2, 8}) {
        test.time = time;
        test.batch = 1 + time % 3;
        const auto made = make_recurrent<ops::LSTMSequence>(test);
        sets.push_back(made.inputs);
        graph = made.graph;
    }
    for (const char* threads : {"1", "2"}) {
        expect_steady(Core().compile_model(Model(graph), "CPU", with_threads(threads)), sets,
                      "open shapes");
    }
}

TEST(SteadyInfer, ANodeThatIsNoLayer) {
    const auto x = parameter("x", {4});
    const auto graph = graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::relu, x)});
    expect_steady(Core().compile_model(Model(graph)), {{Tensor(ElementType::f32, {4})}}, "relu");
}

TEST(SteadyInfer, Resets) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output sum = b.make<ops::Binary>("", ops::BinaryFunction::add, x, b.read("v", "[2]"));
    b.assign("v", sum);
    b.output("y", sum);
    InferRequest request = Core().compile_model(Model(b.graph())).create_infer_request();
    request.set_input_tensor(Tensor(ElementType::f32, {2}));
    const auto round = [&] {
        request.infer();
        request.reset_state();
    };
    for (int i = 0; i < 3; ++i) round();
    const long allocations = allocation_count();
    for (int i = 0; i < 10; ++i) round();
    EXPECT_EQ(allocation_count() - allocations, 0);
}

TEST(SteadyInfer, TheCountersCount) {
    const long before = lock_count();
    std::mutex mutex;
    std::shared_mutex shared;
    { const std::lock_guard lock(mutex); }
    { const std::shared_lock lock(shared); }
    { const std::unique_lock lock(shared); }
    EXPECT_EQ(lock_count() - before, 3);
    const long allocations = allocation_count();
    const Tensor tensor(ElementType::f32, {4});
    EXPECT_GT(allocation_count(), allocations);
}

}  // namespace
}  // namespace rondo::test::steady_infer_test
