// Python's view of InferRequest.
#include <pybind11/chrono.h>
#include <pybind11/stl.h>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/run/compiled_model.hpp"
#include "bindings/python/src/run/garbage.hpp"
#include "bindings/python/src/run/variable_state.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

using Setter = void (Request::*)(std::size_t, const PyTensor&);

struct FoundPort {
    PortKind kind;
    std::size_t index;
};

// Where a name is an input's and an output's, the input is meant.
FoundPort find(const SharedModel& program, const py::object& key) {
    if (py::isinstance<Port>(key)) {
        const PortKind kind = py::cast<const Port&>(key).kind;
        const auto& ports = kind == PortKind::input ? program.inputs : program.outputs;
        return {kind, ports->index_of(key)};
    }
    if (!py::isinstance<py::str>(key)) {
        throw py::type_error("a tensor is named by its name or port, not by " +
                             py::cast<std::string>(py::repr(key)));
    }
    const auto name = py::cast<std::string>(key);
    if (program.inputs->has(name)) return {PortKind::input, program.inputs->index_of(key)};
    if (program.outputs->has(name)) return {PortKind::output, program.outputs->index_of(key)};
    throw ModelError("the model has no input or output '" + name +
                     "'; there are: " + program.inputs->names() + ", " + program.outputs->names());
}

PyTensor tensor_at(Request& request, const py::object& key) {
    const FoundPort place = find(*request.program(), key);
    return place.kind == PortKind::input ? request.input(place.index) : request.output(place.index);
}

void set_tensor(Request& request, const py::object& key, const PyTensor& tensor) {
    const FoundPort place = find(*request.program(), key);
    if (place.kind == PortKind::input) {
        request.set_input(place.index, tensor);
    } else {
        request.set_output(place.index, tensor);
    }
}

// From {key: tensor} or a list of tensors.
void set_all(Request& request, const PortList& ports, const py::object& tensors, Setter set) {
    if (py::isinstance<py::dict>(tensors)) {
        for (const auto& [key, tensor] : py::reinterpret_borrow<py::dict>(tensors)) {
            (request.*set)(ports.index_of(key), py::cast<const PyTensor&>(tensor));
        }
        return;
    }
    std::size_t index = 0;
    for (const py::handle tensor : tensors) {
        (request.*set)(ports.index_of(py::int_(index++)), py::cast<const PyTensor&>(tensor));
    }
}

py::list tensors_of(Request& request, PortKind kind) {
    const SharedModel& program = *request.program();
    const bool is_input = kind == PortKind::input;
    const std::size_t count = (is_input ? program.inputs : program.outputs)->size();
    py::list tensors;
    for (std::size_t i = 0; i < count; ++i) {
        tensors.append(py::cast(is_input ? request.input(i) : request.output(i)));
    }
    return tensors;
}

template <typename Class>
void bind_running(Class& bound) {
    bound.def(
        "infer",
        [](Request& self, const py::object& inputs, bool share_inputs, bool share_outputs, bool) {
            return self.infer(inputs, {share_inputs, share_outputs});
        },
        py::arg("inputs") = py::none(), py::arg("share_inputs") = false,
        py::arg("share_outputs") = false, py::kw_only(), py::arg("decode_strings") = true);
    bound.def("start_async", &Request::start_async, py::arg("inputs") = py::none(),
              py::arg("userdata") = py::none(), py::arg("share_inputs") = false);
    bound.def("wait", &Request::wait);
    bound.def("wait_for", &Request::wait_for, py::arg("timeout"));
    bound.def("cancel", &Request::cancel);
    bound.def("set_callback", &Request::set_callback, py::arg("callback"),
              py::arg("userdata") = py::none());
    bound.def_property_readonly(
        "userdata", [](Request& self) { return object_of(self.completion().userdata); });
    bound.def_property_readonly("latency",
                                [](Request& self) { return self.completion().latency_ms.load(); });
    bound.def_property_readonly("results", &Request::results);
    bound.def("get_compiled_model", [](Request& self) { return PyCompiledModel(self.program()); });
}

