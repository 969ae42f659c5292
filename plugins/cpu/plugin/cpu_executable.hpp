// A graph compiled for this CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/plugin.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/run/cpu_executor.hpp"

namespace rondo::cpu {

/// Whether constants may go once kernels have packed them.
enum class Weights : std::uint8_t { stay, may_be_released };

class CpuExecutable final : public Executable {
public:
    /// `properties`: those that it reports. Throws ModelError or UnsupportedError naming the
    /// node that can't run; if all shapes are known, that includes the errors of planning.
    CpuExecutable(std::shared_ptr<Graph> graph, Properties properties, Weights weights);

    std::unique_ptr<Executor> create_executor() override;
    std::shared_ptr<const Graph> graph() const override { return program_->program().graph; }
    bool has_released() const override { return released_ != nullptr && *released_; }
    std::shared_ptr<Graph> make_again(std::shared_ptr<Graph> given) const override;
    std::shared_ptr<Graph> runtime_graph(std::shared_ptr<Graph> copy) const override;
    PlanCounts plan_counts() const override { return program_->plan_counts(); }
    std::vector<KernelInfo> kernels() const override;
    Properties properties() const override { return properties_; }
    void enter_stream(std::size_t stream) override;

private:
    static std::shared_ptr<Graph> transformed(std::shared_ptr<Graph> graph,
                                              const CompileLimits& limits);
    std::shared_ptr<PlannedProgram> compiled(std::shared_ptr<Graph> graph, int threads) const;
    void plan_known_shapes();
    std::string reason_of(std::size_t step) const;
    void log_kernels() const;

    std::shared_ptr<PlannedProgram> program_;
    RunSettings settings_;
    std::shared_ptr<const Plan> first_plan_;  // null where the inputs' shapes are open
    Properties properties_;
    std::shared_ptr<bool> released_;  // null where the constants stay; else whether any went
};

}  // namespace rondo::cpu
