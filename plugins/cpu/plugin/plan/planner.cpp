#include "plugins/cpu/plugin/plan/planner.hpp"

#include <algorithm>
#include <limits>

#include "core/support/check.hpp"
#include "core/support/log.hpp"
#include "core/support/stopwatch.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/plugin/plan/memory_limit.hpp"
#include "plugins/cpu/plugin/plan/memory_plan.hpp"
#include "plugins/cpu/plugin/plan/shape_walk.hpp"

namespace rondo::cpu {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A value's place inside another value that owns memory.
struct Alias {
    ValueId root = 0;
    std::size_t offset = 0;
};

// Memory that a call writes: a value, or scratch.
struct Buffer {
    Lifetime lifetime;
    Place target;  ///< the result or next variable that it is written to directly, if any
};

class Planner {
public:
    Planner(const Program& program, const PlanKey& key, int threads)
        : program_(program), threads_(threads), walk_(walk_shapes(program, key)) {
        plan_->key = key;
        plan_->states.assign(program.steps.size(), StepState::not_needed);
        plan_->details.resize(program.steps.size());
        plan_->reasons.resize(program.steps.size());
    }

    std::shared_ptr<const Plan> make() {
        plan_->interleaved = !walk_.complete;
        if (plan_->interleaved) return plan_;
        find_needed();
        for (std::size_t i = 0; i < program_.steps.size(); ++i) prepare(i);
        choose_buffers();
        bind_results();
        bind_variables();
        place_all();
        return plan_;
    }

private:
    // Backwards from the results and variables: which values have to be computed.
    void find_needed() {
        needed_.resize(walk_.values.size());
        for (const ValueId id : program_.results) needed_[id] = true;
        for (const ValueId id : program_.assigned) needed_[id] = true;
        for (std::size_t i = program_.steps.size(); i-- > 0;) {
            const Step& step = program_.steps[i];
            if (walk_.known_steps[i]) {
                plan_->states[i] = StepState::known;
                continue;
            }
            if (std::none_of(step.outputs.begin(), step.outputs.end(),
                             [&](ValueId id) { return needed_[id]; })) {
                continue;
            }
            if (step.variable && plan_->key.variables[*step.variable]) {
                plan_->states[i] = StepState::view;  // of the variable: no init input is needed
                continue;
            }
            plan_->states[i] = StepState::runs;
            for (const ValueId id : step.inputs) needed_[id] = true;
        }
        aliases_.resize(walk_.values.size());
        for (ValueId id = 0; id < aliases_.size(); ++id) aliases_[id] = {id, 0};
    }

    void prepare(std::size_t index) {
        if (plan_->states[index] != StepState::runs) return;
        const Step& step = program_.steps[index];
        auto call = step.kernel->prepare(site_of(step));
        plan_->details[index] = call->detail();
        plan_->reasons[index] = call->reason();
        bool writes = false;
        for (std::size_t i = 0; i < step.outputs.size(); ++i) {
            const ValueId id = step.outputs[i];
            if (!walk_.values[id].wanted) continue;
            if (const auto view = call->view(i)) {
                const Alias& source = aliases_[step.inputs[view->input]];
                aliases_[id] = {source.root, source.offset + view->byte_offset};
            } else {
                writes = true;
            }
        }
        if (!writes) {
            plan_->states[index] = StepState::view;
            return;
        }
        plan_->calls.push_back(
            {index, std::move(call), 0, step.inputs.size(), step.outputs.size()});
    }

    CallSite site_of(const Step& step) {
        site_inputs_.clear();
        site_outputs_.clear();
        for (const ValueId id : step.inputs) site_inputs_.push_back(walk_.values[id]);
        for (std::size_t i = 0; i < step.outputs.size(); ++i) {
            TensorInfo& info = walk_.values[step.outputs[i]];
            info.wanted = needed_[step.outputs[i]] || !step.kernel->may_skip_output(i);
            checked_bytes(step.node(), info);
            site_outputs_.push_back(info);
        }
        return {site_inputs_, site_outputs_, threads_};
    }

    // A buffer for each value that a call writes, then one for each call's scratch.
    void choose_buffers() {
        buffer_of_.assign(walk_.values.size(), kNone);
        for (std::size_t i = 0; i < plan_->calls.size(); ++i) {
            const Step& step = program_.steps[plan_->calls[i].step];
            for (const ValueId id : step.outputs) {
                if (!walk_.values[id].wanted || aliases_[id].root != id) continue;
                buffer_of_[id] = buffers_.size();
                buffers_.push_back({{checked_bytes(step.node(), walk_.values[id]), i, i}, {}});
            }
            for (const ValueId id : step.inputs) extend(aliases_[id].root, i);
        }
        first_scratch_ = buffers_.size();
        for (std::size_t i = 0; i < plan_->calls.size(); ++i) {
            buffers_.push_back({{plan_->calls[i].call->scratch_bytes(), i, i}, {}});
        }
    }

    void extend(ValueId root, std::size_t call) {
        if (buffer_of_[root] == kNone) return;
        Lifetime& lifetime = buffers_[buffer_of_[root]].lifetime;
        lifetime.last = std::max(lifetime.last, call);
    }

    void bind_results() {
        for (std::size_t i = 0; i < program_.results.size(); ++i) {
            const ValueId id = program_.results[i];
            const TensorInfo& info = walk_.values[id];
            plan_->outputs.push_back({info.type, info.shape, {}, true});
            bind(id, {Place::Base::output, i, 0, nullptr},
                 checked_bytes(*program_.graph->results()[i], info));
        }
    }

