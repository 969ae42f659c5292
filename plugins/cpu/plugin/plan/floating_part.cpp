// What a plan says of the steps whose sizes each run finds.
#include "plugins/cpu/plugin/plan/shape_walk.hpp"

namespace rondo::cpu {
namespace {

FloatingPort port_of(ValueId id, const ShapeWalk& walk) {
    const auto& form = walk.floating[id];
    if (!form) return {id, false, walk.values[id]};
    return {id, true, {form->type, {}, {}, walk.values[id].wanted}};
}

std::vector<FloatingPort> ports_of(const std::vector<ValueId>& ids, const ShapeWalk& walk) {
    std::vector<FloatingPort> ports;
    for (const ValueId id : ids) ports.push_back(port_of(id, walk));
    return ports;
}

// Results keep their values to the end.
void find_last_reads(std::size_t values, FloatingPart& part) {
    std::vector<bool> seen(values);
    for (const FloatingPort& result : part.results) seen[result.value] = true;
    for (std::size_t i = part.steps.size(); i-- > 0;) {
        FloatingStep& step = part.steps[i];
        for (const auto* ports : {&step.inputs, &step.outputs}) {
            for (const FloatingPort& port : *ports) {
                if (!port.floats || seen[port.value]) continue;
                seen[port.value] = true;
                step.last_reads.push_back(port.value);
            }
        }
    }
}

}  // namespace

FloatingPart floating_part(const Program& program, const ShapeWalk& walk, const Plan& plan) {
    FloatingPart part;
    for (std::size_t i = 0; i < plan.calls.size(); ++i) {
        if (plan.calls[i].call != nullptr) continue;
        const Step& step = program.steps[plan.calls[i].step];
        part.steps.push_back({i, ports_of(step.inputs, walk), ports_of(step.outputs, walk), {}});
    }
    part.results = ports_of(program.results, walk);
    part.inputs = ports_of(program.parameters, walk);
    find_last_reads(walk.values.size(), part);
    return part;
}

}  // namespace rondo::cpu
