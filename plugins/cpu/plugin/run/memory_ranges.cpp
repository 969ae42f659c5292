#include "plugins/cpu/plugin/run/memory_ranges.hpp"

#include <algorithm>

namespace rondo::cpu {
namespace {

constexpr std::less<const char*> kBefore{};

}  // namespace

void MemoryRanges::assign(std::span<const Tensor> tensors) {
    entries_.clear();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]) continue;
        const MemoryRange range = range_of(tensors[i]);
        if (range.begin != range.end) entries_.push_back({range, range.end, i});
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return kBefore(a.range.begin, b.range.begin); });
    for (std::size_t i = 1; i < entries_.size(); ++i) {
        entries_[i].furthest = std::max(entries_[i - 1].furthest, entries_[i].range.end, kBefore);
    }
}

bool MemoryRanges::any_overlaps(const MemoryRange& range) const {
    if (range.begin == range.end) return false;
    const auto behind = std::partition_point(
        entries_.begin(), entries_.end(),
        [&](const Entry& entry) { return kBefore(entry.range.begin, range.end); });
    return behind != entries_.begin() && kBefore(range.begin, std::prev(behind)->furthest);
}

std::optional<std::pair<std::size_t, std::size_t>> MemoryRanges::shared() const {
    // Sorted by their begin, two overlap somewhere only if some neighbours do.
    for (std::size_t i = 1; i < entries_.size(); ++i) {
        const Entry& a = entries_[i - 1];
        const Entry& b = entries_[i];
        if (overlap(a.range, b.range)) return std::minmax(a.index, b.index);
    }
    return std::nullopt;
}

}  // namespace rondo::cpu
