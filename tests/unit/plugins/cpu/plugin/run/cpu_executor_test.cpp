#include "plugins/cpu/plugin/run/cpu_executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::cpu_executor_test {
namespace {

constexpr double kTolerance = 4e-6;

Tensor random(const Shape& shape, Rng& rng) { return random_tensor(ElementType::f32, shape, rng); }

// x + tanh(x), and tanh(x) as a second result.
std::shared_ptr<Graph> sum_graph() {
    const auto x = parameter("x", {-1, 4});
    const auto tanh = named(make_node<ops::Unary>(ops::UnaryFunction::tanh, x), "tanh");
    return graph_of(
        {x}, {named(make_node<ops::Binary>(ops::BinaryFunction::add, x, tanh), "sum"), tanh});
}

TEST(CpuExecutor, EmptyOutputsAreItsOwnAndKept) {
    auto rng = test_rng();
    auto device = on_cpu(*sum_graph());
    const std::vector<Tensor> inputs{random({3, 4}, rng)};
    std::vector<Tensor> first(2);
    std::vector<Tensor> second(2);
    device.executor->run(inputs, first, device.not_cancelled);
    device.executor->run(inputs, second, device.not_cancelled);
    EXPECT_EQ(first[0].data(), second[0].data());
    EXPECT_EQ(first[1].data(), second[1].data());
    expect_near(first[0], on_reference(*sum_graph()).run(inputs)[0], 1e-6);
}

TEST(CpuExecutor, SetOutputsAreWrittenTo) {
    auto rng = test_rng();
    auto device = on_cpu(*sum_graph());
    const std::vector<Tensor> inputs{random({3, 4}, rng)};
    std::vector<float> memory(12, 99.0f);
    std::vector<Tensor> outputs{Tensor(), Tensor(ElementType::f32, {3, 4}, memory.data())};
    device.executor->run(inputs, outputs, device.not_cancelled);
    EXPECT_EQ(outputs[1].data(), memory.data());
    expect_near(outputs[1], on_reference(*sum_graph()).run(inputs)[1], 1e-6);
}

TEST(CpuExecutor, OutputsThatDontFitAreRefused) {
    auto rng = test_rng();
    auto device = on_cpu(*sum_graph());
    const std::vector<Tensor> inputs{random({3, 4}, rng)};
    const auto run_with = [&](const Tensor& first, const Tensor& second) {
        return [&, first, second] {
            std::vector<Tensor> outputs{first, second};
            device.executor->run(inputs, outputs, device.not_cancelled);
        };
    };
    expect_error<ModelError>(
        run_with(Tensor(ElementType::f32, {4, 3}), {}),
        "'result_0' (Result): the output tensor is f32[4,3]; expected f32[3,4]");
    expect_error<ModelError>(run_with(Tensor(ElementType::f16, {3, 4}), {}), "f16[3,4]");
    std::vector<float> memory(24);
    expect_error<ModelError>(run_with(Tensor(ElementType::f32, {3, 4}, memory.data(), {32, 4}), {}),
                             "has strides");
    const Tensor shared(ElementType::f32, {3, 4});
    expect_error<ModelError>(run_with(shared, shared),
                             "shares memory with that of node 'result_0'");
}

// A state that is fed back in place: the output is the input's own memory.
TEST(CpuExecutor, AnOutputMayBeAnInput) {
    auto rng = test_rng();
    const auto a = parameter("a", {-1, 4});
    const auto b = parameter("b", {-1, 4});
    const auto sum = make_node<ops::Binary>(ops::BinaryFunction::add, a, b);
    const auto graph =
        graph_of({a, b}, {sum, make_node<ops::Binary>(ops::BinaryFunction::subtract, a, sum), a});
    const std::vector<Tensor> inputs{random({3, 4}, rng), random({3, 4}, rng)};
    const auto expected = on_reference(*graph).run(inputs);
    auto device = on_cpu(*graph);
    std::vector<Tensor> outputs{inputs[0], inputs[1], Tensor()};
    device.executor->run(inputs, outputs, device.not_cancelled);
    for (std::size_t i = 0; i < outputs.size(); ++i) expect_same(outputs[i], expected[i]);
}

TEST(CpuExecutor, ItsOwnOutputMayComeBackAsAnInput) {
    auto rng = test_rng();
    const auto x = parameter("x", {4});
    const auto state = parameter("state", {4});
    const auto graph =
        graph_of({x, state},
                 {make_node<ops::Binary>(ops::BinaryFunction::add, x,
                                         make_node<ops::Unary>(ops::UnaryFunction::tanh, state))});
    auto device = on_cpu(*graph);
    auto reference = on_reference(*graph);
    Tensor actual(ElementType::f32, {4});
    Tensor expected(ElementType::f32, {4});
    for (int step = 0; step < 5; ++step) {
        const Tensor input = random({4}, rng);
        std::vector<Tensor> outputs(1);
        device.executor->run(std::vector<Tensor>{input, actual}, outputs, device.not_cancelled);
        actual = outputs[0];
        expected = reference.run({input, expected})[0];
        expect_near(actual, expected, 1e-5);
    }
}

TEST(CpuExecutor, ParametersConstantsAndViewsMayBeResults) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, 4});
    const auto view = make_node<ops::Reshape>(x, ops::make_i64({2, -1}, "shape"));
    const auto tanh = make_node<ops::Unary>(ops::UnaryFunction::tanh, view);
    const auto flat = make_node<ops::Reshape>(tanh, ops::make_i64({-1}, "flat"));
    const auto fixed = constant(random({3}, rng));
    const auto graph = graph_of({x}, {x, view, fixed, tanh, flat, tanh, fixed});
    expect_like_reference(*graph, {random({4, 4}, rng)}, 1e-6);
    expect_like_reference(*graph, {random({0, 4}, rng)}, 1e-6);
}

