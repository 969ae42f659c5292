// What all workers of a pool share, and what each of them counts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/runtime/compiled_model_impl.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/latency_counts.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo {

/// Immutable.
struct PoolSettings {
    std::shared_ptr<CompiledModel::Impl> model;
    StreamPoolOptions options;
    RowAxes axes;
    /// The time axes of inputs and outputs of a model that takes chunks of any length; see
    /// Model::make_streaming(). Steps of several lengths then share batches. None of inputs where
    /// states may be among inputs and outputs: only steps of one length share batches.
    std::vector<std::optional<std::size_t>> input_times;
    std::vector<std::optional<std::size_t>> output_times;
    std::size_t max_batch = 1;  ///< 1 where steps can't be batched
};

/// The worker's leader writes all except `streams`, `pending` and `rejected`; any thread reads.
struct WorkerCounts {
    explicit WorkerCounts(std::size_t max_batch) : batch_counts(max_batch + 1) {}

    std::atomic<std::uint64_t> steps{0};
    std::atomic<std::uint64_t> failed{0};
    std::atomic<std::uint64_t> dropped{0};
    std::atomic<std::uint64_t> rejected{0};
    std::atomic<std::uint64_t> batches{0};
    std::atomic<std::uint64_t> late{0};
    std::atomic<std::uint64_t> busy_ns{0};
    std::atomic<std::size_t> streams{0};
    std::atomic<std::size_t> pending{0};  ///< steps that wait or run; no orders
    std::vector<std::atomic<std::uint64_t>> batch_counts;
    LatencyCounts latencies;
};

}  // namespace rondo
