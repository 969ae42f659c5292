// Runs a graph with the reference evaluators, one node after another.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "core/runtime/plugin.hpp"

namespace rondo::reference {

/// A node with the numbers of the values that it reads and writes.
struct ReferenceStep {
    NodePtr node;
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> outputs;
    std::vector<std::size_t> last_uses;  ///< values that nobody reads after this step
};

/// The graph as a flat list. Immutable, shared by the executors.
struct ReferenceProgram {
    std::shared_ptr<Graph> graph;
    std::vector<ReferenceStep> steps;     ///< without parameters, constants and results
    std::vector<Tensor> constants;        ///< a slot a value; empty where it is no constant
    std::vector<std::size_t> parameters;  ///< their values
    std::vector<std::size_t> results;     ///< the values that they hand out
    bool profile = false;
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

private:
    void run_step(std::size_t index);
    void hand_out(std::size_t index, Tensor& output);

    std::shared_ptr<const ReferenceProgram> program_;
    std::vector<Tensor> values_;
    std::vector<Tensor> own_outputs_;
    std::vector<std::chrono::nanoseconds> times_;
    std::size_t done_ = 0;  ///< steps that ran in the last run
};

}  // namespace rondo::reference
