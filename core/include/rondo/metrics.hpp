// What a compiled model has done: counts, times and memory, for services that report them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo {

/// Counts all requests and stream pools of one compiled model, from its creation on. Other threads
/// may be running inferences meanwhile, so that the numbers need not be of the same instant.
struct Metrics {
    /// How many inferences took at most `upper`, and longer than the class before.
    struct LatencyClass {
        std::chrono::nanoseconds upper{0};
        std::uint64_t count = 0;
    };

    std::uint64_t inferences = 0;  ///< that succeeded; a batch of a stream pool is one
    std::uint64_t failed = 0;      ///< that threw, besides those that were cancelled
    std::uint64_t cancelled = 0;
    std::size_t running = 0;  ///< inferences
    std::size_t waiting = 0;  ///< asynchronous inferences that have not begun

    /// The times of inferences that succeeded, without waiting; the quantiles are at most 4 % too
    /// large.
    std::chrono::nanoseconds latency_p50{0};
    std::chrono::nanoseconds latency_p90{0};
    std::chrono::nanoseconds latency_p99{0};
    std::chrono::nanoseconds latency_max{0};
    /// Classes that end at 2^k - 1 ns, ascending, from the first to the last that has any.
    std::vector<LatencyClass> latency_histogram;

    /// Plans for new input shapes that were made, those of bodies of If, Loop and TensorIterator
    /// included, and plans that other requests had made before. An inference whose shapes its
    /// request knows needs neither.
    std::uint64_t plans_made = 0;
    std::uint64_t plan_cache_hits = 0;
    /// Memory for tensors between nodes, of all requests together, without bodies of loops.
    std::size_t arena_bytes = 0;
};

}  // namespace rondo
