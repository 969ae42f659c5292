#include "plugins/reference/reference_plugin.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/plugin.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/support/errors.hpp"
#include "core/support/limits.hpp"
#include "core/support/process.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

// A node with the numbers of the values that it reads and writes.
struct ReferenceStep {
    NodePtr node;
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> outputs;
    std::vector<std::size_t> last_uses;   // values that no later step reads
    std::optional<std::size_t> variable;  // the one that a ReadValue reads
};

// The graph as a flat list. Immutable, shared by the executors.
struct ReferenceProgram {
    std::shared_ptr<Graph> graph;
    std::vector<ReferenceStep> steps;     // without parameters, constants, results and Assigns
    std::vector<Tensor> constants;        // a slot a value; empty if it isn't constant
    std::vector<std::size_t> parameters;  // their values
    std::vector<std::size_t> results;     // the values that they return
    std::vector<std::size_t> assigned;    // for each variable: its new value
    bool profile = false;
    ModelLimits limits = {};
};

using Values = std::unordered_map<const Node*, std::size_t>;  // a node's first value

std::size_t value_of(const Output& output, const Values& first_value) {
    return first_value.at(&output.node()) + output.index();
}

ReferenceStep make_step(const NodePtr& node, const Values& first_value) {
    if (!as<ops::ReadValueBase>(node)) {
        if (const Node* missing = find_unevaluable(*node)) {
            throw UnsupportedError(describe(*missing) + ": the op has no reference evaluator");
        }
    }
    ReferenceStep step{node, {}, {}, {}, {}};
    for (const auto& source : node->inputs()) {
        step.inputs.push_back(value_of(source, first_value));
    }
    for (std::size_t i = 0; i < node->output_count(); ++i) {
        step.outputs.push_back(first_value.at(node.get()) + i);
    }
    return step;
}

// Walks backwards: the first step found that uses a value is the last one that needs it.
void find_last_uses(ReferenceProgram& program) {
    std::vector<bool> seen(program.constants.size());
    for (const std::size_t value : program.parameters) seen[value] = true;  // the caller owns them
    for (const std::size_t value : program.results) seen[value] = true;
    for (const std::size_t value : program.assigned) seen[value] = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (program.constants[i]) seen[i] = true;
    }
    for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step) {
        for (const auto* values : {&step->outputs, &step->inputs}) {
            for (const std::size_t value : *values) {
                if (!seen[value]) step->last_uses.push_back(value);
                seen[value] = true;
            }
        }
    }
}

void add_variables(ReferenceProgram& program, const Graph& graph, const Values& first_value) {
    for (const auto& variable : ops::variables_of(graph)) {
        for (auto& step : program.steps) {
            if (step.node == variable.read) step.variable = program.assigned.size();
        }
        program.assigned.push_back(value_of(variable.assign->input(0), first_value));
    }
}

// Throws UnsupportedError naming the first node that has no evaluator.
ReferenceProgram make_program(std::shared_ptr<Graph> graph, bool profile) {
    ReferenceProgram program;
    program.profile = profile;
    Values first_value;
    for (const auto& node : graph->ordered_nodes()) {
        if (as<ops::AssignBase>(node)) {  // returns its input
            first_value[node.get()] = value_of(node->input(0), first_value);
            continue;
        }
        first_value[node.get()] = program.constants.size();
        program.constants.resize(program.constants.size() + node->output_count());
        if (const auto constant = as<ops::Constant>(node)) {
            program.constants.back() = constant->value();
        } else if (!as<ops::Parameter>(node) && !as<ops::Result>(node)) {
            program.steps.push_back(make_step(node, first_value));
        }
    }
    for (const auto& node : graph->parameters()) {
        program.parameters.push_back(first_value.at(node.get()));
    }
    for (const auto& node : graph->results()) {
        program.results.push_back(value_of(node->input(0), first_value));
    }
    add_variables(program, *graph, first_value);
    find_last_uses(program);
    program.graph = std::move(graph);
    return program;
}

// Tensors live from the node that makes them to the last one that reads them.
class ReferenceExecutor final : public Executor {
public:
    explicit ReferenceExecutor(std::shared_ptr<const ReferenceProgram> program)
        : program_(std::move(program)),
          values_(program_->constants),
          variables_(variable_values(*program_->graph)),
          own_outputs_(program_->results.size()),
          times_(program_->steps.size()) {}

    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>& cancelled) override {
        internal_check(inputs.size() == program_->parameters.size(), "wrong number of inputs");
        internal_check(outputs.size() == program_->results.size(), "wrong number of outputs");
        const DefaultFloatModes modes;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            values_[program_->parameters[i]] = inputs[i];
        }
        for (done_ = 0; done_ < program_->steps.size(); ++done_) {
            run_step(done_, cancelled);
        }
        for (std::size_t i = 0; i < outputs.size(); ++i) hand_out(i, outputs[i]);
        keep_assigned();
        values_ = program_->constants;
    }

    std::vector<ProfilingInfo> profiling() const override {
        std::vector<ProfilingInfo> rows;
        if (!program_->profile) return rows;
        for (std::size_t i = 0; i < program_->steps.size(); ++i) {
            ProfilingInfo row;
            const bool ran = i < done_;
            row.status = ran ? ProfilingInfo::ExecutionStatus::executed
                             : ProfilingInfo::ExecutionStatus::not_run;
            row.real_time_ns = ran ? times_[i] : std::chrono::nanoseconds{0};
            row.real_time = std::chrono::duration_cast<std::chrono::microseconds>(row.real_time_ns);
            row.node_name = program_->steps[i].node->name();
            row.node_type = program_->steps[i].node->type_name();
            row.exec_type = "reference";
            rows.push_back(std::move(row));
        }
        return rows;
    }

    std::span<VariableValue> variables() override { return variables_; }

