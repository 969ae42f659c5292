#include "plugins/cpu/plugin/cpu_executor.hpp"

#include <cstring>

#include "core/support/check.hpp"
#include "plugins/cpu/kernels/flush_denormals.hpp"
#include "plugins/cpu/plugin/tbb_team.hpp"
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
      team_(make_team({compiled_->threads, compiled_->pins, compiled_->flush_denormals})) {
    if (compiled_->profile) profile_ = std::make_unique<StepProfile>(compiled_->program);
}

void CpuExecutor::run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                      const std::atomic<bool>& cancelled) {
    internal_check(inputs.size() == compiled_->program.parameters.size(), "wrong input count");
    internal_check(outputs.size() == compiled_->program.results.size(), "wrong output count");
    if (current_ == nullptr || !current_->fits(inputs)) adopt_plan(inputs);
    const FlushDenormals flush(compiled_->flush_denormals);
    if (profile_) profile_->clear();
    if (current_->plan->interleaved) return run_interleaved(inputs, outputs, cancelled);
    current_->outputs.bind(inputs, outputs, current_->plan->outputs);
    bind_places(inputs);
    run_calls(cancelled);
    copy_results();
    current_->outputs.finish(outputs);
}

void CpuExecutor::adopt_plan(std::span<const Tensor> inputs) {
    current_ = nullptr;  // stays so where memory can't be had
    PlanUse* use = history_.find(inputs);
    if (use == nullptr) {
        std::vector<Shape> shapes;
        for (const auto& input : inputs) shapes.push_back(input.shape());
        use = &history_.add(compiled_->plan_for(shapes), *compiled_->program.graph);
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
        const void* base = place.base == Place::Base::input ? inputs[place.index].data()
                                                            : current_->outputs.target(place.index);
        addresses_[i] = const_cast<char*>(static_cast<const char*>(base)) + place.offset;
    }
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
    for (const ResultCopy& copy : current_->plan->copies) {
        if (copy.bytes == 0) continue;
        std::memcpy(current_->outputs.target(copy.output), addresses_[copy.place], copy.bytes);
    }
}

void CpuExecutor::run_interleaved(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                                  const std::atomic<bool>& cancelled) {
    if (!interleaved_) interleaved_ = std::make_unique<InterleavedRun>(compiled_->program);
    const auto results = interleaved_->run(inputs, *team_, cancelled, profile_.get());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const TensorInfo form{results[i].element_type(), results[i].shape(), {}, true};
        if (!outputs[i]) {
            outputs[i] = results[i];
            continue;
        }
        check_output(*compiled_->program.graph->results()[i], outputs[i], form);
        results[i].copy_to(outputs[i]);
    }
}

std::vector<ProfilingInfo> CpuExecutor::profiling() const {
    return profile_ ? profile_->rows() : std::vector<ProfilingInfo>{};
}

}  // namespace rondo::cpu
