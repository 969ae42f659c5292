// What the handles StreamPool and Stream point to.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/runtime/ports.hpp"
#include "core/streams/pool_settings.hpp"
#include "core/streams/stream_record.hpp"
#include "core/streams/stream_worker.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo {

class StreamPool::Impl : public std::enable_shared_from_this<StreamPool::Impl> {
public:
    /// Throws ModelError for options that make no sense.
    Impl(std::shared_ptr<CompiledModel::Impl> model, const StreamPoolOptions& options);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Stream open(const StreamOptions& options);
    /// A stream of this worker, which isn't closed for its idleness before its first task ends.
    Stream open(const std::shared_ptr<StreamWorker>& worker, const StreamOptions& options);
    StreamPoolStats stats() const;
    void warm_up(const std::vector<Tensor>& inputs);
    void close();

    const PoolSettings& settings() const { return *settings_; }
    /// The input of that name. Throws ModelError listing the names there are.
    std::size_t input(const std::string& name) const { return names_.place_of(name, "input"); }

private:
    const std::shared_ptr<StreamWorker>& least_loaded() const;
    void check_is_open() const;

    std::shared_ptr<const PoolSettings> settings_;
    PortNames names_;
    StreamClock::time_point made_ = StreamClock::now();
    std::vector<std::shared_ptr<StreamWorker>> workers_;
    std::mutex mutex_;  // of opening
    std::atomic<bool> is_closed_{false};
};

/// Closes the stream when the last handle goes.
class Stream::Impl {
public:
    Impl(std::shared_ptr<StreamPool::Impl> pool, std::shared_ptr<StreamRecord> record)
        : pool_(std::move(pool)), record_(std::move(record)) {}
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// `wakes`: see StreamWorker::post().
    template <typename Inputs>
    StreamStep push(const Inputs& inputs, Callback callback, bool wakes);
    /// For StreamPool::warm_up().
    void warm_up(const std::vector<Tensor>& inputs);
    /// `task`: get_state or save_state.
    StateStore::Values state(StreamStep::Impl::Task task);
    void set_state(const StateStore::Values& state);
    /// `state`: of save_state.
    void load_state(StateStore::Values state);
    void reset();
    Stream fork();
    void cancel();
    void close() noexcept;
    bool is_open() const {
        return !record_->is_closed().load(std::memory_order_acquire) &&
               !record_->worker()->is_stopped();
    }

private:
    StepRef make(StreamStep::Impl::Task task);
    void check_is_open() const;
    void take_place();
    /// A task without inputs, done in its turn; returns when it is posted.
    void post(StreamStep::Impl::Task task);
    void post(StepRef step);
    void keep_input(StreamStep::Impl& step, std::size_t index, const Tensor& tensor) const;
    void keep_inputs(StreamStep::Impl& step, const std::vector<Tensor>& inputs) const;
    void keep_inputs(StreamStep::Impl& step, const std::map<std::string, Tensor>& inputs) const;
    StepRef run(StepRef step);

    std::shared_ptr<StreamPool::Impl> pool_;
    std::shared_ptr<StreamRecord> record_;
};

}  // namespace rondo
