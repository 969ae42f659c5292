#include "plugins/cpu/plugin/plan/memory_layout.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace rondo::cpu {
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