TEST(CpuExecutor, NewShapesNeedNoNewExecutable) {
    RecurrentCase test;
    test.attributes.hidden_size = 24;
    test.attributes.direction = ops::Direction::bidirectional;
    test.with_lengths = true;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    auto device = on_cpu(*made.graph);
    auto rng = test_rng();
    std::vector<std::vector<Tensor>> inputs;
    std::vector<std::vector<Tensor>> outputs;
    for (const std::size_t size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
        inputs.push_back({random({size, 2 * size, 11}, rng), random({size, 2, 24}, rng),
                          random({size, 2, 24}, rng),
                          random_tensor(ElementType::i64, {size}, rng, 0, 2.0 * size)});
        outputs.push_back(device.run(inputs.back()));
        const auto expected = on_reference(*made.graph).run(inputs.back());
        for (std::size_t i = 0; i < 3; ++i) {
            expect_near(outputs.back()[i], expected[i], kTolerance);
        }
    }
    for (const std::size_t index : {5, 0, 11, 5, 3, 4, 10, 0}) {  // some plans are gone by now
        const auto again = device.run(inputs[index]);
        for (std::size_t i = 0; i < 3; ++i) expect_same(again[i], outputs[index][i]);
    }
}

TEST(CpuExecutor, AnyThreadCountGivesTheSameBits) {
    RecurrentCase test;
    test.attributes.hidden_size = 96;
    test.attributes.direction = ops::Direction::bidirectional;
    test.batch = 9;
    test.time = 20;
    const auto made = make_recurrent<ops::GRUSequence>(test);
    const auto expected =
        on_cpu(*made.graph, {{property::kInferenceNumThreads, "1"}}).run(made.inputs);
    for (const char* threads : {"2", "3", "8"}) {
        auto device = on_cpu(*made.graph, {{property::kInferenceNumThreads, threads}});
        const auto actual = device.run(made.inputs);
        for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i]);
    }
}

TEST(CpuExecutor, StopsWhenCancelledAndRunsAgain) {
    auto rng = test_rng();
    auto device = on_cpu(*sum_graph());
    const std::vector<Tensor> inputs{random({3, 4}, rng)};
    const std::atomic<bool> cancelled{true};
    std::vector<Tensor> outputs(2);
    expect_error<CancelledError>([&] { device.executor->run(inputs, outputs, cancelled); },
                                 "cancelled");
    EXPECT_NO_THROW(device.run(inputs));
}

TEST(CpuExecutor, ProfilesEachNode) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, 4});
    const auto shape = named(make_node<ops::ShapeOf>(x), "shape");
    const auto view = named(make_node<ops::Reshape>(x, shape), "view");
    const auto graph =
        graph_of({x}, {named(make_node<ops::Unary>(ops::UnaryFunction::tanh, view), "tanh")});
    auto device = on_cpu(*graph, {{property::kPerfCount, "YES"}});
    device.run({random({300, 4}, rng)});
    const auto rows = device.executor->profiling();
    ASSERT_EQ(rows.size(), 3u);
    const auto row_of = [&](const std::string& name) {
        return *std::find_if(rows.begin(), rows.end(),
                             [&](const auto& row) { return row.node_name == name; });
    };
    EXPECT_EQ(row_of("tanh").status, ProfilingInfo::ExecutionStatus::executed);
    EXPECT_TRUE(row_of("tanh").exec_type.starts_with("Tanh_")) << row_of("tanh").exec_type;
    EXPECT_GT(row_of("tanh").real_time_ns.count(), 0);
    EXPECT_EQ(row_of("shape").status, ProfilingInfo::ExecutionStatus::optimized_out);
    EXPECT_EQ(row_of("shape").exec_type, "known from the shapes");
    EXPECT_EQ(row_of("view").exec_type, "view");
    EXPECT_TRUE(on_cpu(*graph).executor->profiling().empty());
}

