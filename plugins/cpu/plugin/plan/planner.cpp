#include "plugins/cpu/plugin/plan/planner.hpp"

#include <algorithm>

#include "core/support/log.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/nodes/common/memory_limit.hpp"
#include "plugins/cpu/plugin/plan/floating_part.hpp"
#include "plugins/cpu/plugin/plan/places.hpp"

namespace rondo::cpu {
namespace {

void add_place(const Place& place, Plan& plan) {
    const bool settled = place.base == Place::Base::none || place.base == Place::Base::fixed ||
                         place.base == Place::Base::arena || place.base == Place::Base::floating;
    if (!settled) plan.bound_places.push_back(plan.places.size());
    plan.places.push_back(place);
}

void place_calls(const Program& program, const ShapeWalk& walk, PreparedCalls& prepared,
                 PlaceFinder& finder, Plan& plan) {
    for (std::size_t i = 0; i < prepared.calls.size(); ++i) {
        const Step& step = program.steps[prepared.calls[i].step];
        plan.calls.push_back({prepared.calls[i].step, std::move(prepared.calls[i].call),
                              plan.places.size(), step.inputs.size(), step.outputs.size()});
        for (const ValueId id : step.inputs) add_place(finder.place_of(id), plan);
        for (const ValueId id : step.outputs) {
            add_place(walk.values[id].wanted ? finder.place_of(id) : Place{}, plan);
        }
        add_place(finder.place_of_scratch(i), plan);
    }
}

void place_ends(Ends ends, PlaceFinder& finder, Plan& plan) {
    for (std::size_t i = 0; i < ends.copies.size(); ++i) {
        ends.copies[i].place = plan.places.size();
        add_place(finder.place_of(ends.copied[i]), plan);
    }
    plan.copies = std::move(ends.copies);
    plan.outputs = std::move(ends.outputs);
    plan.next_variables = std::move(ends.next_variables);
    plan.end.end_bytes = ends.bytes;
}

void place_reads(const std::vector<ValueId>& reads, const ShapeWalk& walk, PlaceFinder& finder,
                 Plan& plan) {
    for (const ValueId id : reads) {
        const TensorInfo& info = walk.values[id];
        plan.end.reads.push_back(
            {id, info, plan.places.size(), element_count(info.shape) * size_of(info.type)});
        add_place(finder.place_of(id), plan);
    }
}

void place_extent_steps(const Program& program, std::vector<OpenExtents> extents,
                        PlaceFinder& finder, Plan& plan) {
    for (OpenExtents& open : extents) {
        const Step& step = program.steps[open.step];
        plan.end.extent_outputs += step.outputs.size();
        plan.end.extent_steps.push_back({open.step, std::move(open.finder), std::move(open.types),
                                         step.inputs.size(), plan.places.size()});
        for (const ValueId id : step.inputs) add_place(finder.place_of(id), plan);
    }
}

void place_late_steps(const Program& program, const std::vector<std::size_t>& late,
                      const ShapeWalk& walk, PlaceFinder& finder, Plan& plan) {
    plan.end.late_outputs = plan.key.before ? plan.key.before->end.late_outputs : 0;
    for (const std::size_t index : late) {
        const Step& step = program.steps[index];
        LateStep& placed =
            plan.end.late_steps.emplace_back(LateStep{index, {}, plan.places.size()});
        for (const ValueId id : step.inputs) {
            placed.inputs.push_back(walk.values[id]);
            add_place(finder.place_of(id), plan);
        }
        plan.end.late_outputs += step.outputs.size();
    }
}

// The inputs of the steps that are still open, except constants.
void carry_values(const Program& program, const ShapeWalk& walk, const NeededValues& needed,
                  PlaceFinder& finder, Plan& plan, const PlaceInputs& in) {
    std::vector<std::optional<std::size_t>> kept(in.buffers.list.size());
    for (ValueId id = 0; id < walk.values.size(); ++id) {
        if (!needed.later[id] || !walk.shaped[id] || program.constants[id]) continue;
        CarriedValue carried{id, walk.values[id], finder.place_of(id), {}};
        if (const auto buffer = finder.buffer_of(id);
            buffer && carried.place.base == Place::Base::arena) {
            if (!kept[*buffer]) {
                kept[*buffer] = plan.end.buffers.size();
                plan.end.buffers.push_back(
                    {in.layout.offsets[*buffer], in.buffers.list[*buffer].lifetime.bytes});
            }
            carried.buffer = kept[*buffer];
        }
        plan.end.values.push_back(std::move(carried));
    }
}

std::vector<bool> shaped_of(const std::vector<ValueId>& values, const ShapeWalk& walk,
                            const std::vector<bool>* before) {
    std::vector<bool> settled(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        settled[i] = walk.shaped[values[i]] || (before != nullptr && (*before)[i]);
    }
    return settled;
}

void settle(const Program& program, const ShapeWalk& walk, Plan& plan) {
    const OpenEnd* before = plan.key.before ? &plan.key.before->end : nullptr;
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
    const PlaceInputs in{program, key, walk, prepared, buffers, layout};
    PlaceFinder finder(in);
    place_calls(program, walk, prepared, finder, *plan);
    place_ends(std::move(ends), finder, *plan);
    if (!is_last) {
        place_reads(reads, walk, finder, *plan);
        place_extent_steps(program, std::move(extents), finder, *plan);
        place_late_steps(program, late, walk, finder, *plan);
        carry_values(program, walk, needed, finder, *plan, in);
        settle(program, walk, *plan);
    }
    plan->known = finder.take_known();
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
