#include "plugins/reference/reference_plugin.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/mystery_op.hpp"
#include "tests/unit/plugins/stateful_graphs.hpp"

namespace rondo::test::reference_plugin_test {
namespace {

std::shared_ptr<Graph> double_graph() {
    const auto x = parameter("x", {-1});
    const auto sum = named(make_node<ops::Binary>(ops::BinaryFunction::add, x, x), "sum");
    return graph_of({x}, {sum, x});
}

const std::vector<Tensor> kInputs{tensor_of<float>({3}, {1, 2, 3})};

TEST(ReferencePlugin, RunsNodeByNode) {
    auto device = on_reference(*double_graph());
    const auto outputs = device.run(kInputs);
    expect_same(outputs[0], tensor_of<float>({3}, {2, 4, 6}));
    expect_same(outputs[1], kInputs[0]);
    expect_same(device.run({tensor_of<float>({1}, {5})})[0], tensor_of<float>({1}, {10}));
}

TEST(ReferencePlugin, WritesToSetOutputsAndChecksThem) {
    auto device = on_reference(*double_graph());
    std::vector<Tensor> outputs{Tensor(ElementType::f32, {3}), Tensor()};
    const void* memory = outputs[0].data();
    device.executor->run(kInputs, outputs, device.not_cancelled);
    EXPECT_EQ(outputs[0].data(), memory);
    expect_same(outputs[0], tensor_of<float>({3}, {2, 4, 6}));
    EXPECT_NE(outputs[1].data(), kInputs[0].data());
    outputs = {Tensor(ElementType::f32, {4}), Tensor()};
    expect_error<ModelError>([&] { device.executor->run(kInputs, outputs, device.not_cancelled); },
                             "'result_0' (Result): the output tensor is f32[4]; expected f32[3]");
}

TEST(ReferencePlugin, KeepsItsOwnOutputs) {
    auto device = on_reference(*double_graph());
    std::vector<Tensor> first(2);
    std::vector<Tensor> second(2);
    device.executor->run(kInputs, first, device.not_cancelled);
    device.executor->run(kInputs, second, device.not_cancelled);
    EXPECT_EQ(first[0].data(), second[0].data());
}

TEST(ReferencePlugin, ShapesMayDependOnElements) {
    const auto x = parameter("x", {-1});
    const auto pattern = parameter("pattern", {2}, ElementType::i64);
    const auto graph = graph_of({x, pattern}, {make_node<ops::Reshape>(x, pattern)});
    const auto outputs =
        on_reference(*graph).run({kInputs[0], tensor_of<std::int64_t>({2}, {3, 1})});
    EXPECT_EQ(outputs[0].shape(), (Shape{3, 1}));
}

TEST(ReferencePlugin, StopsWhenCancelled) {
    auto device = on_reference(*double_graph());
    const std::atomic<bool> cancelled{true};
    std::vector<Tensor> outputs(2);
    expect_error<CancelledError>([&] { device.executor->run(kInputs, outputs, cancelled); },
                                 "cancelled");
}

TEST(ReferencePlugin, KeepsVariables) {
    for (const bool init : {false, true}) {
        auto device = on_reference(*sum_of_all("[2]", init));
        const Tensor x = tensor_of<float>({2}, {1, 2});
        const float first = init ? 3 : 1;
        expect_same(device.run({x})[0], tensor_of<float>({2}, {first, 2 * first}));
        expect_same(device.run({x})[0], tensor_of<float>({2}, {first + 1, 2 * first + 2}));
        device.executor->variables()[0].reset();
        expect_same(device.run({x})[0], tensor_of<float>({2}, {first, 2 * first}));
    }
}

TEST(ReferencePlugin, ProfilesOnRequest) {
    DeviceRun device(reference::make_reference_plugin(), *double_graph(),
                     {{property::kPerfCount, "YES"}});
    EXPECT_EQ(device.executor->profiling().at(0).status, ProfilingInfo::ExecutionStatus::not_run);
    device.run(kInputs);
    const auto rows = device.executor->profiling();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].node_name, "sum");
    EXPECT_EQ(rows[0].exec_type, "reference");
    EXPECT_EQ(rows[0].status, ProfilingInfo::ExecutionStatus::executed);
    EXPECT_TRUE(on_reference(*double_graph()).executor->profiling().empty());
    EXPECT_EQ(device.executable->kernels().at(0).kernel, "reference");
}

TEST(ReferencePlugin, ChecksItsProperties) {
    const auto plugin = reference::make_reference_plugin();
    EXPECT_NO_THROW(plugin->check_property(property::kPerfCount, "NO"));
    expect_error<ModelError>([&] { plugin->check_property(property::kPerfCount, "2"); },
                             "expected YES or NO");
    expect_error<ModelError>([&] { plugin->check_property(property::kFullDeviceName, "x"); },
                             "can only be read");
    EXPECT_EQ(plugin->properties().at(property::kExecutionDevices), "REFERENCE");
}

TEST(ReferencePlugin, NamesTheNodeThatItCantRun) {
    const auto x = parameter("x", {2});
    const auto what = named(make_node<Mystery>(std::vector<Output>{x}), "what");
    const auto graph = graph_of({x}, {what});
    expect_error<UnsupportedError>([&] { on_reference(*graph); },
                                   "node 'what' (Mystery): the op has no reference evaluator");
}

}  // namespace
}  // namespace rondo::test::reference_plugin_test
