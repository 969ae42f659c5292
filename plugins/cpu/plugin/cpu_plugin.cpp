#include "plugins/cpu/plugin/cpu_plugin.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ops/state/variables.hpp"
#include "core/runtime/plugin.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/support/log.hpp"
#include "core/support/process.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "plugins/cpu/plugin/cpu_properties.hpp"
#include "plugins/cpu/plugin/packed_files.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/run/body_program.hpp"
#include "plugins/cpu/plugin/run/cpu_executor.hpp"
#include "plugins/cpu/plugin/threads/cpu_quota.hpp"
#include "plugins/cpu/plugin/threads/pinning.hpp"

namespace rondo::cpu {
namespace {

std::string state_text(StepState state) {
    switch (state) {
        case StepState::not_needed: return "no result needs it";
        case StepState::known: return "computed once, from the shapes alone";
        default: return {};
    }
}

Isa isa_in_force() {
    const Isa isa = usable_isa();
    if (isa != best_isa()) {
        log(LogLevel::warning,
            "cpu: the system forbids generated code (seccomp, SELinux): kernels are plain ones, "
            "which are slower");
    }
    return isa;
}

// The switch, reported from now on as YES or NO, however it was written.
bool settle_switch(Properties& properties, const char* name) {
    const bool on = switch_of(name, properties.at(name));
    properties[name] = switch_text(on);
    return on;
}

// Whether constants may go once kernels have packed them.
enum class Weights : std::uint8_t { stay, may_be_released };

class CpuExecutable final : public Executable {
public:
    // `properties`: those that it reports. Throws ModelError or UnsupportedError naming the
    // node that can't run; if all shapes are known, that includes the errors of planning.
    CpuExecutable(std::shared_ptr<Graph> graph, Properties properties, Weights weights)
        : properties_(std::move(properties)),
          released_(weights == Weights::may_be_released ? std::make_shared<bool>(false) : nullptr) {
        const auto chosen = static_cast<int>(default_threads());
        const Resources resources =
            resources_of(properties_, chosen > 0 ? chosen : usual_threads());
        properties_[property::kNumStreams] = std::to_string(resources.streams);
        properties_[property::kInferenceNumThreads] =
            std::to_string(resources.threads * resources.streams);
        properties_[property::kOptimalNumberOfInferRequests] = std::to_string(resources.streams);
        program_ = compiled(std::move(graph), resources.threads);
        settings_.profile = settle_switch(properties_, property::kPerfCount);
        settings_.trace = settle_switch(properties_, property::kPerfTrace);
        // Now, since a thread that starts later may come from one that is pinned itself.
        if (settle_switch(properties_, property::kEnableCpuPinning)) {
            settings_.pins = allowed_cores();
        }
        settings_.flush_denormals = settle_switch(properties_, property::kCpuDenormalsOptimization);
        settings_.teams =
            shared_team_pool({resources.threads, settings_.pins, settings_.flush_denormals});
        plan_known_shapes();
        if (log_enabled(LogLevel::debug)) log_kernels();
    }

    std::unique_ptr<Executor> create_executor() override {
        return std::make_unique<CpuExecutor>(program_, settings_);
    }

    std::shared_ptr<const Graph> graph() const override { return program_->program().graph; }
    bool has_released() const override { return released_ != nullptr && *released_; }
    std::shared_ptr<Graph> make_again(std::shared_ptr<Graph> given) const override {
        CompileLimits limits{limits_of(properties_)};
        limits.deadline = Deadline(limits.model.compile_time);
        return transformed(std::move(given), limits);
    }

    std::shared_ptr<Graph> runtime_graph(std::shared_ptr<Graph> copy) const override {
        expand_all(*copy);
        return copy;
    }

    PlanCounts plan_counts() const override { return program_->plan_counts(); }
    std::vector<KernelInfo> kernels() const override {
        std::vector<KernelInfo> rows;
        const auto& steps = program_->program().steps;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const CpuNode& kernel = *steps[i].kernel;
            const ShownOp shown = kernel.shown();
            rows.push_back({std::string(shown.name), std::string(shown.type), kernel.kernel_name(),
                            reason_of(i)});
            for (const NodePart& part : kernel.parts()) {
                rows.push_back({part.name, std::string(part.node.type_name()), part.kernel_name,
                                "part of '" + std::string(shown.name) + "'"});
            }
        }
        return rows;
    }

    Properties properties() const override { return properties_; }
    void enter_stream(std::size_t stream) override {
        pin_stream(stream, program_->threads(), settings_.pins);
    }

private:
    static std::shared_ptr<Graph> transformed(std::shared_ptr<Graph> graph,
                                              const CompileLimits& limits) {
        run_cpu_passes(*graph, options_of_environment(), limits.deadline);
        set_limits(*graph, limits.model);  // the passes make loops too
        return graph;
    }

