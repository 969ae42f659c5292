#include "plugins/cpu/plugin/plan/memory_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace rondo::cpu {
namespace {

constexpr std::size_t kLine = 64;

// Free bytes of a block that grows at its end.
class FreeList {
public:
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
    // A gap at the end counts towards what is needed.
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

}  // namespace

MemoryPlan plan_memory(std::span<const Lifetime> lifetimes) {
    const auto rounded = [&](std::size_t i) {
        return (lifetimes[i].bytes + kLine - 1) / kLine * kLine;
    };
    std::vector<std::size_t> order(lifetimes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (lifetimes[a].first != lifetimes[b].first)
            return lifetimes[a].first < lifetimes[b].first;
        return lifetimes[a].bytes > lifetimes[b].bytes;
    });
    const auto dies_later = [&](std::size_t a, std::size_t b) {
        return lifetimes[a].last > lifetimes[b].last;
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(dies_later)> live(
        dies_later);
    FreeList memory;
    MemoryPlan plan;
    plan.offsets.resize(lifetimes.size());
    for (const std::size_t i : order) {
        while (!live.empty() && lifetimes[live.top()].last < lifetimes[i].first) {
            memory.give_back(plan.offsets[live.top()], rounded(live.top()));
            live.pop();
        }
        if (lifetimes[i].bytes == 0) continue;
        plan.offsets[i] = memory.take(rounded(i));
        live.push(i);
    }
    plan.bytes = memory.end();
    return plan;
}

}  // namespace rondo::cpu
