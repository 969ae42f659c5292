#include "bindings/python/src/run/infer_request.hpp"

#include <algorithm>
#include <utility>

#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/run/calling_back.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

SharedModel::SharedModel(CompiledModel compiled)
    : model(std::move(compiled)),
      inputs(std::make_shared<PortList>(model.inputs(), PortKind::input, &model.inputs(),
                                        model.constant_inputs())),
      outputs(std::make_shared<PortList>(model.outputs(), PortKind::output, &model.inputs())) {}

SharedModel::~SharedModel() { destroy_without_gil(model); }

void Completion::finish(const std::exception_ptr& error) {
    latency_ms = milliseconds_since(start);
    {
        const CallingBack<Completion> scope(this);
        if (then) {
            in_flight = false;  // it may start the next
            then(error);
        } else if (error == nullptr && callback != nullptr) {
            call_back();
        } else {
            in_flight = false;
        }
    }
    ExitGate::instance().leave();
}

void Completion::call_back() {
    const WithGil locked;
    const py::object function = object_of(callback);
    const py::object data = object_of(userdata);
    in_flight = false;  // only now: the garbage collector leaves what is in flight alone
    try {
        function(data);
    } catch (const py::error_already_set& error) {
        raised = exception_of(error);
    }
}

SharedObject exception_of(const py::error_already_set& error) {
    if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    return share(error.value());
}

void raise(const SharedObject& exception) {
    const py::object object = object_of(exception);
    PyErr_SetObject(py::type::handle_of(object).ptr(), object.ptr());
    throw py::error_already_set();
}

