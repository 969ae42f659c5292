// What the handles CompiledModel and InferRequest point to.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "core/runtime/async_runner.hpp"
#include "core/runtime/plugin.hpp"
#include "core/runtime/ports.hpp"
#include "core/runtime/run_meter.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/process.hpp"

namespace rondo {

/// Immutable, except the runner and the proof of the rows, which are thread-safe.
class CompiledModel::Impl {
public:
    /// Makes the graph that the device was given once more.
    using GiveAgain = std::function<std::shared_ptr<Graph>()>;

    /// `own_properties` are shown besides the executable's. `give_again` is needed if that has
    /// released constants.
    Impl(std::shared_ptr<Plugin> plugin, std::unique_ptr<Executable> executable,
         std::size_t streams, Properties own_properties = {}, GiveAgain give_again = {});

    Executable& executable() const { return *executable_; }
    /// An executor whose runs metrics() counts.
    std::unique_ptr<Executor> create_executor() {
        return meter_->measured(executable_->create_executor());
    }
    /// A copy of the executable's graph, with the elements of all constants. Throws ModelError
    /// if a file that they are read from again was changed in place, and after release_source().
    std::shared_ptr<Graph> whole_graph() const;
    void release_source();
    Metrics metrics() const;
    const std::vector<PortInfo>& inputs() const { return inputs_; }
    const std::vector<PortInfo>& outputs() const { return outputs_; }
    const std::vector<std::string>& constant_inputs() const { return constant_inputs_; }
    /// The place of the port that has this name, inputs counted first, then outputs. Throws
    /// ModelError listing the names of both.
    std::size_t place_of(const std::string& name) const {
        return names_.place_of(name, "input or output");
    }
    AsyncRunner& runner() { return runner_; }
    Properties properties() const;
    /// Along which axes the rows of a batch lie, or what mixes them. The first call proves it,
    /// which takes a second for a large model; all calls after it, from any thread, share that.
    const RowAxes& row_axes();

private:
    GiveAgain give_again() const;

    std::shared_ptr<Plugin> plugin_;  // a loaded plugin's code must outlive what it made
    std::unique_ptr<Executable> executable_;
    std::vector<PortInfo> inputs_;
    std::vector<PortInfo> outputs_;
    std::vector<std::string> constant_inputs_;
    PortNames names_;
    Properties own_properties_;
    mutable ForkMutex give_again_mutex_;
    GiveAgain give_again_;  // null after release_source()
    std::shared_ptr<RunMeter> meter_ = std::make_shared<RunMeter>();
    std::once_flag row_axes_are_proven_;
    RowAxes row_axes_;
    AsyncRunner runner_;  // last: its threads use the executable
};

/// One request. A call that meets a running inference throws instead of racing with it.
class InferRequest::Impl : public std::enable_shared_from_this<InferRequest::Impl> {
public:
    explicit Impl(std::shared_ptr<CompiledModel::Impl> model);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void set_tensor(const std::string& name, const Tensor& tensor);
    void set_input(std::size_t index, const Tensor& tensor);
    void set_output(std::size_t index, const Tensor& tensor);
    void set_output_allocator(OutputAllocator allocator);
    Tensor get_tensor(const std::string& name);
    Tensor get_input(std::size_t index);
    Tensor get_output(std::size_t index);
    std::size_t only(std::string_view kind) const;

    void infer();
    void start_async();
    void wait();
    bool wait_for(std::chrono::milliseconds timeout);
    void cancel();
    void set_callback(std::function<void(std::exception_ptr)> callback);
    std::vector<ProfilingInfo> profiling() const;
    std::vector<TraceSlice> trace() const;
    /// For VariableState; throws if an inference runs.
    std::span<VariableValue> variables();

private:
    class Busy;
    void check_index(std::size_t index, std::size_t count, std::string_view kind) const;
    void check_idle() const;
    void keep_input(std::size_t index, const Tensor& tensor);
    void check_started_here() const;
    void settle_in(pid_t process);
    bool has_nothing_to_wait_for() const;
    void check_not_called_back() const;
    bool wait_until(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point end);
    void begin();
    std::span<const Tensor> dense_inputs();
    void run();
    void copy_to_given_memory();
    void run_in_background(std::uint64_t turn);

    std::shared_ptr<CompiledModel::Impl> model_;
    std::unique_ptr<Executor> executor_;
    std::vector<Tensor> inputs_;
    std::vector<Tensor> dense_inputs_;   // if any has strides: those as copies, and the others
    bool has_strided_inputs_ = false;    // or had
    std::vector<Tensor> bound_outputs_;  // set by the user, else empty
    std::vector<Tensor> outputs_;        // of the last inference
    OutputAllocator copies_to_;          // null unless the executor can't call it
    std::function<void(std::exception_ptr)> callback_;

    std::atomic<bool> busy_{false};
    std::atomic<pid_t> made_in_;        // the process: a forked child has none of its threads
    std::atomic<pid_t> started_in_{0};  // of the asynchronous inference that runs; 0: none
    std::atomic<bool> cancelled_{false};
    std::mutex mutex_;
    std::condition_variable done_;
    std::uint64_t turn_ = 0;  // counts asynchronous inferences: a callback may start the next
    std::atomic<std::thread::id> calls_back_{};  // the thread of the last one in the background
    std::atomic<std::uint64_t> called_turn_{0};  // that one's turn
    bool pending_ = false;  // the asynchronous inference of this turn has not ended yet
    std::exception_ptr error_;
};

}  // namespace rondo
