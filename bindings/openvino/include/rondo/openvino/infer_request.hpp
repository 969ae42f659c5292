// OpenVINO's InferRequest and VariableState, for rondo/openvino.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rondo/compiled_model.hpp"
#include "rondo/openvino/request_tensors.hpp"
#include "rondo/openvino/tensor.hpp"

namespace rondo::ov {

class CompiledModel;

// X11 has a macro of the name that OpenVINO gives the enum.
#pragma push_macro("Status")
#undef Status
/// The time of one node in the last inference.
struct ProfilingInfo {
    enum class Status { NOT_RUN, OPTIMIZED_OUT, EXECUTED };
    Status status = Status::NOT_RUN;
    std::chrono::microseconds real_time{0};
    std::chrono::microseconds cpu_time{0};  ///< the same as real_time
    std::string node_name;
    std::string exec_type;
    std::string node_type;
};
#pragma pop_macro("Status")

/// One of the model's variables in a request.
class VariableState {
public:
    VariableState() = default;
    explicit VariableState(rondo::VariableState state) : state_((std::move)(state)) {}

    std::string get_name() const { return state_.get_name(); }
    /// A copy.
    Tensor get_state() const { return Tensor::of(state_.get_state()); }
    void set_state(const Tensor& tensor) { state_.set_state(tensor.native()); }
    void reset() { state_.reset(); }

private:
    rondo::VariableState state_;
};

/// One inference at a time. A handle: copies share the request.
class InferRequest {
public:
    InferRequest() = default;
    InferRequest(rondo::CompiledModel model, std::shared_ptr<const ModelPorts> ports)
        : shared_(
              std::make_shared<RequestTensors>(model.create_infer_request(), (std::move)(ports))),
          model_((std::move)(model)) {}

    explicit operator bool() const noexcept { return shared_ != nullptr; }
    bool operator!() const noexcept { return shared_ == nullptr; }

    /// By a name of an input or output, or by a port of the model.
    void set_tensor(const std::string& name, const Tensor& tensor) {
        shared().set(shared().find(name), tensor);
    }
    void set_tensor(const Output<const Node>& port, const Tensor& tensor) {
        shared().set(shared().find(port), tensor);
    }
    void set_input_tensor(std::size_t index, const Tensor& tensor) {
        shared().set(shared().input(index), tensor);
    }
    void set_input_tensor(const Tensor& tensor) { shared().set(shared().only_input(), tensor); }
    void set_output_tensor(std::size_t index, const Tensor& tensor) {
        shared().set(shared().output(index), tensor);
    }
    void set_output_tensor(const Tensor& tensor) { shared().set(shared().only_output(), tensor); }

    /// An input of an open shape has no elements until set_shape(); an output of an open shape has
    /// none until the first inference, and then its shape in all copies of the handle.
    Tensor get_tensor(const std::string& name) { return shared().get(shared().find(name)); }
    Tensor get_tensor(const Output<const Node>& port) { return shared().get(shared().find(port)); }
    Tensor get_input_tensor(std::size_t index) { return shared().get(shared().input(index)); }
    Tensor get_input_tensor() { return shared().get(shared().only_input()); }
    Tensor get_output_tensor(std::size_t index) { return shared().get(shared().output(index)); }
    Tensor get_output_tensor() { return shared().get(shared().only_output()); }

    void infer() {
        shared().bind_changed_inputs();
        native().infer();
        shared().take_outputs();
    }
    void start_async() {
        shared().bind_changed_inputs();
        native().start_async();
        shared().expect_outputs();
    }
    /// Rethrows the inference's exception.
    void wait() {
        native().wait();
        shared().take_expected_outputs();
    }
    bool wait_for(const std::chrono::milliseconds timeout) {
        if (!native().wait_for(timeout)) return false;
        shared().take_expected_outputs();
        return true;
    }
    /// The inference ends soon with ov::Cancelled.
    void cancel() { native().cancel(); }
    /// `callback` is called on the thread that ran the inference, with its exception or null.
    void set_callback(std::function<void(std::exception_ptr)> callback) {
        if (!callback) return native().set_callback(nullptr);
        native().set_callback([weak = std::weak_ptr<RequestTensors>(shared_),
                               callback = (std::move)(callback)](std::exception_ptr error) {
            if (const auto tensors = weak.lock(); tensors != nullptr && error == nullptr) {
                tensors->take_outputs();
            }
            callback((std::move)(error));
        });
    }

    std::vector<VariableState> query_state() {
        std::vector<VariableState> states;
        for (auto& state : native().query_state()) states.emplace_back((std::move)(state));
        return states;
    }
    void reset_state() { native().reset_state(); }

    /// Empty unless the model was compiled with ov::enable_profiling(true).
    std::vector<ProfilingInfo> get_profiling_info() const {
        std::vector<ProfilingInfo> rows;
        for (auto& row : shared().request().get_profiling_info()) {
            rows.push_back({static_cast<decltype(ProfilingInfo::status)>(row.status), row.real_time,
                            row.real_time, row.node_name, row.exec_type, row.node_type});
        }
        return rows;
    }
    CompiledModel get_compiled_model() const;

private:
    RequestTensors& shared() const {
        if (shared_ == nullptr) {
            throw ModelError(
                "the request is empty; make one with CompiledModel::create_infer_request()");
        }
        return *shared_;
    }
    rondo::InferRequest& native() const { return shared().request(); }

    std::shared_ptr<RequestTensors> shared_;
    rondo::CompiledModel model_;
};

}  // namespace rondo::ov