// Ends a call's hold of the request on every way out.
class Request::InUse {
public:
    explicit InUse(Request& request) : request_(request) {
        request_.check_free();
        request_.in_use_ = true;
    }
    ~InUse() { request_.in_use_ = false; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    Request& request_;
};

Request::Request(std::shared_ptr<const SharedModel> program)
    : program_(std::move(program)),
      request_(CompiledModel(program_->model).create_infer_request()),
      completion_(std::make_shared<Completion>()),
      own_inputs_(program_->inputs->size()),
      read_only_inputs_(program_->inputs->size()) {
    request_.set_callback(
        [completion = completion_](const std::exception_ptr& error) { completion->finish(error); });
}

Request::~Request() { destroy_without_gil(request_); }

void Request::check_free() const {
    if (in_use_) {
        throw ModelError("the request is busy: another thread uses it; give each thread a request");
    }
    if (completion_->in_flight) {
        throw ModelError("the request is busy: wait() for the inference that runs");
    }
}

InferRequest& Request::free_request() {
    check_free();
    return request_;
}

// Returns how many inputs were given.
std::size_t Request::bind(const py::object& inputs, bool share) {
    if (inputs.is_none()) return 0;
    const auto given = input_tensors(inputs, *program_->inputs, share, own_inputs_);
    for (const auto& [index, tensor] : given) {
        request_.set_input_tensor(index, tensor.tensor);
        read_only_inputs_[index] = tensor.read_only;
    }
    return given.size();
}

Results Request::collect(bool share) {
    const std::size_t count = program_->outputs->size();
    Results results{program_->outputs, py::tuple(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const PyTensor tensor{request_.get_output_tensor(i)};
        results.values[i] = share ? view_of(tensor) : copy_of(tensor.tensor);
    }
    return results;
}

Results Request::infer(const py::object& inputs, const Sharing& sharing) {
    const InUse in_use(*this);
    bind(inputs, sharing.inputs);
    return run(sharing);
}

Results Request::infer_all(const py::object& inputs, const Sharing& sharing) {
    const InUse in_use(*this);
    const std::size_t given = bind(inputs, sharing.inputs);
    if (given < program_->inputs->size()) {
        const std::size_t all = program_->inputs->size();
        throw ModelError("got " + std::to_string(given) + " of the model's " + std::to_string(all) +
                         (all == 1 ? " input" : " inputs") +
                         "; a call of a compiled model needs all");
    }
    return run(sharing);
}

Results Request::run(const Sharing& sharing) {
    const auto start = Clock::now();
    without_gil([&] { request_.infer(); });
    completion_->latency_ms = milliseconds_since(start);
    return collect(sharing.outputs);
}

void Request::start_async(const py::object& inputs, const py::object& userdata, bool share_inputs) {
    const InUse in_use(*this);
    bind(inputs, share_inputs);
    if (!userdata.is_none()) completion_->userdata = share(userdata);
    if (!ExitGate::instance().enter()) throw ModelError("start_async: the interpreter is ending");
    completion_->start = Clock::now();
    completion_->raised = nullptr;
    completion_->in_flight = true;
    bool began = false;
    try {
        if (completion_->begins) completion_->begins(true);
        began = true;
        request_.start_async();
    } catch (...) {
        completion_->in_flight = false;
        if (began && completion_->begins) completion_->begins(false);
        ExitGate::instance().leave();
        throw;
    }
}

bool Request::wait_a_moment(std::chrono::milliseconds timeout) {
    if (CallingBack<Completion>::of(completion_.get())) {
        throw ModelError("a request's own callback can't wait for the request");
    }
    const bool done = without_gil([&] { return request_.wait_for(timeout); });
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (done && completion_->raised != nullptr) raise(completion_->raised);
    return done;
}

void Request::wait() {
    while (!wait_a_moment(kSignalInterval)) {
    }
}

bool Request::wait_for(std::int64_t timeout) {
    std::int64_t left = timeout;
    while (left > kSignalInterval.count()) {
        if (wait_a_moment(kSignalInterval)) return true;
        left -= kSignalInterval.count();
    }
    return wait_a_moment(std::chrono::milliseconds(std::max<std::int64_t>(left, 0)));
}

void Request::settle(std::chrono::milliseconds timeout) {
    const WithoutGil unlocked;
    try {
        request_.wait_for(timeout);
    } catch (...) {  // the callback has it
    }
}

void Request::cancel() { request_.cancel(); }

void Request::set_callback(const py::object& callback, const py::object& userdata) {
    check_free();
    if (!callback.is_none()) check_callable(callback, "set_callback", "userdata");
    completion_->callback = share(callback);
    completion_->userdata = share(userdata);
}

Results Request::results() {
    const InUse in_use(*this);
    return collect(false);
}

void Request::set_input(std::size_t index, const PyTensor& tensor) {
    const InUse in_use(*this);
    request_.set_input_tensor(index, tensor.tensor);
    read_only_inputs_[index] = tensor.read_only;
}

void Request::set_output(std::size_t index, const PyTensor& tensor) {
    const InUse in_use(*this);
    if (tensor.read_only) {
        throw ModelError("output '" + (*program_->outputs)[index].info.any_name() +
                         "' can't be written to a read-only array");
    }
    request_.set_output_tensor(index, tensor.tensor);
}

PyTensor Request::input(std::size_t index) {
    const InUse in_use(*this);
    // Weak: Python's garbage collector doesn't look into tensors.
    const auto rebind = [weak = weak_from_this(), index](const PyTensor& tensor) {
        if (const auto request = weak.lock()) request->set_input(index, tensor);
    };
    return {input_or_new(index), read_only_inputs_[index], rebind};
}

// One of open extents that wasn't set has none of them until set_shape() is called.
Tensor Request::input_or_new(std::size_t index) {
    const PortInfo& port = (*program_->inputs)[index].info;
    try {
        return request_.get_input_tensor(index);
    } catch (const ModelError&) {
        if (port.shape.is_static() || port.element_type == ElementType::dynamic) throw;
    }
    Shape shape;
    const std::size_t rank = port.shape.has_rank() ? port.shape.rank() : 1;
    for (std::size_t i = 0; i < rank; ++i) {
        const bool is_open = !port.shape.has_rank() || !port.shape[i].is_static();
        shape.push_back(is_open ? 0 : static_cast<std::size_t>(port.shape[i].length()));
    }
    return Tensor(port.element_type, shape);
}

PyTensor Request::output(std::size_t index) {
    const InUse in_use(*this);
    return {request_.get_output_tensor(index)};
}

// While an inference runs, the request is in use even if no Python object refers to it.
int visit_objects(Request& request, visitproc visit, void* argument) {
    const Completion& parts = request.completion();
    if (parts.in_flight) return 0;
    for (const auto* object : {&parts.callback, &parts.userdata, &parts.raised}) {
        if (const int stop = visit_object(*object, visit, argument); stop != 0) return stop;
    }
    return 0;
}

void clear_objects(Request& request) {
    Completion& parts = request.completion();
    parts.callback = nullptr;
    parts.userdata = nullptr;
    parts.raised = nullptr;
}

}  // namespace rondo::python
