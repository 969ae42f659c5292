// Variables on the CPU device, and that the reference device agrees.
#include <gtest/gtest.h>

#include "core/ops/source/source_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/stateful_graphs.hpp"

namespace rondo::test::stateful_run_test {
namespace {

Tensor floats(const std::vector<float>& values) {
    return tensor_of<float>({values.size()}, values);
}

// Both devices, step by step: results and variables.
void expect_devices_agree(const Graph& graph, const std::vector<std::vector<Tensor>>& steps,
                          SourceLocation where = SourceLocation::current()) {
    auto cpu = on_cpu(graph);
    auto reference = on_reference(graph);
    for (const auto& inputs : steps) {
        const auto expected = reference.run(inputs);
        const auto actual = cpu.run(inputs);
        for (std::size_t i = 0; i < actual.size(); ++i) {
            expect_near(actual[i], expected[i], 4e-6, 0, where);
        }
        const auto values = values_of(cpu);
        const auto expected_values = values_of(reference);
        for (std::size_t i = 0; i < values.size(); ++i) {
            expect_near(values[i], expected_values[i], 4e-6, 0, where);
        }
    }
}

TEST(StatefulRun, StartsFromZerosOrTheInitInput) {
    for (const char* shape : {"[2]", "[?]"}) {
        auto device = on_cpu(*sum_of_all("[2]", false));
        expect_same(device.run({floats({1, 2})})[0], floats({1, 2}));
        expect_same(device.run({floats({1, 2})})[0], floats({2, 4}));
        auto started = on_cpu(*sum_of_all(shape, true));
        expect_same(started.run({floats({1, 2})})[0], floats({3, 6}));
        expect_same(started.run({floats({1, 2})})[0], floats({4, 8}));
        started.executor->variables()[0].reset();
        expect_same(started.run({floats({5, 0})})[0], floats({15, 0}));
        expect_same(started.run({floats({1, 0})})[0], floats({16, 0}));
    }
}

// A batch that is open: the state has as many rows as what was assigned or set.
TEST(StatefulRun, ShapesFollowTheValue) {
    auto device = on_cpu(*sum_of_all("[?]", true));
    expect_same(device.run({floats({1, 2})})[0], floats({3, 6}));
    expect_error<ModelError>([&] { device.run({floats({1, 2, 3})}); }, "'add' (Add)");
    expect_same(values_of(device)[0], floats({3, 6}));
    device.executor->variables()[0].set(floats({10, 20, 30}));
    expect_same(device.run({floats({1, 2, 3})})[0], floats({11, 22, 33}));
    device.executor->variables()[0].reset();
    expect_same(device.run({floats({1, 2, 3, 4})})[0], floats({3, 6, 9, 12}));
}

// A memory that grows by what comes in.
TEST(StatefulRun, AVariableMayGrow) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output all = b.make<ops::Concat>("all", std::vector<Output>{b.read("all", "[?]"), x}, 0);
    b.output("y", all);
    b.output("count", b.make<ops::ShapeOf>("count", all));
    b.assign("all", all);
    expect_devices_agree(*b.graph(),
                         {{floats({1})}, {floats({2, 3})}, {floats({})}, {floats({4})}});
    auto device = on_cpu(*b.graph());
    device.run({floats({1})});
    device.run({floats({2, 3})});
    expect_same(values_of(device)[0], floats({1, 2, 3}));
}

TEST(StatefulRun, ChunksGiveTheBitsOfTheWhole) {
    for (const std::size_t hidden : {3, 24, 64}) {
        Rng rng = test_rng();
        const Tensor x = random_tensor(ElementType::f32, {1, 12, 5}, rng);
        const Tensor zeros(ElementType::f32, {1, 1, hidden});
        const auto whole = on_cpu(*lstm_graph(hidden, true))
                               .run({x, zeros, zeros, tensor_of<std::int64_t>({1}, {12})});
        auto device = on_cpu(*lstm_graph(hidden, false));
        std::size_t at = 0;
        for (const std::size_t length : {1, 4, 4, 2, 1}) {
            const Tensor chunk(ElementType::f32, {1, length, 5},
                               const_cast<float*>(x.data<float>()) + at * 5);
            const Tensor y = device.run(
                {chunk, tensor_of<std::int64_t>({1}, {static_cast<std::int64_t>(length)})})[0];
            const Tensor expected(ElementType::f32, y.shape(),
                                  const_cast<float*>(whole[0].data<float>()) + at * hidden);
            expect_same(y, expected);
            at += length;
        }
        expect_same(values_of(device)[0], whole[1]);
        expect_same(values_of(device)[1], whole[2]);
    }
}

// What is read, what is assigned and what is handed out in every mix, all without a copy of ours.
TEST(StatefulRun, VariablesResultsAndViewsMayBeOne) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    const Output a = b.read("a", "[2,3]");
    const Output c =
        b.read("c", "[2,3]", {b.constant(tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6}))});
    const Output d = b.read("d", "[3,2]", {b.reshape(x, {3, 2})});
    b.output("a_before", a);
    b.output("view", b.reshape(c, {6}));
    b.output("sum", b.make<ops::Binary>("sum", ops::BinaryFunction::add, a, c));
    b.assign("a", c);  // they swap
    b.assign("c", a);
    b.assign("d", b.reshape(b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh,
                                               b.make<ops::Binary>("", ops::BinaryFunction::add,
                                                                   b.reshape(d, {2, 3}), x)),
                            {3, 2}));
    b.assign("fixed", b.constant(tensor_of<float>({1}, {7})));
    b.assign("input", x);
    b.assign("same", b.read("same", "[4]"));
    b.output("fixed_before", b.read("fixed", "[1]"));
    b.output("input_before", b.read("input", "[2,3]"));
    Rng rng = test_rng();
    std::vector<std::vector<Tensor>> steps;
    for (int i = 0; i < 4; ++i) steps.push_back({random_tensor(ElementType::f32, {2, 3}, rng)});
    expect_devices_agree(*b.graph(), steps);
}

