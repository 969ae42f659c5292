// Loops and choices on the CPU: the same results as REFERENCE, nested in any way.
#include <gtest/gtest.h>

#include <thread>

#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/nodes/control/body_graph.hpp"

namespace rondo::test::loop_node_test {
namespace {

std::vector<Tensor> infer(InferRequest& request, const std::vector<Tensor>& inputs,
                          std::size_t outputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < outputs; ++i) {
        const Tensor result = request.get_output_tensor(i);
        results.emplace_back(result.element_type(), result.shape());
        result.copy_to(results.back());
    }
    return results;
}

// Runs each set of inputs twice, and all of them again.
void expect_as_reference(const std::shared_ptr<Graph>& graph,
                         const std::vector<std::vector<Tensor>>& sets) {
    const Core core;
    CompiledModel cpu = core.compile_model(Model(graph), "CPU");
    CompiledModel reference = core.compile_model(Model(graph), "REFERENCE");
    InferRequest on_cpu = cpu.create_infer_request();
    InferRequest on_reference = reference.create_infer_request();
    const std::size_t count = graph->results().size();
    for (int round = 0; round < 2; ++round) {
        for (const auto& inputs : sets) {
            const auto expected = infer(on_reference, inputs, count);
            for (int again = 0; again < 2; ++again) {
                const auto actual = infer(on_cpu, inputs, count);
                for (std::size_t i = 0; i < count; ++i) expect_near(actual[i], expected[i], 1e-5);
            }
        }
    }
}

TEST(BodiesOnCpu, RandomGraphsGiveWhatTheReferenceGives) {
    for (int seed = 0; seed < 150 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Rng rng(static_cast<std::uint64_t>(seed));
        const auto graph = BodyGraphMaker(rng).make(static_cast<int>(uniform_int(rng, 1, 6)));
        std::vector<std::vector<Tensor>> sets;
        for (int i = 0; i < 3; ++i) sets.push_back(BodyGraphMaker::inputs(rng));
        expect_as_reference(graph, sets);
    }
}

TEST(BodiesOnCpu, LoopsEndByCountAndByCondition) {
    std::vector<std::vector<Tensor>> sets;
    for (const std::int64_t trips : {0, 1, 3}) {
        for (const bool go : {true, false}) {
            sets.push_back({scalar_of<std::int64_t>(trips), scalar_of<bool>(go),
                            tensor_of<float>({3}, {1, 2, 3}), scalar_of<std::int64_t>(2)});
        }
    }
    expect_as_reference(count_loop(), sets);
}

TEST(BodiesOnCpu, WalksOverPartsOfEveryLayout) {
    for (const bool reversed : {false, true}) {
        std::vector<std::vector<Tensor>> sets;
        Rng rng(5);
        for (const Shape& shape :
             {Shape{1, 3, 2}, Shape{2, 3, 2}, Shape{2, 0, 2}, Shape{3, 1, 2}}) {
            sets.push_back({random_tensor(ElementType::f32, shape, rng),
                            random_tensor(ElementType::f32, {shape[0], 2}, rng)});
        }
        expect_as_reference(running_sum(reversed), sets);
    }
}

// x doubles its rows in each iteration.
TEST(BodiesOnCpu, ShapesMayChangeOnTheWay) {
    GraphBuilder body, builder;
    const Output x = body.input("x", "...");
    body.output("more", flag(body, true));
    body.output("next", body.make<ops::Concat>("", std::vector<Output>{x, x}, 0));
    const std::vector<Output> inputs{builder.input("n", "", ElementType::i64), flag(builder, true),
                                     builder.input("x", "?,2")};
    const auto loop = builder.make<ops::Loop>("loop", inputs, body.graph(),
                                              ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}}},
                                              ops::LoopPorts{{}, 0});
    builder.output("y", add(builder, loop->output(0), builder.constant(scalar_of<float>(1))));
    std::vector<std::vector<Tensor>> sets;
    for (const std::int64_t trips : {3, 0, 1}) {
        sets.push_back({scalar_of<std::int64_t>(trips), tensor_of<float>({1, 2}, {5, 6})});
    }
    expect_as_reference(builder.graph(), sets);
}

// The branches' shapes differ, so the condition decides what is planned.
TEST(BodiesOnCpu, ChoicesMayHaveTwoShapes) {
    const Tensor x = tensor_of<float>({1, 3}, {1, 2, 3});
    const Tensor y = tensor_of<float>({2, 3}, {10, 20, 30, 40, 50, 60});
    expect_as_reference(choice(), {{scalar_of<bool>(true), x, y},
                                   {scalar_of<bool>(false), x, y},
                                   {scalar_of<bool>(true), y, y}});
}

// Shapes that suit one branch only are those for which it is taken.
TEST(BodiesOnCpu, ABranchThatIsNotTakenNeedNotFit) {
    const Tensor x = tensor_of<float>({1, 3}, {1, 2, 3});
    const Tensor y = tensor_of<float>({1, 4}, {1, 2, 3, 4});
    const auto graph = choice("?,?", "?,?");
    expect_as_reference(graph, {{scalar_of<bool>(true), x, y}, {scalar_of<bool>(false), x, x}});
    InferRequest request = Core().compile_model(Model(graph), "CPU").create_infer_request();
    expect_error<ModelError>(
        [&] {
            infer(request, {scalar_of<bool>(false), x, y}, 1);
        },
        "node 'node_1' (Add): shapes [1,3] and [1,4] can't be broadcast");
}

