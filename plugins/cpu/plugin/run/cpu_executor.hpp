// Runs one inference at a time of a compiled program.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "core/runtime/plugin.hpp"
#include "plugins/cpu/plugin/plan/compiled_program.hpp"
#include "plugins/cpu/plugin/run/arena.hpp"
#include "plugins/cpu/plugin/run/interleaved_run.hpp"
#include "plugins/cpu/plugin/run/plan_history.hpp"
#include "plugins/cpu/plugin/run/step_profile.hpp"

namespace rondo::cpu {

/// Once it has run with some shapes, running with them again allocates nothing, locks nothing and
/// looks at no shape beyond comparing it; also where others of the last few shapes came between.
class CpuExecutor final : public Executor {
public:
    explicit CpuExecutor(std::shared_ptr<CompiledProgram> compiled);

    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>& cancelled) override;
    std::vector<ProfilingInfo> profiling() const override;
    std::span<VariableValue> variables() override { return variables_; }

private:
    void adopt_plan(std::span<const Tensor> inputs);
    void* fixed_address(const Place& place) const;
    PlanKey key_of(std::span<const Tensor> inputs) const;
    void bind_places(std::span<const Tensor> inputs);
    const void* bound_base(const Place& place, std::span<const Tensor> inputs);
    void stage_variables();
    void run_calls(const std::atomic<bool>& cancelled);
    void copy_results();
    void commit_variables();
    void run_interleaved(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                         const std::atomic<bool>& cancelled);

    std::shared_ptr<CompiledProgram> compiled_;
    std::unique_ptr<Team> team_;
    PlanHistory history_{CompiledProgram::kPlans};
    PlanUse* current_ = nullptr;  // of history_
    Arena arena_;
    std::vector<VariableValue> variables_;
    std::vector<void*> next_variables_;  // where this run writes them
    std::vector<void*> addresses_;       // of Plan::places
    std::unique_ptr<InterleavedRun> interleaved_;
    std::unique_ptr<StepProfile> profile_;  // null unless profiling
};

}  // namespace rondo::cpu
