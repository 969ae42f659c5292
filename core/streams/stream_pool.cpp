#include "rondo/stream_pool.hpp"

#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/streams/pool_settings.hpp"
#include "core/streams/stream_pool_impl.hpp"
#include "core/support/api_boundary.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

constexpr std::size_t kMostThreads = 1024;
constexpr std::size_t kMostBatch = std::size_t{1} << 16;
constexpr std::chrono::microseconds kMostDelay = std::chrono::hours(1);

void check_option(bool holds, const char* name, const std::string& got, const char* expected) {
    if (holds) return;
    throw ModelError(std::string("option '") + name + "' of a stream pool: got " + got +
                     "; expected " + expected);
}

void check(const StreamPoolOptions& options) {
    check_option(options.max_batch >= 1 && options.max_batch <= kMostBatch, "max_batch",
                 std::to_string(options.max_batch), "1 to 65536");
    check_option(options.max_delay.count() >= 0 && options.max_delay <= kMostDelay, "max_delay",
                 std::to_string(options.max_delay.count()) + " us", "0 to one hour");
    check_option(options.threads <= kMostThreads, "threads", std::to_string(options.threads),
                 "at most 1024");
    check_option(options.idle_timeout.count() >= 0, "idle_timeout",
                 std::to_string(options.idle_timeout.count()) + " ms", "0 or more");
}

std::size_t thread_count(const CompiledModel::Impl& model, const StreamPoolOptions& options) {
    if (options.threads > 0) return options.threads;
    const Properties properties = model.properties();
    const auto found = properties.find(property::kNumStreams);
    long long streams = 1;
    if (found != properties.end()) parse_int(found->second, streams);
    return static_cast<std::size_t>(std::clamp<long long>(streams, 1, kMostThreads));
}

using Axes = std::vector<std::optional<std::size_t>>;

// As the ports say: a file may say anything. `rows`: each port's axis of the batch.
Axes time_axes(const std::vector<NodePtr>& ports, const Axes& rows) {
    Axes axes(ports.size());
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const auto& info = ports[i]->rt_info();
        const auto found = info.find(kTimeAxis);
        const PartialShape& shape = ports[i]->output_shape(0);
        long long number = 0;
        if (found == info.end() || !parse_int(found->second, number) || !shape.has_rank()) continue;
        const auto axis = static_cast<std::size_t>(number);
        if (number >= 0 && axis < shape.rank() && rows[i] != axis) axes[i] = axis;
    }
    return axes;
}

// An input of each stream and an output, both without time, may be a state: a part of a chunk would
// have to start from what the part before it gave.
bool may_carry_states(const PoolSettings& settings) {
    const auto& rows = settings.axes.inputs;
    bool has_input = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        has_input = has_input || (rows[i] && !settings.input_times[i]);
    }
    const auto& outputs = settings.output_times;
    return has_input &&
           std::any_of(outputs.begin(), outputs.end(), [](const auto& axis) { return !axis; });
}

std::shared_ptr<const PoolSettings> make_settings(std::shared_ptr<CompiledModel::Impl> model,
                                                  const StreamPoolOptions& options) {
    check(options);
    auto settings = std::make_shared<PoolSettings>();
    settings->options = options;
    settings->options.threads = thread_count(*model, options);
    const Graph& graph = *model->executable().graph();
    settings->axes = rows_for_batches(graph, model->row_axes(), options.max_batch);
    settings->input_times = time_axes(graph.parameters(), settings->axes.inputs);
    settings->output_times = time_axes(graph.results(), settings->axes.outputs);
    if (may_carry_states(*settings)) settings->input_times.assign(graph.parameters().size(), {});
    if (settings->axes.obstacle.empty()) settings->max_batch = options.max_batch;
    settings->model = std::move(model);
    return settings;
}

}  // namespace

StreamPool::Impl::Impl(std::shared_ptr<CompiledModel::Impl> model, const StreamPoolOptions& options)
    : settings_(make_settings(std::move(model), options)),
      names_({settings_->model->inputs()}, settings_->model->constant_inputs()) {
    for (std::size_t i = 0; i < settings_->options.threads; ++i) {
        workers_.push_back(std::make_shared<StreamWorker>(settings_, i));
    }
    try {
        for (const auto& worker : workers_) worker->start();
    } catch (...) {
        close();
        throw;
    }
}

// No stream is left: what was pushed before still runs.
StreamPool::Impl::~Impl() {
    if (is_closed_.exchange(true)) return;
    for (const auto& worker : workers_) worker->finish();
}

