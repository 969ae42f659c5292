#include "plugins/cpu/plugin/plan/buffers.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

#include "plugins/cpu/nodes/common/memory_limit.hpp"

namespace rondo::cpu {
namespace {

void extend(Buffers& buffers, ValueId root, std::size_t call) {
    if (!buffers.of_value[root]) return;
    Lifetime& lifetime = buffers.list[*buffers.of_value[root]].lifetime;
    lifetime.last = std::max(lifetime.last, call);
}

void add_kept(const SegmentBoundary& end, Buffers& buffers) {
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
std::size_t late_bytes(const Program& program, const SegmentBoundary& end, const ShapeWalk& walk) {
    std::size_t bytes = 0;
    for (const DynamicStep& late : end.dynamic_steps) {
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
    const SegmentBoundary* before = key.before ? &key.before->end : nullptr;
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

namespace {

constexpr std::size_t kLine = 64;

struct Block {
    std::size_t offset = 0;
    std::size_t bytes = 0;
};

// Free bytes of a block that grows at its end.
class FreeList {
public:
    /// All bytes before `end` that no block takes are free; blocks are sorted by offset.
    explicit FreeList(std::span<const Block> taken) {
        for (const Block& block : taken) {
            if (block.offset > end_) gaps_.emplace(end_, block.offset - end_);
            end_ = block.offset + block.bytes;
        }
    }

    std::size_t take(std::size_t bytes) {
        auto best = gaps_.end();
        for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
            if (gap->second < bytes) continue;
            if (best == gaps_.end() || gap->second < best->second) best = gap;
        }
        if (best == gaps_.end()) return grow(bytes);
        const auto [offset, size] = *best;
        gaps_.erase(best);
        if (size > bytes) gaps_.emplace(offset + bytes, size - bytes);
        return offset;
    }

    void give_back(std::size_t offset, std::size_t bytes) {
        const auto next = gaps_.lower_bound(offset);
        if (next != gaps_.end() && offset + bytes == next->first) {
            bytes += next->second;
            gaps_.erase(next);
        }
        const auto after = gaps_.lower_bound(offset);
        if (after != gaps_.begin()) {
            const auto before = std::prev(after);
            if (before->first + before->second == offset) {
                before->second += bytes;
                return;
            }
        }
        gaps_.emplace(offset, bytes);
    }

    std::size_t end() const { return end_; }

private:
    // A gap at the end reduces the bytes that are needed.
    std::size_t grow(std::size_t bytes) {
        std::size_t offset = end_;
        if (!gaps_.empty()) {
            const auto last = std::prev(gaps_.end());
            if (last->first + last->second == end_) {
                offset = last->first;
                gaps_.erase(last);
            }
        }
        end_ = offset + bytes;
        return offset;
    }

    std::map<std::size_t, std::size_t> gaps_;  // offset -> bytes; neighbours are joined
    std::size_t end_ = 0;
};

std::size_t rounded(const Lifetime& lifetime) {
    return (lifetime.bytes + kLine - 1) / kLine * kLine;
}

FreeList around_what_is_there(std::span<const Lifetime> lifetimes) {
    std::vector<Block> blocks;
    for (const Lifetime& one : lifetimes) {
        if (one.offset && one.bytes > 0) blocks.push_back({*one.offset, rounded(one)});
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& a, const Block& b) { return a.offset < b.offset; });
    return FreeList(blocks);
}

// Existing ones come first.
std::vector<std::size_t> order_of(std::span<const Lifetime> lifetimes) {
    std::vector<std::size_t> order(lifetimes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const Lifetime& left = lifetimes[a];
        const Lifetime& right = lifetimes[b];
        if (left.first != right.first) return left.first < right.first;
        if (left.offset.has_value() != right.offset.has_value()) return left.offset.has_value();
        return left.bytes > right.bytes;
    });
    return order;
}

}  // namespace

MemoryLayout lay_out(std::span<const Lifetime> lifetimes) {
    const auto dies_later = [&](std::size_t a, std::size_t b) {
        return lifetimes[a].last > lifetimes[b].last;
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(dies_later)> live(
        dies_later);
    FreeList memory = around_what_is_there(lifetimes);
    MemoryLayout layout;
    layout.offsets.resize(lifetimes.size());
    for (const std::size_t i : order_of(lifetimes)) {
        while (!live.empty() && lifetimes[live.top()].last < lifetimes[i].first) {
            memory.give_back(layout.offsets[live.top()], rounded(lifetimes[live.top()]));
            live.pop();
        }
        if (lifetimes[i].bytes == 0) continue;
        layout.offsets[i] =
            lifetimes[i].offset ? *lifetimes[i].offset : memory.take(rounded(lifetimes[i]));
        live.push(i);
    }
    layout.bytes = memory.end();
    return layout;
}

}  // namespace rondo::cpu
