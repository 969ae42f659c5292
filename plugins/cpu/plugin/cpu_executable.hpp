// A graph compiled for this CPU.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/plugin.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/run/cpu_executor.hpp"

namespace rondo::cpu {

class CpuExecutable final : public Executable {
public:
    /// `properties`: those that it reports. Throws ModelError or UnsupportedError naming the
    /// node that can't run; if all shapes are known, that includes the errors of planning.
    CpuExecutable(std::shared_ptr<Graph> graph, Properties properties);

    std::unique_ptr<Executor> create_executor() override;
    std::shared_ptr<const Graph> graph() const override { return program_->program().graph; }
    std::shared_ptr<Graph> runtime_graph() const override;
    PlanCounts plan_counts() const override { return program_->plan_counts(); }
    std::vector<KernelInfo> kernels() const override;
    Properties properties() const override { return properties_; }
    void enter_stream(std::size_t stream) override;

private:
    std::shared_ptr<PlannedProgram> compiled(std::shared_ptr<Graph> graph, int threads) const;
    void plan_known_shapes();
    std::string reason_of(std::size_t step) const;
    void log_kernels() const;

    std::shared_ptr<PlannedProgram> program_;
    RunSettings settings_;
    std::shared_ptr<const Plan> first_plan_;  // null where the inputs' shapes are open
    Properties properties_;
};

}  // namespace rondo::cpu
