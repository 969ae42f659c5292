#include "plugins/cpu/plugin/run/cpu_executor.hpp"

#include "plugins/cpu/kernels/machine/flush_denormals.hpp"

namespace rondo::cpu {

CpuExecutor::CpuExecutor(std::shared_ptr<PlannedProgram> program, const RunSettings& settings)
    : teams_(settings.teams),
      flush_denormals_(settings.flush_denormals),
      variables_(variable_values(*program->program().graph)),
      run_(program) {
    if (settings.profile || settings.trace) {
        profile_ = std::make_unique<StepProfile>(program->program());
    }
    if (settings.trace) {
        trace_ = std::make_unique<RunTrace>();
        profile_->trace_to(*trace_);
    }
}

void CpuExecutor::run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                      const std::atomic<bool>& cancelled) {
    const FlushDenormals flush(flush_denormals_);
    TeamPool::Lease team(*teams_, last_team_);
    if (profile_) profile_->clear();
    const auto run = [&](Team& threads) {
        run_.run({inputs, outputs, variables_, threads, cancelled, profile_.get(), OwnOutputs::stay,
                  output_allocator_ ? &output_allocator_ : nullptr});
    };
    if (!trace_) return run(team);
    trace_->restart();
    TracingTeam traced(team, *trace_);
    run(traced);
}

std::vector<ProfilingInfo> CpuExecutor::profiling() const {
    return profile_ ? profile_->rows() : std::vector<ProfilingInfo>{};
}

std::vector<TraceSlice> CpuExecutor::trace() const {
    return trace_ ? profile_->slices(*trace_) : std::vector<TraceSlice>{};
}

}  // namespace rondo::cpu
