// A graph compiled for this CPU.
#pragma once

#include <memory>
#include <vector>

#include "core/runtime/plugin.hpp"
#include "plugins/cpu/plugin/plan/compiled_program.hpp"

namespace rondo::cpu {

class CpuExecutable final : public Executable {
public:
    /// `properties` as they are to be reported. Throws ModelError or UnsupportedError naming the
    /// node that can't run; where all shapes are known, that includes what planning finds.
    CpuExecutable(std::shared_ptr<Graph> graph, Properties properties);

    std::unique_ptr<Executor> create_executor() override;
    std::shared_ptr<const Graph> graph() const override { return compiled_->program.graph; }
    std::shared_ptr<Graph> runtime_graph() const override;
    std::vector<KernelInfo> kernels() const override;
    Properties properties() const override { return properties_; }
    void enter_stream(std::size_t stream) override;

private:
    void plan_known_shapes();
    void log_kernels() const;

    std::shared_ptr<CompiledProgram> compiled_;
    std::shared_ptr<const Plan> first_plan_;  // null where shapes are open
    Properties properties_;
};

}  // namespace rondo::cpu
