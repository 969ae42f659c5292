// One inference at a time, from Python: rondo.InferRequest.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "bindings/python/src/convert/inputs.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/compiled_model.hpp"

namespace rondo::python {

/// A compiled model with its ports, as requests share it.
struct SharedModel {
    CompiledModel model;
    std::shared_ptr<const PortList> inputs;
    std::shared_ptr<const PortList> outputs;

    explicit SharedModel(CompiledModel compiled);
    /// Waits for the model's background threads, with Python's lock given up.
    ~SharedModel();
    SharedModel(const SharedModel&) = delete;
    SharedModel& operator=(const SharedModel&) = delete;
};

/// What the background thread needs when an inference ends; outlives the request while one runs.
/// Its parts change only while nothing is in flight, and with Python's lock held.
struct Completion {
    /// A queue's, called without the lock in place of `callback`.
    std::function<void(std::exception_ptr)> then;
    /// A queue's: called when an inference begins, and with false if it didn't begin after all.
    std::function<void(bool)> begins;
    SharedObject callback;  ///< called with userdata if nothing failed
    SharedObject userdata;
    SharedObject raised;  ///< the exception that the callback raised
    std::atomic<bool> in_flight{false};
    std::chrono::steady_clock::time_point start;
    std::atomic<double> latency_ms{0};

    /// Runs on the background thread.
    void finish(const std::exception_ptr& error);

private:
    void call_back();
};

/// The exception that Python code raised, as an object with its traceback. Needs the lock.
SharedObject exception_of(const py::error_already_set& error);

/// Raises it again. Needs the lock.
[[noreturn]] void raise(const SharedObject& exception);

/// Which tensors take the arrays' memory instead of a copy.
struct Sharing {
    bool inputs = false;
    bool outputs = false;
};

/// All calls need Python's lock, which is given up while the inference runs. A call that meets a
/// running inference throws ModelError.
class Request : public std::enable_shared_from_this<Request> {
public:
    explicit Request(std::shared_ptr<const SharedModel> program);
    ~Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    /// Inputs that are left out keep their tensors.
    Results infer(const py::object& inputs, const Sharing& sharing);
    /// As infer(), but throws ModelError if an input is left out.
    Results infer_all(const py::object& inputs, const Sharing& sharing);
    /// `userdata` replaces that of set_callback() unless it is None.
    void start_async(const py::object& inputs, const py::object& userdata, bool share_inputs);
    /// Both look for Ctrl-C now and then, and throw what the inference threw.
    void wait();
    /// True if done within so many milliseconds.
    bool wait_for(std::int64_t timeout);
    /// Waits for the inference that runs, and throws nothing. That which Completion::then was
    /// called for ends shortly after: a child forked before couldn't use the request.
    void settle(std::chrono::milliseconds timeout);
    void cancel();
    void set_callback(const py::object& callback, const py::object& userdata);
    Results results();

    void set_input(std::size_t index, const PyTensor& tensor);
    void set_output(std::size_t index, const PyTensor& tensor);
    PyTensor input(std::size_t index);
    PyTensor output(std::size_t index);

    const std::shared_ptr<const SharedModel>& program() const { return program_; }
    /// Throws ModelError while another call uses the request or an inference runs.
    InferRequest& free_request();
    Completion& completion() { return *completion_; }

private:
    class InUse;
    void check_free() const;
    bool wait_a_moment(std::chrono::milliseconds timeout);
    std::size_t bind(const py::object& inputs, bool share);
    Results run(const Sharing& sharing);
    Results collect(bool share);
    Tensor input_or_new(std::size_t index);

    std::shared_ptr<const SharedModel> program_;
    InferRequest request_;
    std::shared_ptr<Completion> completion_;
    OwnTensors own_inputs_;
    std::vector<bool> read_only_inputs_;
    // Guarded by Python's lock: a call is under way, which may have given the lock up.
    bool in_use_ = false;
};

/// For Python's garbage collector: calls `visit` on what the request refers to.
int visit_objects(Request& request, visitproc visit, void* argument);
void clear_objects(Request& request);

}  // namespace rondo::python
