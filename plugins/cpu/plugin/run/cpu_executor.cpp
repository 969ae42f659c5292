#include "plugins/cpu/plugin/run/cpu_executor.hpp"

#include "plugins/cpu/kernels/machine/flush_denormals.hpp"

namespace rondo::cpu {

CpuExecutor::CpuExecutor(std::shared_ptr<PlannedProgram> program, const RunSettings& settings)
    : teams_(settings.teams),
      flush_denormals_(settings.flush_denormals),
      variables_(variable_values(*program->program().graph)),
      run_(program) {
    if (settings.profile) profile_ = std::make_unique<StepProfile>(program->program());
}

void CpuExecutor::run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                      const std::atomic<bool>& cancelled) {
    const FlushDenormals flush(flush_denormals_);
    TeamPool::Lease team(*teams_, last_team_);
    if (profile_) profile_->clear();
    run_.run({inputs, outputs, variables_, team, cancelled, profile_.get()});
}

void CpuExecutor::keep_plans(std::size_t count) {
    for (VariableValue& variable : variables_) variable.keep_shapes(count);
    run_.keep_plans(count);
}

std::vector<ProfilingInfo> CpuExecutor::profiling() const {
    return profile_ ? profile_->rows() : std::vector<ProfilingInfo>{};
}

}  // namespace rondo::cpu