template <typename Class>
void bind_tensors(Class& bound, PortKind kind, Setter set, PyTensor (Request::*get)(std::size_t)) {
    const std::string name = to_string(kind);
    const auto ports = [kind](const Request& self) -> const PortList& {
        const SharedModel& program = *self.program();
        return kind == PortKind::input ? *program.inputs : *program.outputs;
    };
    const auto all = [kind](Request& self) { return tensors_of(self, kind); };
    const auto model_ports = [ports](Request& self) { return ports(self).to_list(); };
    bound.def(("get_" + name + "_tensor").c_str(), get, py::arg("index") = 0);
    bound.def(("set_" + name + "_tensor").c_str(),
              [ports, set](Request& self, const PyTensor& tensor) {
                  (self.*set)(ports(self).only().index, tensor);
              },
              py::arg("tensor"));
    bound.def(("set_" + name + "_tensor").c_str(), set, py::arg("index"), py::arg("tensor"));
    bound.def(("set_" + name + "_tensors").c_str(),
              [ports, set](Request& self, const py::object& tensors) {
                  set_all(self, ports(self), tensors, set);
              },
              py::arg((name + "s").c_str()));
    bound.def_property_readonly((name + "_tensors").c_str(), all);
    bound.def_property_readonly(("model_" + name + "s").c_str(), model_ports);
}

void bind_profiling(py::module_& module) {
    py::class_<ProfilingInfo> bound(module, "ProfilingInfo");
    py::enum_<ProfilingInfo::Status>(bound, "Status")
        .value("NOT_RUN", ProfilingInfo::Status::not_run)
        .value("OPTIMIZED_OUT", ProfilingInfo::Status::optimized_out)
        .value("EXECUTED", ProfilingInfo::Status::executed);
    bound.def_readonly("status", &ProfilingInfo::status)
        .def_readonly("real_time", &ProfilingInfo::real_time)
        .def_readonly("cpu_time", &ProfilingInfo::real_time)
        .def_property_readonly("real_time_ns",
                               [](const ProfilingInfo& self) { return self.real_time_ns.count(); })
        .def_readonly("node_name", &ProfilingInfo::node_name)
        .def_readonly("node_type", &ProfilingInfo::node_type)
        .def_readonly("exec_type", &ProfilingInfo::exec_type)
        .def("__repr__", [](const ProfilingInfo& self) {
            return "<ProfilingInfo: " + self.node_name + " (" + self.node_type + ", " +
                   self.exec_type + "): " + std::to_string(self.real_time_ns.count()) + " ns>";
        });
}

void bind_trace(py::module_& module) {
    py::class_<TraceSlice> bound(module, "TraceSlice");
    bound.def_readonly("node_name", &TraceSlice::node_name)
        .def_readonly("node_type", &TraceSlice::node_type)
        .def_readonly("exec_type", &TraceSlice::exec_type)
        .def_readonly("part", &TraceSlice::part)
        .def_readonly("thread", &TraceSlice::thread)
        .def_property_readonly("start_ns",
                               [](const TraceSlice& self) { return self.start.count(); })
        .def_property_readonly("duration_ns",
                               [](const TraceSlice& self) { return self.duration.count(); })
        .def("__repr__", [](const TraceSlice& self) {
            return "<TraceSlice: " + self.node_name + " on thread " + std::to_string(self.thread) +
                   ": " + std::to_string(self.duration.count()) + " ns>";
        });
}

}  // namespace

void bind_infer_request(py::module_& module) {
    bind_profiling(module);
    bind_trace(module);
    py::class_<Request, std::shared_ptr<Request>> bound(module, "InferRequest",
                                                        garbage_collected<Request>());
    bind_running(bound);
    bind_tensors(bound, PortKind::input, &Request::set_input, &Request::input);
    bind_tensors(bound, PortKind::output, &Request::set_output, &Request::output);
    const auto profiling = [](Request& self) { return self.request().get_profiling_info(); };
    bound.def("get_profiling_info", profiling).def_property_readonly("profiling_info", profiling);
    bound.def("get_trace", [](Request& self) { return self.request().get_trace(); });
    bound.def("query_state", &variable_states);
    bound.def("reset_state", [](Request& self) { self.request().reset_state(); });
    bound.def("get_tensor", &tensor_at, py::arg("name"));
    bound.def("set_tensor", &set_tensor, py::arg("name"), py::arg("tensor"));
    bound.def(
        "set_tensors",
        [](Request& self, const py::dict& tensors) {
            for (const auto& [key, tensor] : tensors) {
                set_tensor(self, py::reinterpret_borrow<py::object>(key),
                           py::cast<const PyTensor&>(tensor));
            }
        },
        py::arg("inputs"));
}

}  // namespace rondo::python