// The init input's shape is known after a cut only; later inferences read the variable before it.
TEST(StatefulRun, AnInitInputMayStandBehindACut) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const Output pattern = b.input("pattern", "[2]", ElementType::i64);
    const Output view = b.make<ops::Reshape>("view", x, pattern, true);
    const Output sum =
        b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("sum", "[?,?]", {view}), view);
    b.output("y", sum);
    b.assign("sum", sum);
    Rng rng = test_rng();
    std::vector<std::vector<Tensor>> steps;
    for (int i = 0; i < 3; ++i) {
        steps.push_back(
            {random_tensor(ElementType::f32, {4, 6}, rng), tensor_of<std::int64_t>({2}, {3, 8})});
    }
    expect_devices_agree(*b.graph(), steps);
    auto device = on_cpu(*b.graph());
    device.run(steps[0]);
    const Tensor before = values_of(device)[0];
    std::vector<Tensor> wrong{Tensor(ElementType::f32, {1})};
    expect_error<ModelError>([&] { device.executor->run(steps[0], wrong, device.not_cancelled); },
                             "the output tensor is f32[1]");
    expect_same(values_of(device)[0], before);
}

class StatefulFailure : public ::testing::TestWithParam<bool> {
protected:
    static DeviceRun device_of(const Graph& graph) {
        return GetParam() ? on_cpu(graph) : on_reference(graph);
    }
};
INSTANTIATE_TEST_SUITE_P(Devices, StatefulFailure, testing::Bool());

