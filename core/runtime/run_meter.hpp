// Counts and times the inferences of a compiled model, for Metrics.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/runtime/plugin.hpp"
#include "core/support/latency_counts.hpp"
#include "core/support/process.hpp"
#include "rondo/metrics.hpp"

namespace rondo {

/// What one executor has done. One thread at a time writes; any thread reads.
struct RunCounts {
    LatencyCounts latency;
    std::atomic<std::uint64_t> failed{0};
    std::atomic<std::uint64_t> cancelled{0};
    std::atomic<std::size_t> arena_bytes{0};
    std::atomic<unsigned> running_in{0};  // the process: 1 + fork_count(); 0: none runs
};

/// Thread-safe. Executors that it measures keep it alive.
class RunMeter : public std::enable_shared_from_this<RunMeter> {
public:
    /// The executor, whose runs are counted. A run costs two looks at the clock more, and neither
    /// an allocation nor a lock.
    std::unique_ptr<Executor> measured(std::unique_ptr<Executor> executor);

    /// Adds what all executors have done, also those that are gone.
    void add_to(Metrics& metrics) const;

private:
    class Measured;
    void retire(const std::shared_ptr<RunCounts>& counts);

    mutable ForkMutex mutex_;
    std::vector<std::shared_ptr<RunCounts>> live_;
    RunCounts retired_;
};

}  // namespace rondo
