// Runs a graph with the reference evaluators, one node after another.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/runtime/plugin.hpp"
#include "core/support/limits.hpp"

namespace rondo::reference {

/// A node with the numbers of the values that it reads and writes.
struct ReferenceStep {
    NodePtr node;
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> outputs;
    std::vector<std::size_t> last_uses;   ///< values that no later step reads
    std::optional<std::size_t> variable;  ///< the one that a ReadValue reads
};

/// The graph as a flat list. Immutable, shared by the executors.
struct ReferenceProgram {
    std::shared_ptr<Graph> graph;
    std::vector<ReferenceStep> steps;     ///< without parameters, constants, results and Assigns
    std::vector<Tensor> constants;        ///< a slot a value; empty if it isn't constant
    std::vector<std::size_t> parameters;  ///< their values
    std::vector<std::size_t> results;     ///< the values that they return
    std::vector<std::size_t> assigned;    ///< for each variable: its new value
    bool profile = false;
    ModelLimits limits = {};
};

/// Throws UnsupportedError naming the first node that has no evaluator.
ReferenceProgram make_program(std::shared_ptr<Graph> graph, bool profile);

/// Tensors live from the node that makes them to the last one that reads them.
class ReferenceExecutor final : public Executor {
public:
    explicit ReferenceExecutor(std::shared_ptr<const ReferenceProgram> program);

    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>& cancelled) override;
    std::vector<ProfilingInfo> profiling() const override;
    std::span<VariableValue> variables() override { return variables_; }

private:
    void run_step(std::size_t index, const std::atomic<bool>& cancelled);
    std::vector<Tensor> outputs_of(const ReferenceStep& step,
                                   const std::atomic<bool>& cancelled) const;
    void keep_assigned();
    void check_bytes(const Node& node, const Tensor& output) const;
    void hand_out(std::size_t index, Tensor& output);

    std::shared_ptr<const ReferenceProgram> program_;
    std::vector<Tensor> values_;
    std::vector<VariableValue> variables_;
    std::vector<Tensor> own_outputs_;
    std::vector<std::chrono::nanoseconds> times_;
    std::size_t done_ = 0;  ///< steps that ran in the last run
};

}  // namespace rondo::reference
