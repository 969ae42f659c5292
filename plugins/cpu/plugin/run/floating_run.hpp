// What one run keeps for the floating steps of a plan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/run/floating_call.hpp"
#include "plugins/cpu/plugin/run/floating_memory.hpp"

namespace rondo::cpu {

/// For one run at a time.
class FloatingRun {
public:
    /// `plan` must float; both must outlive this object.
    FloatingRun(const PlannedProgram& program, const Plan& plan)
        : memory_(plan, program.program().constants.size(), program.program().limits) {
        const auto& steps = plan.floating.steps;
        const std::size_t forms = CallForms::kAltogether / std::max<std::size_t>(steps.size(), 1);
        for (const FloatingStep& step : steps) {
            calls_.emplace_back(program.program(),
                                program.program().steps[plan.calls[step.call].step], step,
                                program.threads(), forms);
        }
    }

    /// The inputs must stay until finish().
    void start(std::span<const Tensor> inputs) { memory_.start(inputs); }
    /// Runs floating step number `step` of the plan.
    void run(std::size_t step, const FloatingCallArgs& args) { calls_[step].run(args, memory_); }
    /// Sets those of the outputs that float.
    void finish(std::span<Tensor> outputs) { memory_.finish(outputs); }
    /// Frees memory where it is much.
    void release_large() { memory_.release_large(); }

private:
    FloatingMemory memory_;
    std::vector<FloatingCall> calls_;
};

}  // namespace rondo::cpu
