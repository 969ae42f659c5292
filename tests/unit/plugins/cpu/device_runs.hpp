// Small graphs on a device, for the tests of plugins.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/plugin.hpp"
#include "plugins/cpu/plugin/cpu_plugin.hpp"
#include "plugins/reference/reference_plugin.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/source_location.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

template <typename T>
std::shared_ptr<T> named(std::shared_ptr<T> node, const std::string& name) {
    node->set_name(name);
    return node;
}

inline NodePtr parameter(const std::string& name, const PartialShape& shape,
                         ElementType type = ElementType::f32) {
    return named(make_node<ops::Parameter>(type, shape), name);
}

/// A result for each output, named "result_0" and so on.
inline std::shared_ptr<Graph> graph_of(std::vector<NodePtr> parameters,
                                       const std::vector<Output>& outputs) {
    std::vector<NodePtr> results;
    for (const auto& output : outputs) {
        results.push_back(
            named(make_node<ops::Result>(output), "result_" + std::to_string(results.size())));
    }
    return std::make_shared<Graph>("test", std::move(parameters), std::move(results));
}

/// A clone of a graph on a device, with one executor.
class DeviceRun {
public:
    DeviceRun(std::unique_ptr<Plugin> plugin, const Graph& graph, Properties properties = {}) {
        properties.merge(plugin->properties());
        executable = plugin->compile(graph.clone(), properties);
        executor = executable->create_executor();
    }

    /// The executor's own outputs, copied.
    std::vector<Tensor> run(const std::vector<Tensor>& inputs) {
        std::vector<Tensor> outputs(executable->graph()->results().size());
        executor->run(inputs, outputs, not_cancelled);
        for (auto& output : outputs) {
            Tensor copy(output.element_type(), output.shape());
            output.copy_to(copy);
            output = copy;
        }
        return outputs;
    }

    std::unique_ptr<Executable> executable;
    std::unique_ptr<Executor> executor;
    std::atomic<bool> not_cancelled{false};
};

/// The runtime model of what a device has compiled.
inline std::shared_ptr<Graph> runtime_graph(const DeviceRun& device) {
    return device.executable->runtime_graph(device.executable->graph()->clone());
}

inline DeviceRun on_cpu(const Graph& graph, const Properties& properties = {}) {
    return {cpu::make_cpu_plugin(), graph, properties};
}

inline DeviceRun on_reference(const Graph& graph) {
    return {reference::make_reference_plugin(), graph};
}

/// Fails unless the CPU's results are those of the reference, within `absolute`.
inline void expect_like_reference(const Graph& graph, const std::vector<Tensor>& inputs,
                                  double absolute = 0, double relative = 0,
                                  SourceLocation where = SourceLocation::current()) {
    const auto expected = on_reference(graph).run(inputs);
    const auto actual = on_cpu(graph).run(inputs);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        expect_near(actual[i], expected[i], absolute, relative, where);
    }
}

/// The kernel that the CPU chose for the node of that name, and why; empty where there is none.
inline KernelInfo kernel_row_of(const Graph& graph, const std::string& name,
                                const Properties& properties = {}) {
    for (const auto& row : on_cpu(graph, properties).executable->kernels()) {
        if (row.node_name == name) return row;
    }
    return {};
}
inline std::string kernel_of(const Graph& graph, const std::string& name,
                             const Properties& properties = {}) {
    return kernel_row_of(graph, name, properties).kernel;
}
inline std::string reason_of(const Graph& graph, const std::string& name) {
    return kernel_row_of(graph, name).reason;
}

}  // namespace rondo::test
