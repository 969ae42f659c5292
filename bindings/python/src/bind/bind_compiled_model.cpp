// Python's view of CompiledModel.
#include <pybind11/stl.h>

#include <sstream>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/properties.hpp"
#include "bindings/python/src/run/compiled_model.hpp"
#include "bindings/python/src/run/streams.hpp"
#include "rondo/error.hpp"

namespace rondo::python {

Results PyCompiledModel::infer(const py::object& inputs, const Sharing& sharing) {
    std::shared_ptr<Request> request;
    request.swap(spare_);
    if (request == nullptr) request = create_request();
    // By a swap, as the destructor of what was spare gives Python's lock up: by then another thread
    // must find this one in its place.
    try {
        Results results = request->infer_all(inputs, sharing);
        spare_.swap(request);
        return results;
    } catch (...) {
        spare_.swap(request);
        throw;
    }
}

namespace {

const PortList& ports_of(const PyCompiledModel& model, PortKind kind) {
    const SharedModel& program = *model.program();
    return kind == PortKind::input ? *program.inputs : *program.outputs;
}

Port known_port(const PyCompiledModel& model, Port port) {
    port.program = model.program();
    return port;
}

py::object property_of(const PyCompiledModel& self, const std::string& name) {
    return property_to_python(name, self.program()->model.get_property(name));
}

std::size_t count_from(std::int64_t value, const char* option) {
    if (value >= 0) return static_cast<std::size_t>(value);
    throw ModelError(std::string("option '") + option + "' of a stream pool: got " +
                     std::to_string(value) + "; expected 0 or more");
}

// A time that is too short for the unit is still a time.
std::chrono::milliseconds idle_timeout_from(const py::object& value) {
    if (value.is_none()) return std::chrono::milliseconds(0);
    const std::string place = "option 'idle_timeout' of a stream pool";
    const auto time = std::chrono::ceil<std::chrono::milliseconds>(duration_from(value, place));
    if (time.count() > 0) return time;
    throw ModelError(place + ": got 0 seconds; expected more, or None for never");
}

// The defaults are those of StreamPoolOptions.
void bind_create_stream_pool(py::class_<PyCompiledModel>& bound) {
    bound.def(
        "create_stream_pool",
        [](const PyCompiledModel& self, std::int64_t max_batch, const py::object& max_delay,
           std::int64_t threads, std::int64_t max_streams, std::int64_t queue_limit,
           const std::string& overflow, const py::object& idle_timeout) {
            StreamPoolOptions options;
            options.max_batch = count_from(max_batch, "max_batch");
            options.max_delay = std::chrono::ceil<std::chrono::microseconds>(
                duration_from(max_delay, "option 'max_delay' of a stream pool"));
            options.threads = count_from(threads, "threads");
            options.max_streams = count_from(max_streams, "max_streams");
            options.queue_limit = count_from(queue_limit, "queue_limit");
            options.overflow = overflow_from(overflow);
            options.idle_timeout = idle_timeout_from(idle_timeout);
            return std::make_unique<PyStreamPool>(self.program(), options);
        },
        py::arg("max_batch") = 64, py::arg("max_delay") = 0.0, py::arg("threads") = 0,
        py::arg("max_streams") = 0, py::arg("queue_limit") = 64, py::arg("overflow") = "reject",
        py::arg("idle_timeout") = py::none(),
        "Runs many live sequences: see StreamPool. Times are seconds or a timedelta.");
}

void bind_copies(py::class_<PyCompiledModel>& bound) {
    bound.def("__copy__",
              [](const PyCompiledModel& self) { return PyCompiledModel(self.program()); });
    bound.def("__deepcopy__", [](const PyCompiledModel& self, const py::dict&) {
        return PyCompiledModel(self.program());
    });
}

void bind_kernels(py::module_& module) {
    py::class_<KernelInfo>(module, "KernelInfo",
                           "Which kernel a node of a compiled model gets, and why.")
        .def_readonly("node_name", &KernelInfo::node_name, "The node.")
        .def_readonly("node_type", &KernelInfo::node_type, "The op.")
        .def_readonly("kernel", &KernelInfo::kernel, "The kernel that runs it.")
        .def_readonly("reason", &KernelInfo::reason, "Why it was chosen.")
        .def("__repr__", [](const KernelInfo& self) {
            return "<KernelInfo: " + self.node_name + " (" + self.node_type + "): " + self.kernel +
                   ">";
        });
}

}  // namespace

void bind_compiled_model(py::module_& module) {
    bind_kernels(module);
    py::class_<PyCompiledModel> bound(module, "CompiledModel",
                                      "A model that was compiled for a device. Thread-safe: any "
                                      "number of requests may run at once.");
    bind_port_lists(bound, ports_of, known_port);
    // `decode_strings` is OpenVINO's: no tensor of Rondo's holds strings.
    bound.def(
        "__call__",
        [](PyCompiledModel& self, const py::object& inputs, bool share_inputs, bool share_outputs,
           bool) {
            return self.infer(inputs, {share_inputs, share_outputs});
        },
        py::arg("inputs") = py::none(), py::arg("share_inputs") = true,
        py::arg("share_outputs") = false, py::kw_only(), py::arg("decode_strings") = true,
        "Runs an inference with a request that is kept for the next call. inputs: a dict by name, "
        "index or port, a list by position, or the array itself; all inputs are needed. Returns an "
        "OVDict. Raises ModelError for arrays of another type or shape, and where inputs are "
        "missing.");
    bound.def(
        "infer_new_request",
        [](const PyCompiledModel& self, const py::object& inputs) {
            return self.create_request()->infer(inputs, {});
        },
        py::arg("inputs") = py::none(), "Runs an inference with a new request.");
    bound.def("create_infer_request", &PyCompiledModel::create_request,
              "A request: tensors and states of its own, one inference at a time.");
    using RequestClass = py::class_<Request, std::shared_ptr<Request>>;
    py::cast<RequestClass>(module.attr("InferRequest"))
        .def(
            "get_compiled_model", [](Request& self) { return PyCompiledModel(self.program()); },
            "The compiled model that the request is of.");
    bind_create_stream_pool(bound);
    bind_copies(bound);
    bound.def(
        "get_property", &property_of, py::arg("property"),
        "The value of a property of the compiled model. Raises ModelError for unknown names.");
    bound.def(
        "get_runtime_model",
        [](const PyCompiledModel& self) { return self.program()->model.runtime_model(); },
        "What is executed, as a Model: nodes with their kernels as attributes.");
    bound.def(
        "_export_model",
        [](const PyCompiledModel& self) {
            std::ostringstream stream;
            without_gil([&] { self.program()->model.export_model(stream); });
            return py::bytes(stream.str());
        },
        "CompiledModel.export_model() as bytes.");
    bound.def(
        "metrics", [](const PyCompiledModel& self) { return self.program()->model.metrics(); },
        "What all requests and stream pools of this model have done so far: Metrics.");
    bound.def_property_readonly(
        "kernels", [](const PyCompiledModel& self) { return self.program()->model.kernels(); },
        "A KernelInfo for each node that is executed.");
    bound.def("__repr__", [](const PyCompiledModel& self) {
        return "<CompiledModel:" + text_of(*self.program()->inputs, *self.program()->outputs) + ">";
    });
}

}  // namespace rondo::python