TEST(CpuExecutor, ProfilesTellTheStrategy) {
    RecurrentCase test;
    test.batch = 1;  // nothing to share on any instruction set
    test.attributes.hidden_size = 16;
    test.open_shapes = false;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    auto device = on_cpu(*made.graph, {{property::kPerfCount, "YES"}});
    device.run(made.inputs);
    const std::string ran = device.executor->profiling().at(0).exec_type;
    EXPECT_TRUE(ran.starts_with("lstm_")) << ran;
    EXPECT_TRUE(ran.ends_with("_f32 serial")) << ran;
}

TEST(CpuExecutor, ProfilesTellTheStrategyOfWeightsThatComeIn) {
    RecurrentCase test;
    test.batch = 1;  // nothing to share on any instruction set
    test.attributes.hidden_size = 16;
    test.open_shapes = false;
    test.constant_weights = false;
    const auto made = make_recurrent<ops::GRUSequence>(test);
    auto device = on_cpu(*made.graph, {{property::kPerfCount, "YES"}});
    device.run(made.inputs);
    const std::string ran = device.executor->profiling().back().exec_type;
    EXPECT_TRUE(ran.starts_with("gru_")) << ran;
    EXPECT_TRUE(ran.ends_with("_f32 serial, weights packed in each run")) << ran;
}

TEST(CpuExecutor, KernelsTellTheirReasons) {
    RecurrentCase test;
    test.open_shapes = false;
    test.batch = 1;  // nothing to share on any instruction set
    test.attributes.hidden_size = 16;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    const auto rows = on_cpu(*made.graph).executable->kernels();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].node_type, "LSTMSequence");
    EXPECT_TRUE(rows[0].kernel.starts_with("lstm_"));
    EXPECT_NE(rows[0].reason.find("constant weights, packed once; serial ("), std::string::npos)
        << rows[0].reason;
    test.open_shapes = true;
    const auto open = make_recurrent<ops::LSTMSequence>(test);
    const auto open_rows = on_cpu(*open.graph).executable->kernels();
    EXPECT_NE(open_rows.back().reason.find("N=1, T=100 would run as "), std::string::npos)
        << open_rows.back().reason;
}

// Shapes that follow from shapes are worked out by the plan.
TEST(CpuExecutor, ShapeArithmeticNeedsNoSecondSegment) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, -1, 4});
    const auto shape = make_node<ops::ShapeOf>(x);
    const auto twice = make_node<ops::Concat>(std::vector<Output>{x, x}, 0);
    const auto pattern =
        make_node<ops::Concat>(std::vector<Output>{ops::make_i64({2}, "two"), shape}, 0);
    const auto graph = graph_of({x}, {make_node<ops::Reshape>(twice, pattern)});
    auto device = on_cpu(*graph, {{property::kPerfCount, "YES"}});
    for (const Shape& size : {Shape{2, 3, 4}, Shape{5, 1, 4}, Shape{2, 3, 4}}) {
        const std::vector<Tensor> inputs{random(size, rng)};
        expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
    }
    for (const auto& row : device.executor->profiling()) {
        EXPECT_NE(row.exec_type, "sizes not known yet") << row.node_name;
    }
}

// A shape that is an input's elements: nothing is known before the run.
TEST(CpuExecutor, ShapesFromElementsAreReadAtACut) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, -1});
    const auto pattern = parameter("pattern", {2}, ElementType::i64);
    const auto view = named(make_node<ops::Reshape>(x, pattern), "view");
    const auto tanh = named(make_node<ops::Unary>(ops::UnaryFunction::tanh, view), "tanh");
    const auto graph = graph_of(
        {x, pattern}, {make_node<ops::Binary>(ops::BinaryFunction::add, tanh, tanh), view, x});
    auto device = on_cpu(*graph, {{property::kPerfCount, "YES"}});
    const Tensor data = random({6, 4}, rng);
    for (const std::int64_t rows : {2, 8, 24, 2}) {
        const std::vector<Tensor> inputs{data, tensor_of<std::int64_t>({2}, {rows, -1})};
        const auto actual = device.run(inputs);
        const auto expected = on_reference(*graph).run(inputs);
        for (std::size_t i = 0; i < 3; ++i) expect_near(actual[i], expected[i], 1e-6);
        EXPECT_EQ(device.executor->profiling().at(0).exec_type, "view");
        EXPECT_EQ(device.executor->profiling().at(1).status,
                  ProfilingInfo::ExecutionStatus::executed);
    }
    expect_error<ModelError>(
        [&] {
            device.run({data, tensor_of<std::int64_t>({2}, {5, -1})});
        },
        "node 'view'");
    std::vector<Tensor> outputs{Tensor(ElementType::f32, {3, 8}), Tensor(), Tensor()};
    const std::vector<Tensor> inputs{data, tensor_of<std::int64_t>({2}, {2, -1})};
    expect_error<ModelError>([&] { device.executor->run(inputs, outputs, device.not_cancelled); },
                             "the output tensor is f32[3,8]; expected f32[2,12]");
    const std::atomic<bool> cancelled{true};
    std::vector<Tensor> empty(3);
    expect_error<CancelledError>([&] { device.executor->run(inputs, empty, cancelled); },
                                 "cancelled");
}

