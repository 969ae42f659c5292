#include "plugins/cpu/plugin/cpu_executable.hpp"

#include "core/ops/state/variables.hpp"
#include "core/runtime/property_values.hpp"
#include "core/support/log.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "plugins/cpu/plugin/cpu_properties.hpp"
#include "plugins/cpu/plugin/run/cpu_executor.hpp"
#include "plugins/cpu/plugin/threads/pinning.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"

namespace rondo::cpu {
namespace {

std::string state_text(StepState state) {
    switch (state) {
        case StepState::not_needed: return "no result needs it";
        case StepState::known: return "computed once, from the shapes alone";
        default: return {};
    }
}

// The switch, reported from now on as YES or NO, however it was written.
bool settle_switch(Properties& properties, const char* name) {
    const bool on = switch_of(name, properties.at(name));
    properties[name] = switch_text(on);
    return on;
}

}  // namespace

CpuExecutable::CpuExecutable(std::shared_ptr<Graph> graph, Properties properties)
    : compiled_(std::make_shared<CompiledProgram>()), properties_(std::move(properties)) {
    const Resources resources = resources_of(properties_, available_cores());
    properties_[property::kNumStreams] = std::to_string(resources.streams);
    properties_[property::kInferenceNumThreads] =
        std::to_string(resources.threads * resources.streams);
    properties_[property::kOptimalNumberOfInferRequests] = std::to_string(resources.streams);
    run_cpu_passes(*graph, options_of_environment());
    compiled_->program = make_program(std::move(graph), {best_isa()});
    compiled_->threads = resources.threads;
    compiled_->profile = settle_switch(properties_, property::kPerfCount);
    // Now, since a thread that starts later may come from one that is pinned itself.
    if (settle_switch(properties_, property::kEnableCpuPinning)) compiled_->pins = allowed_cores();
    compiled_->flush_denormals = settle_switch(properties_, property::kCpuDenormalsOptimization);
    plan_known_shapes();
    if (log_enabled(LogLevel::debug)) log_kernels();
}

// Known shapes are planned now: errors show up at compile time, and the first inference is fast.
// The last plan is that of the first inference, where variables start from their init inputs.
void CpuExecutable::plan_known_shapes() {
    PlanKey key;
    for (const auto& parameter : graph()->parameters()) {
        if (!parameter->output_shape(0).is_static()) return;
        key.inputs.push_back(parameter->output_shape(0).to_shape());
    }
    const auto variables = ops::variables_of(*graph());
    for (const auto& variable : variables) {
        if (!variable.shape().is_static()) return;
        key.variables.push_back(variable.shape().to_shape());
    }
    first_plan_ = compiled_->plan_for(key);
    for (std::size_t i = 0; i < key.variables.size(); ++i) {
        if (variables[i].read->has_init()) key.variables[i].reset();
    }
    compiled_->plan_for(key);
}

void CpuExecutable::log_kernels() const {
    for (const KernelInfo& row : kernels()) {
        std::string line = "cpu: '" + row.node_name + "': " + row.kernel;
        if (!row.reason.empty()) line += " (" + row.reason + ")";
        log(LogLevel::debug, line);
    }
}

void CpuExecutable::enter_stream(std::size_t stream) {
    pin_stream(stream, compiled_->threads, compiled_->pins);
}

std::unique_ptr<Executor> CpuExecutable::create_executor() {
    return std::make_unique<CpuExecutor>(compiled_);
}

std::shared_ptr<Graph> CpuExecutable::runtime_graph() const {
    auto copy = graph()->clone();
    expand_all(*copy);
    return copy;
}

std::vector<KernelInfo> CpuExecutable::kernels() const {
    std::vector<KernelInfo> rows;
    for (std::size_t i = 0; i < compiled_->program.steps.size(); ++i) {
        const CpuNode& kernel = *compiled_->program.steps[i].kernel;
        const ShownOp shown = kernel.shown();
        KernelInfo row{std::string(shown.name), std::string(shown.type), kernel.kernel_name(),
                       kernel.reason()};
        if (first_plan_ && !first_plan_->interleaved) {
            const std::string state = state_text(first_plan_->states[i]);
            const std::string& detail = first_plan_->details[i];
            if (!state.empty()) row.reason = state;
            if (!detail.empty()) row.reason += "; " + detail;
            const std::string& why = first_plan_->reasons[i];
            if (!why.empty()) row.reason += " (" + why + ")";
        } else if (const std::string outlook = kernel.outlook(compiled_->threads);
                   !outlook.empty()) {
            row.reason += "; " + outlook;
        }
        rows.push_back(std::move(row));
        for (const NodePart& part : kernel.parts()) {
            rows.push_back({part.node.name(), std::string(part.node.type_name()), part.kernel_name,
                            "part of '" + std::string(shown.name) + "'"});
        }
    }
    return rows;
}

}  // namespace rondo::cpu
