// How often latencies of each length occurred: quantiles in little memory.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rondo {

/// Adds to a counter that one thread at a time writes, and any thread reads.
inline void raise(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

/// Counts durations in classes whose bounds are 1/32 apart. One thread adds at a time; any thread
/// reads.
class LatencyCounts {
public:
    void add(std::chrono::nanoseconds duration);

    std::uint64_t count() const;
    std::chrono::nanoseconds max() const {
        return std::chrono::nanoseconds(max_.load(std::memory_order_relaxed));
    }
    /// Adds what the other has counted.
    void merge(const LatencyCounts& other);
    /// The upper bound of the class in which the quantile lies, at most max(); 0 if nothing was
    /// counted. `share`: from 0 to 1.
    std::chrono::nanoseconds quantile(double share) const;
    /// How many durations each power of two has, from the first to the last that has any: the
    /// longest duration that belongs to it (2^k - 1 ns), and their number.
    std::vector<std::pair<std::chrono::nanoseconds, std::uint64_t>> octaves() const;

private:
    static constexpr std::size_t kParts = 32;             // classes of each power of two
    static constexpr std::size_t kClasses = 59 * kParts;  // of numbers of 63 bits

    static std::size_t class_of(std::uint64_t nanoseconds);
    static std::uint64_t upper_bound(std::size_t index);

    std::array<std::atomic<std::uint64_t>, kClasses> counts_{};
    std::atomic<std::uint64_t> max_{0};
};

}  // namespace rondo