TEST(CpuExecutor, RefusesMoreMemoryThanThereIs) {
    const auto x = parameter("x", {-1, 1});
    const auto y = parameter("y", {1, -1});
    const auto graph =
        graph_of({x, y}, {named(make_node<ops::Binary>(ops::BinaryFunction::add, x, y), "outer")});
    auto device = on_cpu(*graph);
    std::vector<float> memory(1 << 21);
    const Tensor column(ElementType::f32, {1 << 21, 1}, memory.data());
    const Tensor row(ElementType::f32, {1, 1 << 21}, memory.data());
    expect_error<ModelError>(
        [&] {
            device.run({column, row});
        },
        "node 'outer' (Add): the output of shape [2097152,2097152] is too large");
    auto rng = test_rng();
    EXPECT_NO_THROW(device.run({random({2, 1}, rng), random({1, 2}, rng)}));
}

// Plans come and go while others run; every thread must see its own numbers.
TEST(CpuExecutor, ExecutorsRunSideBySide) {
    RecurrentCase test;
    test.attributes.hidden_size = 40;
    const auto made = make_recurrent<ops::GRUSequence>(test);
    auto device = on_cpu(*made.graph);
    auto rng = test_rng();
    std::vector<std::vector<Tensor>> inputs;
    std::vector<std::vector<Tensor>> expected;
    for (const std::size_t batch : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
        inputs.push_back({random({batch, 7, 11}, rng), random({batch, 1, 40}, rng)});
        expected.push_back(device.run(inputs.back()));
    }
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            const auto executor = device.executable->create_executor();
            for (std::size_t i = 0; i < 60; ++i) {
                const std::size_t which = (i / 3 * 5 + thread) % inputs.size();
                std::vector<Tensor> outputs(2);
                executor->run(inputs[which], outputs, device.not_cancelled);
                expect_same(outputs[0], expected[which][0]);
                expect_same(outputs[1], expected[which][1]);
            }
        });
    }
    for (auto& thread : threads) thread.join();
}

// A caller's tensors start wherever their elements may.
TEST(CpuExecutor, TensorsNeedNoAlignmentBeyondTheirElements) {
    RecurrentCase test;
    test.attributes.hidden_size = 33;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    auto device = on_cpu(*made.graph);
    const auto expected = device.run(made.inputs);
    std::vector<std::vector<float>> memory;
    const auto moved = [&](const Tensor& tensor) {
        memory.emplace_back(tensor.size() + 1);
        Tensor odd(ElementType::f32, tensor.shape(), memory.back().data() + 1);
        tensor.copy_to(odd);
        return odd;
    };
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    for (const auto& input : made.inputs) inputs.push_back(moved(input));
    for (const auto& output : expected) outputs.push_back(moved(output));
    device.executor->run(inputs, outputs, device.not_cancelled);
    for (std::size_t i = 0; i < outputs.size(); ++i) expect_same(outputs[i], expected[i]);
}

TEST(CpuExecutor, ExecutorsOfOneExecutableAreIndependent) {
    auto rng = test_rng();
    const auto graph = sum_graph();
    auto device = on_cpu(*graph);
    const auto other = device.executable->create_executor();
    const std::vector<Tensor> a{random({3, 4}, rng)};
    const std::vector<Tensor> b{random({3, 4}, rng)};
    std::vector<Tensor> first(2);
    std::vector<Tensor> second(2);
    device.executor->run(a, first, device.not_cancelled);
    other->run(b, second, device.not_cancelled);
    expect_near(first[0], on_reference(*graph).run(a)[0], 1e-6);
    expect_near(second[0], on_reference(*graph).run(b)[0], 1e-6);
}

}  // namespace
}  // namespace rondo::test::cpu_executor_test
