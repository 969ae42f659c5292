// Makes plans.
#include "plugins/cpu/plugin/plan/planned_program.hpp"

#include <algorithm>

#include "core/support/errors.hpp"
#include "core/support/log.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/nodes/common/memory_limit.hpp"
#include "plugins/cpu/plugin/plan/buffers.hpp"
#include "plugins/cpu/plugin/plan/shape_walk.hpp"

namespace rondo::cpu {
namespace {

// What the places of one segment follow from.
struct PlaceInputs {
    const Program& program;
    const ShapeWalk& walk;
    const PreparedCalls& prepared;
    const Buffers& buffers;
    const MemoryLayout& layout;  // of the buffers
};

// The last phase of planning: where each tensor lies.
class Placer {
public:
    Placer(const PlaceInputs& inputs, Plan& plan)
        : in_(inputs), plan_(plan), given_(inputs.walk.values.size()) {
        for (std::size_t i = 0; i < in_.program.parameters.size(); ++i) {
            given_[in_.program.parameters[i]] = {Place::Base::input, i, 0, nullptr};
        }
        for (std::size_t i = 0; i < in_.program.read.size(); ++i) {
            if (!plan_.key.variables[i]) continue;
            given_[in_.program.read[i]] = {Place::Base::variable, i, 0, nullptr};
        }
        for (ValueId id = 0; id < given_.size(); ++id) {
            if (in_.walk.values[id].packed) given_[id] = {Place::Base::fixed, 0, 0, nullptr};
            if (in_.walk.floating[id]) given_[id].base = Place::Base::floating;
        }
        if (!plan_.key.before) return;
        place_found(plan_.key.before->end);
        for (const CarriedValue& carried : plan_.key.before->end.values) {
            given_[carried.value] = carried.place;
        }
    }

    void place_calls(std::vector<PreparedCall> calls) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const Step& step = in_.program.steps[calls[i].step];
            plan_.calls.push_back({calls[i].step, std::move(calls[i].call), plan_.places.size(),
                                   step.inputs.size(), step.outputs.size()});
            add_all(step.inputs);
            for (const ValueId id : step.outputs) {
                add(in_.walk.values[id].wanted ? place_of(id) : Place{});
            }
            add(place_of_buffer(in_.buffers.first_scratch + i));
        }
    }

    void place_ends(Ends ends) {
        for (std::size_t i = 0; i < ends.copies.size(); ++i) {
            ends.copies[i].place = plan_.places.size();
            add(place_of(ends.copied[i]));
        }
        plan_.copies = std::move(ends.copies);
        plan_.outputs = std::move(ends.outputs);
        plan_.next_variables = std::move(ends.next_variables);
        plan_.end.end_bytes = ends.bytes;
    }

    void place_reads(const std::vector<ValueId>& reads) {
        for (const ValueId id : reads) {
            const TensorInfo& info = in_.walk.values[id];
            plan_.end.reads.push_back(
                {id, info, plan_.places.size(), element_count(info.shape) * size_of(info.type)});
            add(place_of(id));
        }
    }

    void place_extent_steps(std::vector<OpenExtents> extents) {
        for (OpenExtents& open : extents) {
            const Step& step = in_.program.steps[open.step];
            plan_.end.extent_outputs += step.outputs.size();
            plan_.end.extent_steps.push_back({open.step, std::move(open.finder),
                                              std::move(open.types), step.inputs.size(),
                                              plan_.places.size()});
            add_all(step.inputs);
        }
    }

    void place_dynamic_steps(const std::vector<std::size_t>& late) {
        plan_.end.late_outputs = plan_.key.before ? plan_.key.before->end.late_outputs : 0;
        for (const std::size_t index : late) {
            const Step& step = in_.program.steps[index];
            DynamicStep& placed =
                plan_.end.dynamic_steps.emplace_back(DynamicStep{index, {}, plan_.places.size()});
            for (const ValueId id : step.inputs) placed.inputs.push_back(in_.walk.values[id]);
            add_all(step.inputs);
            plan_.end.late_outputs += step.outputs.size();
        }
    }