    std::shared_ptr<PlannedProgram> compiled(std::shared_ptr<Graph> graph, int threads) const {
        CompileLimits limits{limits_of(properties_), {}, released_};
        limits.deadline = Deadline(limits.model.compile_time);
        graph = transformed(std::move(graph), limits);
        const auto folder = properties_.find(property::kCacheDir);
        std::optional<PackedFiles> files;
        if (folder != properties_.end() && !folder->second.empty()) files.emplace(folder->second);
        const UsePackedStore store(files ? &*files : nullptr);
        const CompileContext context =
            compile_context({isa_in_force(), allows_bf16(properties_)}, threads, limits);
        return std::make_shared<PlannedProgram>(make_program(std::move(graph), context, limits),
                                                threads);
    }

    // Known shapes are planned now: errors show up at compile time, and the first inference is
    // fast. The last plan is that of the first inference, where variables start from their init
    // inputs.
    void plan_known_shapes() {
        PlanKey key;
        for (const auto& parameter : graph()->parameters()) {
            const ElementType type = parameter->output_type(0);
            const PartialShape& shape = parameter->output_shape(0);
            if (!shape.is_static() || type == ElementType::dynamic) return;
            key.inputs.emplace_back(shape.to_shape(), type);
        }
        const auto variables = ops::variables_of(*graph());
        for (const auto& variable : variables) {
            if (!variable.shape().is_static()) return;
            key.variables.push_back(variable.shape().to_shape());
        }
        first_plan_ = program_->plan_for(key);
        for (std::size_t i = 0; i < key.variables.size(); ++i) {
            if (variables[i].read->has_init()) key.variables[i].reset();
        }
        program_->plan_for(key);
    }

    std::string reason_of(std::size_t step) const {
        const CpuNode& kernel = *program_->program().steps[step].kernel;
        const StepReport* report = first_plan_ ? &first_plan_->reports[step] : nullptr;
        const std::string outlook = kernel.outlook(program_->threads());
        if (report == nullptr || report->state == StepState::open) {
            return outlook.empty() ? kernel.reason() : kernel.reason() + "; " + outlook;
        }
        // What the shapes left open has been settled: no copy.
        if (report->state == StepState::view && !outlook.empty())
            return "a view: nothing is copied";
        const std::string state = state_text(report->state);
        std::string text = state.empty() ? kernel.reason() : state;
        if (!report->detail.empty()) text += "; " + report->detail;
        if (!report->reason.empty()) text += " (" + report->reason + ")";
        return text;
    }

    void log_kernels() const {
        for (const KernelInfo& row : kernels()) {
            std::string line = "cpu: '" + row.node_name + "': " + row.kernel;
            if (!row.reason.empty()) line += " (" + row.reason + ")";
            log(LogLevel::debug, line);
        }
    }

    std::shared_ptr<PlannedProgram> program_;
    RunSettings settings_;
    std::shared_ptr<const Plan> first_plan_;  // null where the inputs' shapes are open
    Properties properties_;
    std::shared_ptr<bool> released_;  // null where the constants stay; else whether any went
};

// The instruction set of the kernels, followed by what caps it.
std::string kernels_text() {
    const Isa isa = usable_isa();
    const std::string text = std::string("kernels up to ") + name_of(isa);
    if (env("RONDO_ISA")) return text + " (RONDO_ISA)";
    return isa == cpu_features().best() ? text : text + " (the system forbids generated code)";
}

class CpuPlugin final : public Plugin {
public:
    Version version() const override {
        return {get_version().build_number, "CPU, " + kernels_text()};
    }
    Properties properties() const override { return device_properties(); }
    void check_property(const std::string& name, const std::string& value) const override {
        check_device_property(name, value);
    }

    std::unique_ptr<Executable> compile(std::shared_ptr<Graph> graph,
                                        const Properties& properties) override {
        return make(std::move(graph), properties, Weights::stay);
    }
    std::unique_ptr<Executable> compile_and_release(std::shared_ptr<Graph> graph,
                                                    const Properties& properties) override {
        return make(std::move(graph), properties, Weights::may_be_released);
    }

    std::string cache_key(const Properties& properties) const override {
        return cache_key_of(properties);
    }

private:
    static std::unique_ptr<Executable> make(std::shared_ptr<Graph> graph,
                                            const Properties& properties, Weights weights) {
        Properties all = properties;
        all.merge(device_properties());  // those that Core didn't pass
        return std::make_unique<CpuExecutable>(std::move(graph), std::move(all), weights);
    }
};

}  // namespace

std::unique_ptr<Plugin> make_cpu_plugin() { return std::make_unique<CpuPlugin>(); }

}  // namespace rondo::cpu
