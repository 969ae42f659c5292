#include "plugins/cpu/plugin/run/program_run.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/graph/tensor_impl.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/nodes/common/memory_limit.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

PlanKey key_of(const RunRequest& request) {
    PlanKey key;
    for (const auto& input : request.inputs) {
        key.inputs.emplace_back(input.shape(), input.element_type());
    }
    for (const auto& variable : request.variables) {
        const Tensor& value = variable.value();
        key.variables.push_back(value ? std::optional(value.shape()) : std::nullopt);
    }
    return key;
}

// The key of the segment after `use`, whose calls have run.
PlanKey key_behind(const BoundPlan& use) {
    PlanKey key{use.plan->key.inputs, use.plan->key.variables, use.plan, {}, use.extents, {}};
    for (const Tensor& output : use.late_outputs) key.found.push_back(output.shape());
    for (const CutRead& read : use.plan->end.reads) {
        Tensor value(read.info.type, read.info.shape);
        if (read.bytes > 0) std::memcpy(value.data(), use.addresses[read.place], read.bytes);
        key.values.push_back(std::move(value));
    }
    return key;
}

void find_extents(BoundPlan& use) {
    const SegmentBoundary& end = use.plan->end;
    use.extents.resize(end.extent_outputs);
    std::span<Shape> shapes = use.extents;
    for (const ExtentStep& step : end.extent_steps) {
        void* const* inputs = use.addresses.data() + step.first_place;
        step.finder({inputs, step.input_count}, shapes.first(step.types.size()));
        shapes = shapes.subspan(step.types.size());
    }
}

// Allocates only where an input moved that is no input of the request.
void borrow_inputs(const DynamicStep& late, const BoundPlan& use, std::span<const Tensor> given,
                   std::vector<Tensor>& inputs) {
    inputs.resize(late.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::size_t place = late.first_place + i;
        const void* data = use.addresses[place];
        const TensorInfo& form = late.inputs[i];
        if (inputs[i] && inputs[i].data() == data && has_form(inputs[i], form)) continue;
        const bool is_given = use.plan->places[place].base == Place::Base::input &&
                              has_form(given[use.plan->places[place].index], form);
        inputs[i] = is_given ? given[use.plan->places[place].index]
                             : Tensor(form.type, form.shape, use.addresses[place]);
    }
}

void run_calls(const RunRequest& request, const BoundPlan& use) {
    std::size_t floating = 0;
    for (const PlannedCall& call : use.plan->calls) {
        stop_if(request.cancelled);
        const StepTimer timer(request.profile ? &(*request.profile)[call.step] : nullptr);
        void* const* places = use.addresses.data() + call.first_place;
        if (call.call == nullptr) {
            use.floating->run(floating++,
                              {places, request.team, request.cancelled, timer.bodies()});
            continue;
        }
        void* scratch = places[call.input_count + call.output_count];
        call.call->run({{places, call.input_count},
                        {places + call.input_count, call.output_count},
                        scratch,
                        request.team,
                        &request.cancelled,
                        timer.bodies()});
    }
    stop_if(request.cancelled);
}

}  // namespace

ProgramRun::ProgramRun(std::shared_ptr<PlannedProgram> program)
    : program_(std::move(program)),
      history_(program_->chains()),
      outputs_(program_->program().results.size()),
      next_variables_(program_->program().assigned.size()) {}

void ProgramRun::run(const RunRequest& request) {
    internal_check(request.inputs.size() == program_->program().parameters.size(),
                   "wrong input count");
    internal_check(request.outputs.size() == outputs_.size(), "wrong output count");
    if (forms_) forms_->start();
    BoundPlan* use = &first_segment(request);
    run_segment(request, *use);
    while (!use->plan->is_last()) {
        use = &next_segment(request, *use);
        run_segment(request, *use);
    }
    for (const BoundPlan* ran : history_.chain()) ran->outputs.finish(request.outputs);
    for (auto& variable : request.variables) variable.commit();
}

void ProgramRun::keep_plans(std::size_t count) {
    program_->keep_plans(count);
    history_.keep_chains(count);
}

// Mostly that of the run before.
inline BoundPlan& ProgramRun::first_segment(const RunRequest& request) {
    if (!history_.chain().empty()) {
        history_.restart();
        BoundPlan& use = *history_.chain().front();
        const bool ready = use.arena != nullptr && use.arena == arena_.data();
        if (ready && use.fits(request.inputs, request.variables)) return use;
    }
    return find_first_segment(request);
}

BoundPlan& ProgramRun::find_first_segment(const RunRequest& request) {
    const BoundPlan* last = history_.chain().empty() ? nullptr : history_.chain().front();
    BoundPlan* use = history_.find(request.inputs, request.variables);
    if (use != nullptr && use != last && forms_) forms_->return_to_plan();
    if (use == nullptr) {
        use = &history_.add(new_plan(request), *program_->program().graph);
        if (use->plan->key.floats) {
            use->floating = std::make_unique<FloatingRun>(*program_, *use->plan);
        }
    }
    use->most_bytes = std::max(use->most_bytes, use->plan->arena_bytes);
    arena_.reserve(use->most_bytes);
    if (request.profile != nullptr) request.profile->report(*use->plan);
    return *use;
}