TEST_P(StatefulFailure, LeavesVariablesAsTheyWere) {
    auto device = device_of(*sum_of_all("[2]", true));
    const std::atomic<bool> cancelled{true};
    std::vector<Tensor> outputs(1);
    const auto cancel = [&] {
        device.executor->run(std::vector{floats({9, 9})}, outputs, cancelled);
    };
    expect_error<CancelledError>(cancel, "cancelled");
    EXPECT_FALSE(device.executor->variables()[0].value());
    device.run({floats({1, 2})});
    outputs.assign(1, Tensor());
    expect_error<CancelledError>(cancel, "cancelled");
    std::vector<Tensor> wrong{floats({1})};
    expect_error<ModelError>(
        [&] {
            device.executor->run(std::vector{floats({9, 9})}, wrong, device.not_cancelled);
        },
        "expected f32[2]");
    expect_same(values_of(device)[0], floats({3, 6}));
    expect_same(device.run({floats({1, 2})})[0], floats({4, 8}));
}

// The first variable could take its value, the second can't: neither does.
TEST_P(StatefulFailure, AssignsAllOrNone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    b.output("y", b.make<ops::Binary>("", ops::BinaryFunction::add, b.read("any", "[?]", {x}),
                                      b.read("bounded", "[1..2]", {x})));
    b.assign("any", x);
    b.assign("bounded", x);
    auto device = device_of(*b.graph());
    device.run({floats({1, 2})});
    for (auto& variable : device.executor->variables()) variable.set(floats({7}));
    expect_error<ModelError>(
        [&] {
            device.run({floats({1, 2, 3})});
        },
        "node 'assign_bounded' (Assign): variable 'bounded' can't become a "
        "tensor of shape [3]; expected [1..2]");
    for (const auto& value : values_of(device)) expect_same(value, floats({7}));
}

TEST_P(StatefulFailure, AnInitInputMustFit) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    b.output("y", b.read("v", "[1..2]", {x}));
    b.assign("v", b.read("w", "[1..2]", {x}));
    b.assign("w", x);
    auto device = device_of(*b.graph());
    expect_error<ModelError>(
        [&] {
            device.run({floats({1, 2, 3})});
        },
        "(ReadValue): the init input has shape [3]; expected the variable's");
    expect_same(device.run({floats({1, 2})})[0], floats({1, 2}));
}

TEST_P(StatefulFailure, ExecutorsShareNothing) {
    auto device = device_of(*sum_of_all("[2]", false));
    const auto other = device.executable->create_executor();
    device.run({floats({1, 2})});
    std::vector<Tensor> outputs(1);
    other->run(std::vector{floats({5, 5})}, outputs, device.not_cancelled);
    expect_same(outputs[0], floats({5, 5}));
    expect_same(device.run({floats({1, 2})})[0], floats({2, 4}));
}

// An Assign hands its input on, should anybody read it.
TEST_P(StatefulFailure, AnAssignsOutputIsItsInput) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output sum = b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("v", "[2]"), x);
    b.assign("v", sum);
    const auto graph = b.graph();
    const auto result = make_node<ops::Result>(graph->sinks()[0]);
    result->set_name("y");
    const Graph with_result("g", graph->parameters(), {result}, graph->sinks());
    auto device = device_of(with_result);
    device.run({floats({1, 2})});
    expect_same(device.run({floats({1, 2})})[0], floats({2, 4}));
}

TEST(StatefulRun, ProfilesAndKernelsNameTheVariable) {
    auto device = on_cpu(*sum_of_all("[2]", true), {{property::kPerfCount, "YES"}});
    const auto kernels = device.executable->kernels();
    EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(), [](const auto& row) {
        return row.node_name == "read_sum" && row.kernel == "variable";
    }));
    device.run({floats({1, 2})});
    device.run({floats({1, 2})});
    for (const auto& row : device.executor->profiling()) {
        if (row.node_name == "add") continue;
        EXPECT_EQ(row.exec_type, row.node_name == "twice" ? "not needed" : "view");
    }
}

}  // namespace
}  // namespace rondo::test::stateful_run_test
