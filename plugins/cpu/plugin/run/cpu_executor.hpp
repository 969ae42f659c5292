// Runs one inference at a time of a compiled program.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "core/runtime/plugin.hpp"
#include "plugins/cpu/plugin/run/program_run.hpp"
#include "plugins/cpu/plugin/threads/team_pool.hpp"

namespace rondo::cpu {

/// Options of inferences.
struct RunSettings {
    std::shared_ptr<TeamPool> teams;
    std::vector<int> pins;  ///< cores that threads are pinned to; empty: no pinning
    bool flush_denormals = true;
    bool profile = false;
    bool trace = false;
};

/// A ProgramRun with threads, variables and a profile.
class CpuExecutor final : public Executor {
public:
    CpuExecutor(std::shared_ptr<PlannedProgram> program, const RunSettings& settings);

    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>& cancelled) override;
    bool set_output_allocator(const OutputAllocator& allocator) override {
        output_allocator_ = allocator;
        return true;
    }
    std::vector<ProfilingInfo> profiling() const override;
    std::vector<TraceSlice> trace() const override;
    std::span<VariableValue> variables() override { return variables_; }
    void keep_plans(std::size_t count) override { run_.keep_plans(count); }
    std::size_t arena_bytes() const override { return run_.arena_bytes(); }

private:
    std::shared_ptr<TeamPool> teams_;
    std::size_t last_team_ = 0;  // its slot in the pool
    bool flush_denormals_;
    std::vector<VariableValue> variables_;
    OutputAllocator output_allocator_;      // null unless set
    std::unique_ptr<RunTrace> trace_;       // null unless tracing
    std::unique_ptr<StepProfile> profile_;  // null unless profiling or tracing
    ProgramRun run_;
};

}  // namespace rondo::cpu
