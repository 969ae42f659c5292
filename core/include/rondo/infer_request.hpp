// One inference at a time: tensors in, tensors out.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rondo/export.hpp"
#include "rondo/tensor.hpp"
#include "rondo/variable_state.hpp"

namespace rondo {

/// The time of one node in the last inference (with PERF_COUNT=YES).
struct ProfilingInfo {
    enum class ExecutionStatus { not_run, optimized_out, executed };
    ExecutionStatus status = ExecutionStatus::not_run;
    std::chrono::microseconds real_time{0};
    std::chrono::nanoseconds real_time_ns{0};
    std::string node_name;
    std::string node_type;
    std::string exec_type;  ///< the kernel that ran, such as "lstm_avx512_f32 serial"
};

/// What one thread did for one node in the last inference (with PERF_TRACE=YES).
struct TraceSlice {
    std::string node_name;
    std::string node_type;
    std::string exec_type;  ///< as in ProfilingInfo
    /// Nothing: the whole node, on the thread that runs the inference. A number: that part of a
    /// node which was split among threads.
    std::optional<int> part;
    int thread = 0;                     ///< 0: the one that runs the inference
    std::chrono::nanoseconds start{0};  ///< since the inference began
    std::chrono::nanoseconds duration{0};
};

/// Gives memory for an output of that index and shape (row-major, of the output's type and at least
/// its size), or null: the request's own. Called during an inference, on the thread that runs it;
/// what it throws ends the inference.
using OutputAllocator = std::function<void*(std::size_t output, const Shape& shape)>;

/// Made by CompiledModel::create_infer_request(). Don't use it from two threads at once; any
/// number of requests of one CompiledModel may run at the same time.
class RONDO_API InferRequest {
public:
    class Impl;
    InferRequest() = default;
    explicit InferRequest(std::shared_ptr<Impl> impl) : impl_((std::move)(impl)) {}

    explicit operator bool() const { return impl_ != nullptr; }

    /// Binds a tensor to an input or output, found by any of its names. An input's shape must fit
    /// the model's; throws ModelError naming input, got and expected. A strided input is honoured;
    /// a strided output is refused. An input that is a scalar also takes one element of any rank,
    /// and get_tensor() then gives the scalar, over the same memory.
    void set_tensor(const std::string& name, const Tensor& tensor);
    void set_input_tensor(std::size_t index, const Tensor& tensor);
    void set_output_tensor(std::size_t index, const Tensor& tensor);
    /// The only input / output; throws ModelError when there are several.
    void set_input_tensor(const Tensor& tensor);
    void set_output_tensor(const Tensor& tensor);

    /// From now on `allocator` is called in each inference for each output to which no tensor is
    /// bound, as soon as its shape is known; null: not any more. The memory must stay until the
    /// inference has ended, and as long as the output's tensor is read. CPU writes the results
    /// there; for another device they are copied at the end.
    void set_output_allocator(OutputAllocator allocator);

    /// An input that was never set is made here when its shape is known, zeroed, to be filled in
    /// place. An output's tensor is valid after infer() and is overwritten by the next one.
    Tensor get_tensor(const std::string& name);
    Tensor get_input_tensor(std::size_t index = 0);
    Tensor get_output_tensor(std::size_t index = 0);

    /// Runs now and returns when done.
    void infer();

    /// Runs in the background; wait() returns when done and rethrows the inference's exception.
    void start_async();
    void wait();
    /// True if done within `timeout`. In a callback it may take longer, for an inference's time.
    bool wait_for(std::chrono::milliseconds timeout);
    /// Asks a running inference to stop; its wait() throws CancelledError.
    void cancel();
    /// Called after each asynchronous inference, on the thread that ran it, with its exception or
    /// null, before wait() returns.
    void set_callback(std::function<void(std::exception_ptr)> callback);

    /// The model's variables, one for each pair of ReadValue and Assign, which keep their values
    /// from one inference of this request to the next. An inference that throws or is cancelled
    /// doesn't change them.
    std::vector<VariableState> query_state();
    /// Resets every variable.
    void reset_state();

    /// A row a node; empty unless the model was compiled with PERF_COUNT=YES or PERF_TRACE=YES.
    std::vector<ProfilingInfo> get_profiling_info() const;
    /// In the order in which they began; empty unless the model was compiled with PERF_TRACE=YES.
    /// After an inference of more slices than any before, the first ones alone.
    std::vector<TraceSlice> get_trace() const;

private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace rondo
