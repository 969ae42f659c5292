#include "core/support/latency_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rondo {

// Below kParts a class has one number; above, the highest bit and the next five decide.
std::size_t LatencyCounts::class_of(std::uint64_t nanoseconds) {
    if (nanoseconds < kParts) return nanoseconds;
    const auto shift = static_cast<std::size_t>(std::bit_width(nanoseconds)) - 6;
    const std::size_t index = shift * kParts + static_cast<std::size_t>(nanoseconds >> shift);
    return std::min(index, kClasses - 1);
}

std::uint64_t LatencyCounts::upper_bound(std::size_t index) {
    if (index < 2 * kParts) return index;
    const std::size_t shift = index / kParts - 1;
    const std::uint64_t part = index % kParts + kParts;
    return ((part + 1) << shift) - 1;
}

void LatencyCounts::add(std::chrono::nanoseconds duration) {
    const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
    raise(counts_[class_of(length)]);
    if (length > max_.load(std::memory_order_relaxed)) {
        max_.store(length, std::memory_order_relaxed);
    }
}

std::uint64_t LatencyCounts::count() const {
    std::uint64_t sum = 0;
    for (const auto& count : counts_) sum += count.load(std::memory_order_relaxed);
    return sum;
}

void LatencyCounts::merge(const LatencyCounts& other) {
    for (std::size_t i = 0; i < kClasses; ++i) {
        raise(counts_[i], other.counts_[i].load(std::memory_order_relaxed));
    }
    const std::uint64_t most = other.max_.load(std::memory_order_relaxed);
    if (most > max_.load(std::memory_order_relaxed)) max_.store(most, std::memory_order_relaxed);
}

std::chrono::nanoseconds LatencyCounts::quantile(double share) const {
    const std::uint64_t all = count();
    if (all == 0) return {};
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kClasses; ++i) {
        seen += counts_[i].load(std::memory_order_relaxed);
        if (seen < std::max<std::uint64_t>(wanted, 1)) continue;
        return std::min(std::chrono::nanoseconds(upper_bound(i)), max());
    }
    return max();
}

std::vector<std::pair<std::chrono::nanoseconds, std::uint64_t>> LatencyCounts::octaves() const {
    std::vector<std::pair<std::chrono::nanoseconds, std::uint64_t>> found;
    for (std::size_t i = 0; i < kClasses; ++i) {
        const std::uint64_t count = counts_[i].load(std::memory_order_relaxed);
        const int bits = std::bit_width(upper_bound(i));
        const std::chrono::nanoseconds upper((std::uint64_t{1} << bits) - 1);
        if (!found.empty() && found.back().first == upper) {
            found.back().second += count;
        } else if (count > 0 || !found.empty()) {
            found.emplace_back(upper, count);
        }
    }
    while (!found.empty() && found.back().second == 0) found.pop_back();
    return found;
}

}  // namespace rondo