// A byte of a caller's memory that is neither 0 nor 1.
TEST(BodiesOnCpu, EveryByteButZeroIsTrue) {
    unsigned char byte = 2;
    const Tensor condition(ElementType::boolean, {}, static_cast<void*>(&byte));
    const Tensor x = tensor_of<float>({1, 3}, {1, 2, 3});
    for (const char* device : {"CPU", "REFERENCE"}) {
        InferRequest request = Core().compile_model(Model(choice()), device).create_infer_request();
        expect_same(infer(request, {condition, x, x}, 1)[0], tensor_of<float>({1, 3}, {2, 3, 4}));
    }
}

// Inputs n, c, x and y: x + y once an iteration, where c is true.
std::shared_ptr<Graph> sum_loop(bool joined) {
    GraphBuilder body, builder;
    const Output x = body.input("bx", "?");
    const Output sum = add(body, x, body.input("by", "?"));
    body.output("goes_on", flag(body, true));
    body.output("sum", joined ? body.unsqueeze(sum, {0}) : sum);
    const std::vector<Output> inputs{builder.input("n", "", ElementType::i64),
                                     builder.input("c", "", ElementType::boolean),
                                     builder.input("x", "?"), builder.input("y", "?")};
    ops::BodyPorts ports{{{2, 0, {}, {}}, {3, 1, {}, {}}}, {{0, 1, {}}}};
    if (joined) ports.outputs[0].concat = ops::PartRange{};
    if (!joined) ports.inputs[0].back_edge = 1;
    const auto loop =
        builder.make<ops::Loop>("loop", inputs, body.graph(), ports, ops::LoopPorts{{}, 0});
    builder.output("last", loop->output(0));
    return builder.graph();
}

TEST(BodiesOnCpu, ABodyThatNeverRunsNeedNotFit) {
    const Tensor x = tensor_of<float>({3}, {1, 2, 3});
    const Tensor y = tensor_of<float>({4}, {1, 2, 3, 4});
    const auto two = scalar_of<std::int64_t>(2);
    const auto none = scalar_of<std::int64_t>(0);
    for (const bool joined : {false, true}) {
        SCOPED_TRACE(joined);
        const auto graph = sum_loop(joined);
        expect_as_reference(graph, {{two, scalar_of<bool>(false), x, y},
                                    {none, scalar_of<bool>(true), x, y},
                                    {two, scalar_of<bool>(true), x, x},
                                    {two, scalar_of<bool>(false), x, y}});
        InferRequest request = Core().compile_model(Model(graph), "CPU").create_infer_request();
        expect_error<ModelError>(
            [&] {
                infer(request, {two, scalar_of<bool>(true), x, y}, 1);
            },
            "(Add): shapes [3] and [4] can't be broadcast");
    }
}

TEST(BodiesOnCpu, RefusesMoreIterationsThanAnOutputCanHold) {
    const Tensor x = tensor_of<float>({4}, {1, 2, 3, 4});
    InferRequest request =
        Core().compile_model(Model(sum_loop(true)), "CPU").create_infer_request();
    const auto most = scalar_of<std::int64_t>(std::int64_t{1} << 62);
    expect_error<ModelError>(
        [&] {
            infer(request, {most, scalar_of<bool>(true), x, x}, 1);
        },
        "iterations make an output too large");
}

TEST(BodiesOnCpu, AreShownInParts) {
    const Core core;
    CompiledModel model = core.compile_model(Model(running_sum()), "CPU");
    bool found = false;
    for (const KernelInfo& row : model.kernels()) {
        found = found || (row.node_type == "Add" && row.reason == "part of 'walk'");
    }
    EXPECT_TRUE(found);
}

// As count_loop(), with the last value alone: its shape is known before the run.
std::shared_ptr<Graph> last_of_count_loop() {
    GraphBuilder builder;
    const std::vector<Output> inputs{
        builder.input("n", "", ElementType::i64), builder.input("c", "", ElementType::boolean),
        builder.input("x", "3"), builder.input("left", "", ElementType::i64)};
    ops::BodyPorts ports = count_ports();
    ports.outputs.pop_back();
    const auto loop =
        builder.make<ops::Loop>("loop", inputs, count_body(), ports, ops::LoopPorts{0, 0});
    builder.output("last", loop->output(0));
    return builder.graph();
}

TEST(BodiesOnCpu, AnEndlessLoopCanBeCancelled) {
    for (const auto& graph : {last_of_count_loop(), count_loop()}) {
        for (const char* device : {"CPU", "REFERENCE"}) {
            SCOPED_TRACE(device);
            CompiledModel model = Core().compile_model(Model(graph), device);
            InferRequest request = model.create_infer_request();
            request.set_input_tensor(0, scalar_of<std::int64_t>(-1));
            request.set_input_tensor(1, scalar_of<bool>(true));
            request.set_input_tensor(2, tensor_of<float>({3}, {1, 2, 3}));
            request.set_input_tensor(3, scalar_of<std::int64_t>(0));  // -1, -2 ...: never 0 again
            request.start_async();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            request.cancel();
            expect_error<CancelledError>([&] { request.wait(); }, "cancelled");
        }
    }
}

}  // namespace
}  // namespace rondo::test::loop_node_test
