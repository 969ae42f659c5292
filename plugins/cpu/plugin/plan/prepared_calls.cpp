#include "plugins/cpu/plugin/plan/prepared_calls.hpp"

#include "plugins/cpu/nodes/common/memory_limit.hpp"

namespace rondo::cpu {
namespace {

// The sizes of one step's inputs and outputs, while its call is made.
struct StepSizes {
    std::vector<TensorInfo> inputs;
    std::vector<TensorInfo> outputs;
};

// The sizes that are known.
void settle_outputs(const Step& step, const NeededValues& needed, const ModelLimits& limits,
                    ShapeWalk& walk) {
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const ValueId id = step.outputs[i];
        TensorInfo& info = walk.values[id];
        info.wanted = needed.values[id] || !step.kernel->may_skip_output(i);
        if (walk.shaped[id]) checked_bytes(step.node(), info, limits);
    }
}

StepSizes sizes_of(const Step& step, const NeededValues& needed, const ModelLimits& limits,
                   ShapeWalk& walk) {
    StepSizes sizes;
    settle_outputs(step, needed, limits, walk);
    for (const ValueId id : step.inputs) sizes.inputs.push_back(walk.values[id]);
    for (const ValueId id : step.outputs) sizes.outputs.push_back(walk.values[id]);
    return sizes;
}

// Notes the outputs that are views; returns true if some output isn't one, so that the call must
// run.
bool find_views(const Step& step, const Call& call, const ShapeWalk& walk,
                std::vector<Alias>& aliases) {
    bool writes = false;
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const ValueId id = step.outputs[i];
        if (!walk.values[id].wanted) continue;
        if (const auto view = call.view(i)) {
            const Alias& source = aliases[step.inputs[view->input]];
            aliases[id] = {source.root, source.offset + view->byte_offset};
        } else {
            writes = true;
        }
    }
    return writes;
}

}  // namespace

PreparedCalls prepare_calls(const Program& program, const NeededValues& needed, int threads,
                            ShapeWalk& walk) {
    PreparedCalls prepared;
    for (ValueId id = 0; id < walk.values.size(); ++id) prepared.aliases.push_back({id, 0});
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        if (walk.steps[i] == StepShapes::settled) continue;
        StepReport& report = prepared.reports.emplace_back(StepReport{i, needed.states[i], {}, {}});
        if (report.state != StepState::runs) continue;
        const Step& step = program.steps[i];
        if (walk.steps[i] == StepShapes::floating) {
            settle_outputs(step, needed, program.limits, walk);
            report.detail = "sizes of each run";
            prepared.calls.push_back({i, nullptr});
            continue;
        }
        const StepSizes sizes = sizes_of(step, needed, program.limits, walk);
        auto call = step.kernel->prepare({sizes.inputs, sizes.outputs, threads});
        report.detail = call->detail();
        report.reason = call->reason();
        if (find_views(step, *call, walk, prepared.aliases)) {
            prepared.calls.push_back({i, std::move(call)});
        } else {
            report.state = StepState::view;
        }
    }
    return prepared;
}

}  // namespace rondo::cpu
