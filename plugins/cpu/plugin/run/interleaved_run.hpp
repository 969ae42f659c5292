// Runs a program whose shapes depend on elements: infers, allocates and runs step by step.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "core/runtime/variable_value.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"
#include "plugins/cpu/plugin/run/step_profile.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// What a run is done with.
struct InterleavedArgs {
    Team& team;
    const std::atomic<bool>& cancelled;
    StepProfile* profile;  ///< may be null
};

/// Slower than a plan, and right for every graph.
class InterleavedRun {
public:
    explicit InterleavedRun(const Program& program);

    /// The results, in order; tensors of their own that no later run touches. Stages what the
    /// variables become, but leaves it to the caller to commit them. Throws CancelledError soon
    /// after `cancelled` turns true.
    std::vector<Tensor> run(std::span<const Tensor> inputs, std::span<VariableValue> variables,
                            const InterleavedArgs& args);

private:
    StepState read_variable(const Step& step, std::span<const VariableValue> variables);
    StepState run_step(const Step& step, Team& team, std::string* detail);
    Tensor make_output(const Step& step, std::size_t index, const TensorInfo& info,
                       const Call& call) const;

    const Program& program_;
    std::vector<Tensor> values_;
    std::vector<std::vector<ValueId>> last_uses_;  // a step each: values that nobody reads after it
};

}  // namespace rondo::cpu
