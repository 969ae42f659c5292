#include "plugins/cpu/plugin/run/cpu_executor.hpp"

#include <cstring>

#include "core/support/check.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

void stop_if(const std::atomic<bool>& cancelled) {
    if (cancelled.load(std::memory_order_relaxed)) {
        throw CancelledError("the inference was cancelled");
    }
}

}  // namespace

CpuExecutor::CpuExecutor(std::shared_ptr<CompiledProgram> compiled)
    : compiled_(std::move(compiled)),
      team_(make_team({compiled_->threads, compiled_->pins, compiled_->flush_denormals})),
      variables_(variable_values(*compiled_->program.graph)),
      next_variables_(variables_.size()) {
    if (compiled_->profile) profile_ = std::make_unique<StepProfile>(compiled_->program);
}

void CpuExecutor::run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                      const std::atomic<bool>& cancelled) {
    internal_check(inputs.size() == compiled_->program.parameters.size(), "wrong input count");
    internal_check(outputs.size() == compiled_->program.results.size(), "wrong output count");
    if (current_ == nullptr || !current_->fits(inputs, variables_)) adopt_plan(inputs);
    const FlushDenormals flush(compiled_->flush_denormals);
    if (profile_) profile_->clear();
    if (current_->plan->interleaved) return run_interleaved(inputs, outputs, cancelled);
    current_->outputs.bind(inputs, outputs, current_->plan->outputs);
    stage_variables();
    bind_places(inputs);
    run_calls(cancelled);
    copy_results();
    current_->outputs.finish(outputs);
    commit_variables();
}

void CpuExecutor::adopt_plan(std::span<const Tensor> inputs) {
    current_ = nullptr;  // stays so where memory can't be had
    PlanUse* use = history_.find(inputs, variables_);
    if (use == nullptr) {
        use = &history_.add(compiled_->plan_for(key_of(inputs)), *compiled_->program.graph);
    }
    const Plan& plan = *use->plan;
    arena_.reserve(plan.arena_bytes);
    addresses_.assign(plan.places.size(), nullptr);
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        addresses_[i] = fixed_address(plan.places[i]);
    }
    for (std::size_t i = 0; profile_ && i < plan.states.size(); ++i) {
        (*profile_)[i].state = plan.states[i];
        (*profile_)[i].detail = plan.details[i];
    }
    current_ = use;
}

PlanKey CpuExecutor::key_of(std::span<const Tensor> inputs) const {
    PlanKey key;
    for (const auto& input : inputs) key.inputs.push_back(input.shape());
    for (const auto& variable : variables_) {
        const Tensor& value = variable.value();
        key.variables.push_back(value ? std::optional(value.shape()) : std::nullopt);
    }
    return key;
}

void* CpuExecutor::fixed_address(const Place& place) const {
    switch (place.base) {
        case Place::Base::arena: return arena_.data() + place.offset;
        case Place::Base::fixed:
            return const_cast<char*>(static_cast<const char*>(place.fixed)) + place.offset;
        default: return nullptr;
    }
}

void CpuExecutor::bind_places(std::span<const Tensor> inputs) {
    for (const std::size_t i : current_->plan->bound_places) {
        const Place& place = current_->plan->places[i];
        const void* base = bound_base(place, inputs);
        addresses_[i] = const_cast<char*>(static_cast<const char*>(base)) + place.offset;
    }
}

const void* CpuExecutor::bound_base(const Place& place, std::span<const Tensor> inputs) {
    switch (place.base) {
        case Place::Base::input: return inputs[place.index].data();
        case Place::Base::variable: return variables_[place.index].value().data();
        case Place::Base::next_variable: return next_variables_[place.index];
        default: return current_->outputs.target(place.index);
    }
}

void CpuExecutor::stage_variables() {
    const auto& planned = current_->plan->next_variables;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        next_variables_[i] = variables_[i].stage(planned[i].shape).data();
    }
}

void CpuExecutor::commit_variables() {
    for (auto& variable : variables_) variable.commit();
}

void CpuExecutor::run_calls(const std::atomic<bool>& cancelled) {
    for (const PlannedCall& call : current_->plan->calls) {
        stop_if(cancelled);
        const StepTimer timer(profile_ ? &(*profile_)[call.step] : nullptr);
        void* const* places = addresses_.data() + call.first_place;
        void* scratch = places[call.input_count + call.output_count];
        call.call->run({{places, call.input_count},
                        {places + call.input_count, call.output_count},
                        scratch,
                        *team_});
    }
    stop_if(cancelled);
}

void CpuExecutor::copy_results() {
    for (const FinalCopy& copy : current_->plan->copies) {
        if (copy.bytes == 0) continue;
        void* target = copy.target.base == Place::Base::output
                           ? current_->outputs.target(copy.target.index)
                           : next_variables_[copy.target.index];
        std::memcpy(target, addresses_[copy.place], copy.bytes);
    }
}

void CpuExecutor::run_interleaved(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                                  const std::atomic<bool>& cancelled) {
    if (!interleaved_) interleaved_ = std::make_unique<InterleavedRun>(compiled_->program);
    const auto results = interleaved_->run(inputs, variables_, {*team_, cancelled, profile_.get()});
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const TensorInfo form{results[i].element_type(), results[i].shape(), {}, true};
        if (!outputs[i]) {
            outputs[i] = results[i];
            continue;
        }
        check_output(*compiled_->program.graph->results()[i], outputs[i], form);
        results[i].copy_to(outputs[i]);
    }
    commit_variables();
}

std::vector<ProfilingInfo> CpuExecutor::profiling() const {
    return profile_ ? profile_->rows() : std::vector<ProfilingInfo>{};
}

}  // namespace rondo::cpu