    // The inputs of the steps that are still open, except constants.
    void carry_values(const NeededValues& needed) {
        std::vector<std::optional<std::size_t>> kept(in_.buffers.list.size());
        for (ValueId id = 0; id < given_.size(); ++id) {
            if (!needed.later[id] || !in_.walk.shaped[id] || in_.program.constants[id]) continue;
            CarriedValue carried{id, in_.walk.values[id], place_of(id), {}};
            const auto buffer = in_.buffers.of_value[in_.prepared.aliases[id].root];
            if (buffer && in_.buffers.list[*buffer].target.base == Place::Base::none &&
                carried.place.base == Place::Base::arena) {
                if (!kept[*buffer]) {
                    kept[*buffer] = plan_.end.buffers.size();
                    plan_.end.buffers.push_back(
                        {in_.layout.offsets[*buffer], in_.buffers.list[*buffer].lifetime.bytes});
                }
                carried.buffer = kept[*buffer];
            }
            plan_.end.values.push_back(std::move(carried));
        }
    }

private:
    void place_found(const SegmentBoundary& end) {
        std::size_t index = end.late_outputs - plan_.key.found.size();
        for (const DynamicStep& late : end.dynamic_steps) {
            for (const ValueId id : in_.program.steps[late.step].outputs) {
                given_[id] = {Place::Base::late, index++, 0, nullptr};
            }
        }
    }

    Place place_of(ValueId id) {
        const Alias& alias = in_.prepared.aliases[id];
        if (const auto buffer = in_.buffers.of_value[alias.root];
            buffer && *buffer >= in_.buffers.kept_count) {
            return place_of_buffer(*buffer).at(alias.offset);
        }
        if (const Tensor& value = in_.walk.values[alias.root].value) {
            plan_.known.push_back(value);
            return {Place::Base::fixed, 0, alias.offset, value.data()};
        }
        const Place& given = given_[alias.root];
        internal_check(given.base != Place::Base::none, "a value that nothing computes");
        return given.at(alias.offset);
    }

    Place place_of_buffer(std::size_t buffer) const {
        const Place& target = in_.buffers.list[buffer].target;
        if (target.base != Place::Base::none) return target;
        return {Place::Base::arena, 0, in_.layout.offsets[buffer], nullptr};
    }

    void add(const Place& place) {
        const bool settled = place.base == Place::Base::none || place.base == Place::Base::fixed ||
                             place.base == Place::Base::arena ||
                             place.base == Place::Base::floating;
        if (!settled) plan_.bound_places.push_back(plan_.places.size());
        plan_.places.push_back(place);
    }
    void add_all(const std::vector<ValueId>& ids) {
        for (const ValueId id : ids) add(place_of(id));
    }

    PlaceInputs in_;
    Plan& plan_;
    std::vector<Place> given_;  // a value each: from outside, or from an earlier segment
};

std::vector<bool> shaped_of(const std::vector<ValueId>& values, const ShapeWalk& walk,
                            const std::vector<bool>* before) {
    std::vector<bool> settled(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        settled[i] = walk.shaped[values[i]] || (before != nullptr && (*before)[i]);
    }
    return settled;
}

void settle(const Program& program, const ShapeWalk& walk, Plan& plan) {
    const SegmentBoundary* before = plan.key.before ? &plan.key.before->end : nullptr;
    for (const StepShapes shapes : walk.steps) {
        plan.end.settled_steps.push_back(shapes != StepShapes::open);  // late ones find theirs now
    }
    plan.end.settled_results =
        shaped_of(program.results, walk, before ? &before->settled_results : nullptr);
    plan.end.settled_variables =
        shaped_of(program.assigned, walk, before ? &before->settled_variables : nullptr);
}