    void bind_variables() {
        for (std::size_t i = 0; i < program_.assigned.size(); ++i) {
            const ValueId id = program_.assigned[i];
            const TensorInfo& info = walk_.values[id];
            plan_->next_variables.push_back({info.type, info.shape, {}, true});
            bind(id, {Place::Base::next_variable, i, 0, nullptr},
                 checked_bytes(*program_.graph->sinks()[i], info));
        }
    }

    // A whole buffer is written where it is to end up; other values are copied in the end.
    void bind(ValueId id, const Place& target, std::size_t bytes) {
        const std::size_t buffer = buffer_of_[aliases_[id].root];
        if (buffer != kNone && buffers_[buffer].target.base == Place::Base::none &&
            buffers_[buffer].lifetime.bytes == bytes) {
            buffers_[buffer].target = target;
            return;
        }
        extend(aliases_[id].root, plan_->calls.size());
        copied_.push_back(id);
        plan_->copies.push_back({target, kNone, bytes});
    }

    void place_all() {
        place_buffers();
        for (std::size_t i = 0; i < plan_->calls.size(); ++i) {
            PlannedCall& call = plan_->calls[i];
            const Step& step = program_.steps[call.step];
            call.first_place = plan_->places.size();
            for (const ValueId id : step.inputs) add_place(place_of(id));
            for (const ValueId id : step.outputs) {
                add_place(walk_.values[id].wanted ? place_of(id) : Place{});
            }
            add_place(place_of_buffer(first_scratch_ + i, 0));
        }
        for (std::size_t i = 0; i < copied_.size(); ++i) {
            plan_->copies[i].place = plan_->places.size();
            add_place(place_of(copied_[i]));
        }
    }

    void place_buffers() {
        std::vector<Lifetime> lifetimes;
        std::size_t total = 0;
        for (const Buffer& buffer : buffers_) {
            lifetimes.push_back(buffer.lifetime);
            if (buffer.target.base != Place::Base::none) lifetimes.back().bytes = 0;
        }
        const MemoryPlan memory = plan_memory(lifetimes);
        offsets_ = memory.offsets;
        plan_->arena_bytes = total = memory.bytes;
        for (const auto* infos : {&plan_->outputs, &plan_->next_variables}) {
            for (const auto& info : *infos) total += element_count(info.shape) * size_of(info.type);
        }
        check_total(total);
    }

    static std::size_t index_of(ValueId id, const std::vector<ValueId>& list) {
        const auto at = std::find(list.begin(), list.end(), id);
        return at == list.end() ? kNone : static_cast<std::size_t>(at - list.begin());
    }

    Place place_of(ValueId id) {
        const Alias& alias = aliases_[id];
        const TensorInfo& root = walk_.values[alias.root];
        if (buffer_of_[alias.root] != kNone) {
            return place_of_buffer(buffer_of_[alias.root], alias.offset);
        }
        if (root.value) {
            plan_->known.push_back(root.value);
            return {Place::Base::fixed, 0, alias.offset, root.value.data()};
        }
        if (const std::size_t index = index_of(alias.root, program_.read); index != kNone) {
            return {Place::Base::variable, index, alias.offset, nullptr};
        }
        const std::size_t index = index_of(alias.root, program_.parameters);
        internal_check(index != kNone, "a value that nothing computes");
        return {Place::Base::input, index, alias.offset, nullptr};
    }

    Place place_of_buffer(std::size_t index, std::size_t offset) const {
        const Buffer& buffer = buffers_[index];
        if (buffer.target.base != Place::Base::none) {
            return {buffer.target.base, buffer.target.index, offset, nullptr};
        }
        return {Place::Base::arena, 0, offsets_[index] + offset, nullptr};
    }

    void add_place(const Place& place) {
        const bool settled = place.base == Place::Base::none || place.base == Place::Base::fixed ||
                             place.base == Place::Base::arena;
        if (!settled) {
            plan_->bound_places.push_back(plan_->places.size());
        }
        plan_->places.push_back(place);
    }

    const Program& program_;
    int threads_;
    ShapeWalk walk_;
    std::shared_ptr<Plan> plan_ = std::make_shared<Plan>();
    std::vector<bool> needed_;
    std::vector<Alias> aliases_;
    std::vector<TensorInfo> site_inputs_;
    std::vector<TensorInfo> site_outputs_;
    std::vector<Buffer> buffers_;
    std::vector<std::size_t> buffer_of_;  // value -> buffer, or kNone
    std::vector<ValueId> copied_;         // by Plan::copies
    std::vector<std::size_t> offsets_;
    std::size_t first_scratch_ = 0;
};

void log_plan(const Plan& plan, const Stopwatch& watch) {
    std::vector<std::string> shapes;
    for (const Shape& shape : plan.key.inputs) shapes.push_back(to_string(shape));
    const std::string form = plan.interleaved ? "shapes depend on elements"
                                              : std::to_string(plan.calls.size()) + " calls, " +
                                                    std::to_string(plan.arena_bytes) + " bytes";
    log(LogLevel::debug,
        "cpu: new plan for " + join(shapes, ", ") + " (" + form + ") in " + watch.text());
}

}  // namespace

std::shared_ptr<const Plan> make_plan(const Program& program, const PlanKey& key, int threads) {
    const Stopwatch watch;
    auto plan = Planner(program, key, threads).make();
    if (log_enabled(LogLevel::debug)) log_plan(*plan, watch);
    return plan;
}

}  // namespace rondo::cpu
