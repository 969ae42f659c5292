#include "bindings/python/src/run/stream.hpp"

#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/convert/dtypes.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

Tensor state_tensor(const std::string& name, py::handle value) {
    if (py::isinstance<PyTensor>(value)) return py::cast<const PyTensor&>(value).tensor;
    const std::string place = "variable '" + name + "': ";
    const py::array array = array_from(value, place);
    const ElementType type = type_of(array.dtype());
    return (can_share(array, type) ? tensor_sharing(array) : tensor_copying(array, type, place))
        .tensor;
}

}  // namespace

std::vector<Tensor> step_inputs(const py::object& inputs, const SharedModel& program) {
    const PortList& ports = *program.inputs;
    OwnTensors own(ports.size());
    std::vector<Tensor> tensors(ports.size());
    for (auto& [index, tensor] : input_tensors(inputs, ports, true, own)) {
        tensors[index] = std::move(tensor.tensor);
    }
    return tensors;
}

// In a forked child it is left where it is: there is no thread to close it.
PyStream::~PyStream() {
    if (!pool_->deliveries->is_in_process()) new Stream(std::move(stream_));
}

// Python's lock is kept where the push can't wait: others would take it, and keep it for long.
std::unique_ptr<PyStreamStep> PyStream::push(const py::object& inputs) {
    const std::vector<Tensor> tensors = step_inputs(inputs, *pool_->program);
    auto end = std::make_shared<StepEnd>(pool_->deliveries);
    Stream::Callback callback = [end](const StreamStep&) { end->finish(); };
    StreamStep step;
    if (pool_->blocks) {
        const WithoutGil unlocked;
        step = stream_.push(tensors, std::move(callback));
    } else {
        step = stream_.push(tensors, std::move(callback));
    }
    return std::make_unique<PyStreamStep>(pool_, std::move(end), std::move(step));
}

Results PyStream::infer(const py::object& inputs) {
    const std::vector<Tensor> tensors = step_inputs(inputs, *pool_->program);
    StreamStep step;
    {
        const WithoutGil unlocked;
        step = stream_.infer(tensors);
    }
    return outputs_of(step, *pool_->program);
}

py::dict PyStream::state() const {
    std::map<std::string, Tensor> values;
    {
        const WithoutGil unlocked;
        values = stream_.state();
    }
    py::dict state;
    for (const auto& [name, value] : values) state[py::str(name)] = copy_of(value);
    return state;
}

void PyStream::set_state(const py::object& state) {
    const auto dict = dict_from(state);
    if (!dict) throw py::type_error("set_state: expected a dict of variables' names and arrays");
    std::map<std::string, Tensor> values;
    for (const auto& [key, value] : *dict) {
        if (!py::isinstance<py::str>(key)) {
            throw py::type_error("a variable is named by its name, not by " +
                                 py::cast<std::string>(py::repr(key)));
        }
        const std::string name = utf8_from(key, "the name of a variable");
        values.emplace(name, state_tensor(name, value));
    }
    stream_.set_state(values);
}

std::unique_ptr<PyStream> PyStream::fork() const {
    Stream other;
    {
        const WithoutGil unlocked;
        other = stream_.fork();
    }
    return std::make_unique<PyStream>(pool_, std::move(other));
}

}  // namespace rondo::python
