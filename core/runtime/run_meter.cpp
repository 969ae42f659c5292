#include "core/runtime/run_meter.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/support/process.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t load(const std::atomic<std::size_t>& value) {
    return value.load(std::memory_order_relaxed);
}

}  // namespace

class RunMeter::Measured final : public Executor {
public:
    Measured(std::unique_ptr<Executor> executor, std::shared_ptr<RunMeter> meter,
             std::shared_ptr<RunCounts> counts)
        : executor_(std::move(executor)), meter_(std::move(meter)), counts_(std::move(counts)) {}
    ~Measured() override { meter_->retire(counts_); }

    void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
             const std::atomic<bool>& cancelled) override {
        const Running running(counts_->running_in);
        const auto start = Clock::now();
        try {
            executor_->run(inputs, outputs, cancelled);
        } catch (const CancelledError&) {
            raise(counts_->cancelled);
            throw;
        } catch (...) {
            raise(counts_->failed);
            throw;
        }
        counts_->latency.add(Clock::now() - start);
        counts_->arena_bytes.store(executor_->arena_bytes(), std::memory_order_relaxed);
    }

    bool set_output_allocator(const OutputAllocator& allocator) override {
        return executor_->set_output_allocator(allocator);
    }
    std::span<VariableValue> variables() override { return executor_->variables(); }
    void keep_plans(std::size_t count) override { executor_->keep_plans(count); }
    std::vector<ProfilingInfo> profiling() const override { return executor_->profiling(); }
    std::vector<TraceSlice> trace() const override { return executor_->trace(); }
    std::size_t arena_bytes() const override { return executor_->arena_bytes(); }

private:
    class Running {
    public:
        explicit Running(std::atomic<unsigned>& in) : in_(in) {
            in_.store(1 + fork_count(), std::memory_order_relaxed);
        }
        ~Running() { in_.store(0, std::memory_order_relaxed); }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

    private:
        std::atomic<unsigned>& in_;
    };

    std::unique_ptr<Executor> executor_;
    std::shared_ptr<RunMeter> meter_;
    std::shared_ptr<RunCounts> counts_;
};

std::unique_ptr<Executor> RunMeter::measured(std::unique_ptr<Executor> executor) {
    auto counts = std::make_shared<RunCounts>();
    {
        const std::lock_guard lock(mutex_);
        live_.push_back(counts);
    }
    return std::make_unique<Measured>(std::move(executor), shared_from_this(), std::move(counts));
}

void RunMeter::retire(const std::shared_ptr<RunCounts>& counts) {
    const std::lock_guard lock(mutex_);
    retired_.latency.merge(counts->latency);
    raise(retired_.failed, counts->failed.load(std::memory_order_relaxed));
    raise(retired_.cancelled, counts->cancelled.load(std::memory_order_relaxed));
    std::erase(live_, counts);
}

void RunMeter::add_to(Metrics& metrics) const {
    const auto all = std::make_unique<LatencyCounts>();  // too large for small stacks
    const std::lock_guard lock(mutex_);
    const auto add = [&](const RunCounts& counts) {
        all->merge(counts.latency);
        metrics.failed += counts.failed.load(std::memory_order_relaxed);
        metrics.cancelled += counts.cancelled.load(std::memory_order_relaxed);
        metrics.arena_bytes += load(counts.arena_bytes);
        const unsigned process = counts.running_in.load(std::memory_order_relaxed);
        metrics.running += process == 1 + fork_count() ? 1 : 0;
    };
    add(retired_);
    for (const auto& counts : live_) add(*counts);
    metrics.inferences = all->count();
    metrics.latency_p50 = all->quantile(0.5);
    metrics.latency_p90 = all->quantile(0.9);
    metrics.latency_p99 = all->quantile(0.99);
    metrics.latency_max = all->max();
    for (const auto& [upper, count] : all->octaves()) {
        metrics.latency_histogram.push_back({upper, count});
    }
}

}  // namespace rondo
