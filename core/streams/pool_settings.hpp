// What all workers of a pool share, and what each of them counts; and whether steps of several
// streams can run as one inference.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
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
    /// Model::make_streaming(). Steps of several lengths then share batches. None of inputs if
    /// states may be among inputs and outputs: only steps of one length share batches.
    std::vector<std::optional<std::size_t>> input_times;
    std::vector<std::optional<std::size_t>> output_times;
    std::size_t max_batch = 1;  ///< 1 if steps can't be batched
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

/// The row axes of a compiled graph, `proven` by find_row_axes(), if its rows are independent and
/// the batch may have any extent up to `max_batch`; else none, and the obstacle.
RowAxes rows_for_batches(const Graph& graph, const RowAxes& proven, std::size_t max_batch);

/// The number of rows that an inference of `steps` steps has: plans are made for a few numbers
/// only, and what is too many are repetitions of the first step. At most a quarter, and none of up
/// to 8 steps.
std::size_t planned_rows(std::size_t steps, std::size_t max_batch);

/// How many numbers of rows there are up to `max_batch`.
std::size_t planned_row_counts(std::size_t max_batch);

}  // namespace rondo
