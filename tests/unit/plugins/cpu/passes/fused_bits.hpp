// Runs graphs with and without a pass of the CPU device, on every instruction set.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "plugins/cpu/passes/passes.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test {

/// The CPU's passes end with the named one while this lives.
class StopAfter : public EnvironmentVariable {
public:
    explicit StopAfter(const char* pass) : EnvironmentVariable("RONDO_CPU_STOP_AFTER", pass) {}
};

inline void expect_same_elements(const Tensor& a, const Tensor& b) {
    ASSERT_EQ(a.shape(), b.shape());
    ASSERT_EQ(a.element_type(), b.element_type());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto x = element_at(a, i), y = element_at(b, i);
        ASSERT_TRUE(x == y || (x != x && y != y)) << i << ": " << x << " is not " << y;
    }
}

/// Fails unless the results of all passes are, to the bit, those of the passes up to `last`, on
/// every instruction set, with one thread and with three; and near those of the reference.
inline void expect_bits_of_passes_up_to(const char* last, const Graph& graph,
                                        const std::vector<Tensor>& inputs, double tolerance) {
    const auto reference = on_reference(graph).run(inputs);
    for (const std::string& isa : instruction_sets()) {
        SCOPED_TRACE(isa);
        const IsaScope scope(isa);
        const auto apart = [&] {
            const StopAfter stop(last);
            return on_cpu(graph).run(inputs);
        }();
        for (const char* threads : {"1", "3"}) {
            auto device = on_cpu(graph, {{"INFERENCE_NUM_THREADS", threads}});
            for (int round = 0; round < 2; ++round) {
                const auto fused = device.run(inputs);
                ASSERT_EQ(fused.size(), apart.size());
                for (std::size_t i = 0; i < fused.size(); ++i) {
                    expect_same_elements(fused[i], apart[i]);
                    expect_near(fused[i], reference[i], tolerance, tolerance);
                }
            }
        }
    }
}

/// The pass changes the graph once, and expand_fused gives all of it back.
inline void expect_fused_and_expanded(const std::shared_ptr<Graph>& graph,
                                      const PassFunction& pass) {
    const auto before = graph->clone();
    cpu::expand_fused(*before);
    before->validate();
    EXPECT_TRUE(pass(*graph));
    graph->validate();
    check_graph(*graph);
    expect_unchanged(*graph, pass);
    const auto copy = graph->clone();
    EXPECT_TRUE(cpu::expand_fused(*copy));
    copy->validate();
    check_graph(*copy);
    EXPECT_EQ(to_text(*copy), to_text(*before));
}

}  // namespace rondo::test