// Which call's outputs or scratch take most: the end of an error's text.
std::string largest_of(const Program& program, const PreparedCalls& prepared,
                       const Buffers& buffers) {
    const Buffer* largest = nullptr;
    for (std::size_t i = buffers.kept_count; i < buffers.list.size(); ++i) {
        const Buffer& buffer = buffers.list[i];
        if (largest == nullptr || buffer.lifetime.bytes > largest->lifetime.bytes) {
            largest = &buffer;
        }
    }
    if (largest == nullptr) return {};
    const Step& step = program.steps[prepared.calls[largest->lifetime.first].step];
    return "; most of them " + describe(step.node()) + ": " +
           std::to_string(largest->lifetime.bytes);
}

// The lifetimes of the buffers, without those that have a target outside of the arena.
std::vector<Lifetime> lifetimes_of(const Buffers& buffers) {
    std::vector<Lifetime> lifetimes;
    for (const Buffer& buffer : buffers.list) {
        lifetimes.push_back(buffer.lifetime);
        if (buffer.target.base != Place::Base::none) lifetimes.back().bytes = 0;
    }
    return lifetimes;
}

std::shared_ptr<Plan> plan_segment(const Program& program, const PlanKey& key, int threads) {
    auto plan = std::make_shared<Plan>();
    plan->key = key;
    plan->end.segments = key.before ? key.before->end.segments + 1 : 1;
    ShapeWalk walk = walk_shapes(program, key);
    const NeededValues needed = find_needed(program, key, walk);
    const std::vector<ValueId> reads = find_reads(walk, needed);
    const std::vector<std::size_t> late = find_late(walk, needed);
    std::vector<OpenExtents> extents = take_extents(walk, needed);
    const bool is_last = reads.empty() && late.empty() && extents.empty();
    if (is_last) check_all_settled(program, needed);
    PreparedCalls prepared = prepare_calls(program, needed, threads, walk);
    plan->reports = std::move(prepared.reports);
    for (StepReport& report : plan->reports) {
        if (std::binary_search(late.begin(), late.end(), report.step)) {
            report.state = StepState::runs;
        }
    }
    Buffers buffers = choose_buffers(program, key, walk, needed, prepared);
    Ends ends = bind_ends(program, key, walk, prepared, buffers);
    const MemoryLayout layout = lay_out(lifetimes_of(buffers));
    plan->arena_bytes = std::max(layout.bytes, key.before ? key.before->arena_bytes : 0);
    check_total(plan->arena_bytes + ends.bytes, program.limits,
                [&] { return largest_of(program, prepared, buffers); });
    Placer placer({program, walk, prepared, buffers, layout}, *plan);
    placer.place_calls(std::move(prepared.calls));
    placer.place_ends(std::move(ends));
    if (!is_last) {
        placer.place_reads(reads);
        placer.place_extent_steps(std::move(extents));
        placer.place_dynamic_steps(late);
        placer.carry_values(needed);
        settle(program, walk, *plan);
    }
    if (key.floats) plan->floating = floating_part(program, walk, *plan);
    return plan;
}

void log_plan(const Program& program, const Plan& plan, const Stopwatch& watch) {
    std::vector<std::string> shapes;
    for (const PlanInput& input : plan.key.inputs) {
        shapes.push_back(input.form ? to_string(*input.form) : to_string(input.shape));
    }
    std::string line = "cpu: new plan for " + join(shapes, ", ");
    if (plan.key.before) line += ", segment " + std::to_string(plan.end.segments);
    line += " (" + std::to_string(plan.calls.size()) + " calls, " +
            std::to_string(plan.arena_bytes) + " bytes";
    const auto open = std::find_if(plan.reports.begin(), plan.reports.end(),
                                   [](const auto& row) { return row.state == StepState::open; });
    if (open != plan.reports.end()) {
        line += ", up to '" + program.steps[open->step].node().name() + "'";
    }
    log(LogLevel::info, line + ") in " + watch.text());
}

}  // namespace

std::shared_ptr<const Plan> make_plan(const Program& program, const PlanKey& key, int threads) {
    const Stopwatch watch;
    // A later segment is planned in the middle of a run: known values must not depend on that.
    const FlushDenormals exact(false);
    const auto plan = plan_segment(program, key, threads);
    if (log_enabled(LogLevel::info)) log_plan(program, *plan, watch);
    return plan;
}

}  // namespace rondo::cpu