private:
    void run_step(std::size_t index, const std::atomic<bool>& cancelled) {
        const ReferenceStep& step = program_->steps[index];
        const auto start = std::chrono::steady_clock::now();
        std::vector<Tensor> outputs = outputs_of(step, cancelled);
        times_[index] = std::chrono::steady_clock::now() - start;
        for (std::size_t i = 0; i < step.outputs.size(); ++i) {
            check_bytes(*step.node, outputs.at(i));
            values_[step.outputs[i]] = std::move(outputs.at(i));
        }
        for (const std::size_t value : step.last_uses) values_[value] = Tensor();
    }
    std::vector<Tensor> outputs_of(const ReferenceStep& step,
                                   const std::atomic<bool>& cancelled) const {
        const auto stop_if_cancelled = [&] {
            if (cancelled) throw CancelledError("the inference was cancelled");
        };
        std::vector<Tensor> inputs;
        for (const std::size_t value : step.inputs) inputs.push_back(values_[value]);
        if (!step.variable) return evaluate(*step.node, inputs, stop_if_cancelled);
        stop_if_cancelled();
        const Tensor& kept = variables_[*step.variable].value();
        if (kept) return {kept};
        ops::check_init(*step.node, inputs.at(0).shape());
        return inputs;
    }

    // All are staged before one changes, so a run that fails here changes no variable.
    void keep_assigned() {
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const Tensor& value = values_[program_->assigned[i]];
            value.copy_to(variables_[i].stage(value.shape()));
        }
        for (auto& variable : variables_) variable.commit();
    }

    void check_bytes(const Node& node, const Tensor& output) const {
        const std::size_t most = program_->limits.tensor_bytes;
        if (most == 0 || output.byte_size() <= most) return;
        throw ModelError(describe(node) + ": the output of shape " + to_string(output.shape()) +
                         " is too large: it has " + std::to_string(output.byte_size()) +
                         " bytes; " + limit_text(most, property::kMaxTensorBytes));
    }

    void hand_out(std::size_t index, Tensor& output) {
        const Tensor& value = values_[program_->results[index]];
        if (!output) {
            Tensor& own = own_outputs_[index];
            if (!own || own.element_type() != value.element_type() ||
                own.shape() != value.shape()) {
                own = Tensor(value.element_type(), value.shape());
            }
            output = own;
        }
        if (output.element_type() != value.element_type() || output.shape() != value.shape()) {
            throw ModelError(
                describe(*program_->graph->results()[index]) + ": the output tensor is " +
                std::string(to_string(output.element_type())) + to_string(output.shape()) +
                "; expected " + std::string(to_string(value.element_type())) +
                to_string(value.shape()));
        }
        value.copy_to(output);
    }

    std::shared_ptr<const ReferenceProgram> program_;
    std::vector<Tensor> values_;
    std::vector<VariableValue> variables_;
    std::vector<Tensor> own_outputs_;
    std::vector<std::chrono::nanoseconds> times_;
    std::size_t done_ = 0;  // steps that ran in the last run
};

Properties device_properties() {
    return {
        {property::kExecutionDevices, "REFERENCE"},
        {property::kFullDeviceName, "Rondo reference evaluators"},
        {property::kOptimalNumberOfInferRequests, "1"},
        {property::kOptimizationCapabilities, "FP32"},
        {property::kPerfCount, "NO"},
        {property::kSupportedProperties, property::kPerfCount},
    };
}

class ReferenceExecutable final : public Executable {
public:
    ReferenceExecutable(ReferenceProgram program, Properties properties)
        : program_(std::make_shared<const ReferenceProgram>(std::move(program))),
          properties_(std::move(properties)) {}

    std::unique_ptr<Executor> create_executor() override {
        return std::make_unique<ReferenceExecutor>(program_);
    }
    std::shared_ptr<const Graph> graph() const override { return program_->graph; }
    std::vector<KernelInfo> kernels() const override {
        std::vector<KernelInfo> rows;
        for (const auto& step : program_->steps) {
            rows.push_back({step.node->name(), std::string(step.node->type_name()), "reference",
                            "this device runs the reference evaluators"});
        }
        return rows;
    }
    Properties properties() const override { return properties_; }

private:
    std::shared_ptr<const ReferenceProgram> program_;
    Properties properties_;
};

class ReferencePlugin final : public Plugin {
public:
    Version version() const override { return {get_version().build_number, "REFERENCE"}; }
    Properties properties() const override { return device_properties(); }

    void check_property(const std::string& name, const std::string& value) const override {
        if (name != property::kPerfCount) {
            throw ModelError("property '" + name + "' of device REFERENCE can only be read");
        }
        switch_of(name, value);
    }

    std::unique_ptr<Executable> compile(std::shared_ptr<Graph> graph,
                                        const Properties& properties) override {
        const bool profile = switch_of(properties, property::kPerfCount, false);
        Properties all = properties;
        all[property::kPerfCount] = switch_text(profile);
        all.merge(device_properties());
        ReferenceProgram program = make_program(std::move(graph), profile);
        program.limits = limits_of(all);
        return std::make_unique<ReferenceExecutable>(std::move(program), std::move(all));
    }
};

}  // namespace

std::unique_ptr<Plugin> make_reference_plugin() { return std::make_unique<ReferencePlugin>(); }

}  // namespace rondo::reference
