#include "plugins/cpu/plugin/plan/needed_values.hpp"

#include <algorithm>

#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

StepState state_of(const Step& step, StepShapes shapes, const PlanKey& key) {
    if (shapes == StepShapes::known) return StepState::known;
    // A view of the variable: no init input is needed.
    if (step.variable && key.variables[*step.variable]) return StepState::view;
    const bool runs = shapes == StepShapes::shaped || shapes == StepShapes::floating;
    return runs ? StepState::runs : StepState::open;
}

}  // namespace

NeededValues find_needed(const Program& program, const PlanKey& key, const ShapeWalk& walk) {
    NeededValues needed;
    needed.values.resize(walk.values.size());
    needed.later.resize(walk.values.size());
    needed.states.assign(program.steps.size(), StepState::not_needed);
    for (const ValueId id : program.results) needed.values[id] = true;
    for (const ValueId id : program.assigned) needed.values[id] = true;
    for (std::size_t i = program.steps.size(); i-- > 0;) {
        const Step& step = program.steps[i];
        if (walk.steps[i] == StepShapes::settled) continue;
        const bool used = std::any_of(step.outputs.begin(), step.outputs.end(),
                                      [&](ValueId id) { return needed.values[id]; });
        if (!used && walk.steps[i] != StepShapes::known) continue;
        const StepState state = state_of(step, walk.steps[i], key);
        needed.states[i] = state;
        if (state != StepState::runs && state != StepState::open) continue;
        for (const ValueId id : step.inputs) {
            needed.values[id] = true;
            if (state == StepState::open) needed.later[id] = true;
        }
    }
    return needed;
}

std::vector<std::size_t> find_late(const ShapeWalk& walk, const NeededValues& needed) {
    std::vector<std::size_t> late;
    for (std::size_t i = 0; i < walk.steps.size(); ++i) {
        const bool used = needed.states[i] == StepState::open;
        if (used && walk.steps[i] == StepShapes::late) late.push_back(i);
    }
    return late;
}

std::vector<OpenExtents> take_extents(ShapeWalk& walk, const NeededValues& needed) {
    std::vector<OpenExtents> extents;
    for (OpenExtents& open : walk.extents) {
        if (needed.states[open.step] == StepState::open) extents.push_back(std::move(open));
    }
    return extents;
}

std::vector<ValueId> find_reads(const ShapeWalk& walk, const NeededValues& needed) {
    std::vector<ValueId> reads;
    std::vector<bool> listed(walk.values.size());
    for (const MissingValue& missing : walk.missing) {
        if (needed.states[missing.step] != StepState::open || listed[missing.value]) continue;
        listed[missing.value] = true;
        reads.push_back(missing.value);
    }
    return reads;
}

void check_all_settled(const Program& program, const NeededValues& needed) {
    const auto open = std::find(needed.states.begin(), needed.states.end(), StepState::open);
    if (open == needed.states.end()) return;
    const auto step = static_cast<std::size_t>(open - needed.states.begin());
    throw UnsupportedError(describe(program.steps[step].node()) +
                           ": an output's shape doesn't follow from the inputs");
}

}  // namespace rondo::cpu
