#include "plugins/cpu/plugin/run/interleaved_run.hpp"

#include "core/ops/state/variables.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/plugin/plan/memory_limit.hpp"
#include "plugins/cpu/plugin/plan/shape_walk.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

std::vector<std::vector<ValueId>> find_last_uses(const Program& program) {
    std::vector<std::vector<ValueId>> last_uses(program.steps.size());
    std::vector<bool> seen(program.constants.size());
    for (const ValueId id : program.results) seen[id] = true;  // needed to the end
    for (const ValueId id : program.assigned) seen[id] = true;
    for (ValueId id = 0; id < seen.size(); ++id) {
        if (program.constants[id]) seen[id] = true;
    }
    for (std::size_t i = program.steps.size(); i-- > 0;) {
        for (const auto* values : {&program.steps[i].outputs, &program.steps[i].inputs}) {
            for (const ValueId id : *values) {
                if (!seen[id]) last_uses[i].push_back(id);
                seen[id] = true;
            }
        }
    }
    return last_uses;
}

TensorInfo info_of(const Tensor& tensor) {
    return {tensor.element_type(), tensor.shape(), tensor, true};
}

// A result must not be an input's memory, nor share another result's.
Tensor owned(const Tensor& value) {
    Tensor copy(value.element_type(), value.shape());
    value.copy_to(copy);
    return copy;
}

}  // namespace

InterleavedRun::InterleavedRun(const Program& program)
    : program_(program), last_uses_(find_last_uses(program)) {}

std::vector<Tensor> InterleavedRun::run(std::span<const Tensor> inputs,
                                        std::span<VariableValue> variables,
                                        const InterleavedArgs& args) {
    values_ = program_.constants;
    for (std::size_t i = 0; i < inputs.size(); ++i) values_[program_.parameters[i]] = inputs[i];
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
        if (args.cancelled) throw CancelledError("the inference was cancelled");
        StepProfile::Entry* entry = args.profile == nullptr ? nullptr : &(*args.profile)[i];
        const StepTimer timer(entry);
        std::string detail;
        const Step& step = program_.steps[i];
        const StepState state =
            step.variable ? read_variable(step, variables) : run_step(step, args.team, &detail);
        if (entry != nullptr) {
            entry->state = state;
            entry->detail = detail + " interleaved";
        }
        for (const ValueId id : last_uses_[i]) values_[id] = Tensor();
    }
    std::vector<Tensor> results;
    for (const ValueId id : program_.results) results.push_back(owned(values_[id]));
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Tensor& value = values_[program_.assigned[i]];
        value.copy_to(variables[i].stage(value.shape()));
    }
    values_.clear();
    return results;
}

StepState InterleavedRun::read_variable(const Step& step,
                                        std::span<const VariableValue> variables) {
    Tensor& output = values_[step.outputs[0]];
    output = variables[*step.variable].value();
    if (!output) {
        output = values_[step.inputs.at(0)];
        ops::check_init(step.node(), output.shape());
    }
    return StepState::view;
}

StepState InterleavedRun::run_step(const Step& step, Team& team, std::string* detail) {
    std::vector<TensorInfo> inputs;
    std::vector<const TensorInfo*> seen;
    for (const ValueId id : step.inputs) inputs.push_back(info_of(values_[id]));
    for (const auto& input : inputs) seen.push_back(&input);
    const auto outputs = infer_node(step.node(), seen);
    if (!outputs) {
        throw UnsupportedError(describe(step.node()) +
                               ": an output's shape can't be told from the inputs");
    }
    const auto call = step.kernel->prepare({inputs, *outputs, team.size()});
    *detail = call->detail();
    std::vector<const void*> from;
    std::vector<void*> to;
    for (const auto& input : inputs) from.push_back(input.value.data());
    bool writes = false;
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        Tensor& output = values_[step.outputs[i]];
        output = make_output(step, i, (*outputs)[i], *call);
        to.push_back(output.data());
        writes = writes || !call->view(i);
    }
    if (!writes) return StepState::view;
    AlignedBuffer scratch(call->scratch_bytes() / sizeof(float) + 1);
    call->run({from, to, scratch.data(), team});
    return StepState::runs;
}

Tensor InterleavedRun::make_output(const Step& step, std::size_t index, const TensorInfo& info,
                                   const Call& call) const {
    checked_bytes(step.node(), info);
    const auto view = call.view(index);
    if (!view) return Tensor(info.type, info.shape);
    const Tensor& source = values_[step.inputs[view->input]];
    const auto owner = std::make_shared<const Tensor>(source);
    const void* data = static_cast<const char*>(source.data()) + view->byte_offset;
    return Tensor(info.type, info.shape, data, owner);
}

}  // namespace rondo::cpu