void StreamPool::Impl::close() {
    if (is_closed_.exchange(true)) return;
    for (const auto& worker : workers_) worker->stop();
}

void StreamPool::Impl::check_is_open() const {
    workers_.front()->check_process();
    if (is_closed_) throw ModelError("the stream pool is closed");
}

const std::shared_ptr<StreamWorker>& StreamPool::Impl::least_loaded() const {
    return *std::min_element(workers_.begin(), workers_.end(), [](const auto& a, const auto& b) {
        return a->counts().streams < b->counts().streams;
    });
}

Stream StreamPool::Impl::open(const StreamOptions& options) {
    Stream stream = open(least_loaded(), options);
    // Its time without steps begins now.
    if (settings_->options.idle_timeout.count() > 0) stream.reset();
    return stream;
}

Stream StreamPool::Impl::open(const std::shared_ptr<StreamWorker>& worker,
                              const StreamOptions& options) {
    check_is_open();
    if (options.deadline.count() < 0 || options.deadline > kMostDelay) {
        throw ModelError("option 'deadline' of a stream: got " +
                         std::to_string(options.deadline.count()) + " us; expected 0 to one hour");
    }
    const std::lock_guard lock(mutex_);
    const std::size_t limit = settings_->options.max_streams;
    std::size_t open = 0;
    for (const auto& each : workers_) open += each->counts().streams;
    if (limit > 0 && open >= limit) {
        throw QueueFullError("the stream pool is full: " + std::to_string(open) +
                             " streams are open, max_streams is " + std::to_string(limit));
    }
    auto record = worker->open_stream(options);
    return Stream(std::make_shared<Stream::Impl>(shared_from_this(), std::move(record)));
}

void StreamPool::Impl::warm_up(const std::vector<Tensor>& inputs) {
    check_is_open();
    for (const auto& worker : workers_) {
        auto record = worker->open_stream({});
        Stream::Impl(shared_from_this(), std::move(record)).warm_up(inputs);
    }
}

StreamPoolStats StreamPool::Impl::stats() const {
    StreamPoolStats stats;
    stats.batch_counts.resize(settings_->max_batch + 1);
    stats.why_not_batched = settings_->axes.obstacle;
    LatencyCounts latencies;
    double busy = 0;
    for (const auto& worker : workers_) {
        const WorkerCounts& counts = worker->counts();
        stats.steps += counts.steps;
        stats.failed += counts.failed;
        stats.dropped += counts.dropped;
        stats.rejected += counts.rejected;
        stats.batches += counts.batches;
        stats.late += counts.late;
        stats.streams += counts.streams;
        stats.waiting += counts.pending;
        for (std::size_t i = 0; i < counts.batch_counts.size(); ++i) {
            stats.batch_counts[i] += counts.batch_counts[i];
        }
        latencies.merge(counts.latencies);
        busy += static_cast<double>(counts.busy_ns);
    }
    stats.latency_p50 = latencies.quantile(0.5);
    stats.latency_p90 = latencies.quantile(0.9);
    stats.latency_p99 = latencies.quantile(0.99);
    stats.latency_max = latencies.max();
    const std::chrono::duration<double, std::nano> lived = StreamClock::now() - made_;
    stats.occupancy = busy / (lived.count() * static_cast<double>(workers_.size()));
    return stats;
}

namespace {

StreamPool::Impl& filled(const std::shared_ptr<StreamPool::Impl>& impl) {
    if (impl == nullptr) {
        throw ModelError(
            "the stream pool is empty; make one with CompiledModel::create_stream_pool()");
    }
    return *impl;
}

}  // namespace

// Here and not beside the other members: what is below the streams doesn't include them.
StreamPool CompiledModel::create_stream_pool(const StreamPoolOptions& options) {
    if (impl_ == nullptr) {
        throw ModelError("the compiled model is empty; make one with Core::compile_model()");
    }
    return at_api_boundary(
        [&] { return StreamPool(std::make_shared<StreamPool::Impl>(impl_, options)); });
}

Stream StreamPool::open(const StreamOptions& options) {
    return at_api_boundary([&] { return filled(impl_).open(options); });
}
StreamPoolStats StreamPool::stats() const {
    return at_api_boundary([&] { return filled(impl_).stats(); });
}
void StreamPool::warm_up(const std::vector<Tensor>& inputs) {
    at_api_boundary([&] { filled(impl_).warm_up(inputs); });
}
void StreamPool::close() {
    at_api_boundary([&] { filled(impl_).close(); });
}

}  // namespace rondo
