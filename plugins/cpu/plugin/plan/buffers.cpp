#include "plugins/cpu/plugin/plan/buffers.hpp"

#include <algorithm>

#include "plugins/cpu/nodes/common/memory_limit.hpp"

namespace rondo::cpu {
namespace {

void extend(Buffers& buffers, ValueId root, std::size_t call) {
    if (!buffers.of_value[root]) return;
    Lifetime& lifetime = buffers.list[*buffers.of_value[root]].lifetime;
    lifetime.last = std::max(lifetime.last, call);
}

void add_kept(const OpenEnd& end, Buffers& buffers) {
    for (const KeptBuffer& kept : end.buffers) {
        buffers.list.push_back({{kept.bytes, 0, 0, kept.offset}, {}});
    }
    buffers.kept_count = buffers.list.size();
    for (const CarriedValue& carried : end.values) {
        buffers.of_value[carried.value] = carried.buffer;
    }
}

class EndBinder {
public:
    EndBinder(const Program& program, const ShapeWalk& walk, const PreparedCalls& prepared,
              Buffers& buffers, Ends& ends)
        : program_(program), walk_(walk), prepared_(prepared), buffers_(buffers), ends_(ends) {}

    PlannedEnd bind(ValueId id, const Node& node, const Place& target) {
        const TensorInfo& info = walk_.values[id];
        const std::size_t bytes = checked_bytes(node, info, program_.limits);
        ends_.bytes += bytes;
        const ValueId root = prepared_.aliases[id].root;
        if (const auto buffer = buffers_.of_value[root]) {
            Buffer& own = buffers_.list[*buffer];
            if (*buffer >= buffers_.kept_count && own.target.base == Place::Base::none &&
                own.lifetime.bytes == bytes) {
                own.target = target;
                return {target.index, {info.type, info.shape, {}, true}};
            }
        }
        extend(buffers_, root, prepared_.calls.size());
        ends_.copied.push_back(id);
        ends_.copies.push_back({target, 0, bytes});
        return {target.index, {info.type, info.shape, {}, true}};
    }

private:
    const Program& program_;
    const ShapeWalk& walk_;
    const PreparedCalls& prepared_;
    Buffers& buffers_;
    Ends& ends_;
};

// Bytes of what the late steps of a segment have found.
std::size_t late_bytes(const Program& program, const OpenEnd& end, const ShapeWalk& walk) {
    std::size_t bytes = 0;
    for (const LateStep& late : end.late_steps) {
        for (const ValueId id : program.steps[late.step].outputs) {
            bytes += element_count(walk.values[id].shape) * size_of(walk.values[id].type);
        }
    }
    return bytes;
}

}  // namespace

Buffers choose_buffers(const Program& program, const PlanKey& key, const ShapeWalk& walk,
                       const NeededValues& needed, const PreparedCalls& prepared) {
    Buffers buffers;
    buffers.of_value.resize(walk.values.size());
    if (key.before) add_kept(key.before->end, buffers);
    for (std::size_t i = 0; i < prepared.calls.size(); ++i) {
        const Step& step = program.steps[prepared.calls[i].step];
        for (const ValueId id : step.outputs) {
            if (!walk.values[id].wanted || prepared.aliases[id].root != id) continue;
            if (walk.floating[id]) continue;
            buffers.of_value[id] = buffers.list.size();
            const std::size_t bytes = checked_bytes(step.node(), walk.values[id], program.limits);
            buffers.list.push_back({{bytes, i, i, {}}, {}});
        }
        for (const ValueId id : step.inputs) extend(buffers, prepared.aliases[id].root, i);
    }
    for (ValueId id = 0; id < walk.values.size(); ++id) {
        if (!needed.later[id] || !walk.shaped[id]) continue;
        extend(buffers, prepared.aliases[id].root, prepared.calls.size());
    }
    buffers.first_scratch = buffers.list.size();
    for (std::size_t i = 0; i < prepared.calls.size(); ++i) {
        const auto& call = prepared.calls[i].call;
        buffers.list.push_back({{call ? call->scratch_bytes() : 0, i, i, {}}, {}});
    }
    return buffers;
}

Ends bind_ends(const Program& program, const PlanKey& key, const ShapeWalk& walk,
               const PreparedCalls& prepared, Buffers& buffers) {
    Ends ends;
    const OpenEnd* before = key.before ? &key.before->end : nullptr;
    if (before != nullptr) ends.bytes = before->end_bytes + late_bytes(program, *before, walk);
    EndBinder binder(program, walk, prepared, buffers, ends);
    for (std::size_t i = 0; i < program.results.size(); ++i) {
        const ValueId id = program.results[i];
        if (!walk.shaped[id] || (before != nullptr && before->settled_results[i])) continue;
        ends.outputs.push_back(
            binder.bind(id, *program.graph->results()[i], {Place::Base::output, i, 0, nullptr}));
    }
    for (std::size_t i = 0; i < program.assigned.size(); ++i) {
        const ValueId id = program.assigned[i];
        if (!walk.shaped[id] || (before != nullptr && before->settled_variables[i])) continue;
        ends.next_variables.push_back(binder.bind(id, *program.graph->sinks()[i],
                                                  {Place::Base::next_variable, i, 0, nullptr}));
    }
    return ends;
}

}  // namespace rondo::cpu