std::shared_ptr<const Plan> ProgramRun::new_plan(const RunRequest& request) {
    PlanKey key = key_of(request);
    if (!forms_) return program_->plan_for(key);
    forms_->open(key);
    if (!key.floats) return program_->plan_for(key);
    try {
        return program_->plan_for(key);
    } catch (const InternalError&) {
        throw;
    } catch (const Error&) {
        // Exact shapes may be fine; if they aren't, their error names them.
    }
    auto plan = program_->plan_for(key_of(request));
    forms_->close();
    return plan;
}

BoundPlan& ProgramRun::next_segment(const RunRequest& request, const BoundPlan& last) {
    BoundPlan* use = history_.find_next();
    if (use == nullptr) {
        if (forms_) forms_->note_segment();
        use = &history_.add(program_->plan_for(key_behind(last)), *program_->program().graph);
    }
    BoundPlan& first = *history_.chain().front();
    first.most_bytes = std::max(first.most_bytes, use->plan->arena_bytes);
    arena_.grow(use->plan->arena_bytes, last.plan->arena_bytes);
    if (request.profile != nullptr) request.profile->report(*use->plan);
    return *use;
}

void ProgramRun::run_segment(const RunRequest& request, BoundPlan& use) {
    if (use.arena != arena_.data()) set_addresses(use);
    use.outputs.bind(request.inputs, request.outputs, outputs_, request.own_outputs,
                     request.allocator);
    for (const PlannedEnd& variable : use.plan->next_variables) {
        next_variables_[variable.index] =
            request.variables[variable.index].stage(variable.info.shape).data();
    }
    bind_places(request, use);
    if (use.floating) use.floating->start(request.inputs);
    run_calls(request, use);
    copy_ends(use);
    if (use.floating) use.floating->finish(request.outputs);
    if (!use.plan->end.extent_steps.empty()) find_extents(use);
    if (!use.plan->end.dynamic_steps.empty()) run_dynamic_steps(request, use);
}

void ProgramRun::run_dynamic_steps(const RunRequest& request, BoundPlan& use) {
    const SegmentBoundary& end = use.plan->end;
    const auto& before = use.plan->key.before;
    const std::size_t first = before ? before->end.late_outputs : 0;
    late_.resize(end.late_outputs);
    use.late_inputs.resize(end.dynamic_steps.size());
    use.late_outputs.resize(end.late_outputs - first);
    std::span<Tensor> outputs = use.late_outputs;
    for (std::size_t i = 0; i < end.dynamic_steps.size(); ++i) {
        stop_if(request.cancelled);
        const DynamicStep& late = end.dynamic_steps[i];
        const StepTimer timer(request.profile ? &(*request.profile)[late.step] : nullptr);
        borrow_inputs(late, use, request.inputs, use.late_inputs[i]);
        const std::size_t count = program_->program().steps[late.step].outputs.size();
        dynamic_run(late.step).run({use.late_inputs[i], outputs.first(count), request.team,
                                    request.cancelled, timer.bodies(), program_->program().limits});
        const Node& node = program_->program().steps[late.step].node();
        for (const Tensor& output : outputs.first(count)) {
            if (output) check_bytes(node, output, program_->program().limits);
        }
        outputs = outputs.subspan(count);
    }
    for (std::size_t i = 0; i < use.late_outputs.size(); ++i) {
        const Tensor& output = use.late_outputs[i];
        internal_check(output && output.is_contiguous(), "a late step left an output open");
        late_[first + i] = output.data();
    }
    stop_if(request.cancelled);
}

DynamicRun& ProgramRun::dynamic_run(std::size_t step) {
    dynamic_runs_.resize(program_->program().steps.size());
    if (!dynamic_runs_[step]) {
        dynamic_runs_[step] = program_->program().steps[step].kernel->make_dynamic_run();
    }
    return *dynamic_runs_[step];
}

void ProgramRun::set_addresses(BoundPlan& use) const {
    const auto& places = use.plan->places;
    use.addresses.resize(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) use.addresses[i] = fixed_address(places[i]);
    use.arena = arena_.data();
}

void* ProgramRun::fixed_address(const Place& place) const {
    switch (place.base) {
        case Place::Base::arena: return arena_.data() + place.offset;
        case Place::Base::fixed:
            return const_cast<char*>(static_cast<const char*>(place.fixed)) + place.offset;
        default: return nullptr;
    }
}

void ProgramRun::bind_places(const RunRequest& request, BoundPlan& use) const {
    for (const std::size_t i : use.plan->bound_places) {
        const Place& place = use.plan->places[i];
        const void* base = bound_base(place, request);
        use.addresses[i] = const_cast<char*>(static_cast<const char*>(base)) + place.offset;
    }
}

const void* ProgramRun::bound_base(const Place& place, const RunRequest& request) const {
    switch (place.base) {
        case Place::Base::input: return Tensor::Impl::of(request.inputs[place.index]).data;
        case Place::Base::variable: return request.variables[place.index].value().data();
        case Place::Base::next_variable: return next_variables_[place.index];
        case Place::Base::late: return late_[place.index];
        default: return outputs_[place.index];
    }
}

void ProgramRun::copy_ends(const BoundPlan& use) const {
    for (const FinalCopy& copy : use.plan->copies) {
        if (copy.bytes == 0) continue;
        void* target = copy.target.base == Place::Base::output ? outputs_[copy.target.index]
                                                               : next_variables_[copy.target.index];
        std::memcpy(target, use.addresses[copy.place], copy.bytes);
    }
}

}  // namespace rondo::cpu
