// Python's view of InferRequest and of the variables that it keeps.
#include <pybind11/chrono.h>
#include <pybind11/stl.h>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/run/garbage.hpp"
#include "bindings/python/src/run/infer_request.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"
#include "rondo/variable_state.hpp"

namespace rondo::python {
namespace {

std::string quoted(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
    return text;
}

using Setter = void (Request::*)(std::size_t, const PyTensor&);

struct FoundPort {
    PortKind kind;
    std::size_t index;
};

// If a name is an input's and an output's, the input is meant.
FoundPort find(const SharedModel& program, const py::object& key) {
    if (py::isinstance<Port>(key)) {
        const PortKind kind = py::cast<const Port&>(key).kind;
        const auto& ports = kind == PortKind::input ? program.inputs : program.outputs;
        return {kind, ports->index_of(key)};
    }
    if (!py::isinstance<py::str>(key)) {
        throw py::type_error("a tensor is named by its name or port, not by " + repr_of(key));
    }
    const std::string name = utf8_from(key, "the name of a tensor");
    if (program.inputs->has(name)) return {PortKind::input, program.inputs->index_of(key)};
    if (program.outputs->has(name)) return {PortKind::output, program.outputs->index_of(key)};
    auto known = program.inputs->names();
    for (auto& output : program.outputs->names()) known.push_back(std::move(output));
    throw ModelError("the model has no input or output '" + name + "'; " +
                     known_inputs(name, known, program.inputs->constants()));
}

PyTensor tensor_at(Request& request, const py::object& key) {
    const FoundPort place = find(*request.program(), key);
    return place.kind == PortKind::input ? request.input(place.index) : request.output(place.index);
}

const PyTensor& tensor_from(py::handle value, const Port& port) {
    if (py::isinstance<PyTensor>(value)) return py::cast<const PyTensor&>(value);
    throw py::type_error(std::string(to_string(port.kind)) + " '" + port.info.any_name() +
                         "': got " + py::cast<std::string>(py::type::of(value).attr("__name__")) +
                         "; expected a Tensor, which rondo.Tensor(array) makes");
}

void set_tensor(Request& request, const py::object& key, const py::object& value) {
    const SharedModel& program = *request.program();
    const FoundPort place = find(program, key);
    const bool is_input = place.kind == PortKind::input;
    const PortList& ports = is_input ? *program.inputs : *program.outputs;
    const PyTensor& tensor = tensor_from(value, ports[place.index]);
    if (is_input) {
        request.set_input(place.index, tensor);
    } else {
        request.set_output(place.index, tensor);
    }
}

// From {key: tensor} or a list of tensors.
void set_all(Request& request, const PortList& ports, const py::object& tensors, Setter set) {
    const auto set_one = [&](py::handle key, py::handle tensor) {
        const std::size_t index = ports.index_of(key);
        (request.*set)(index, tensor_from(tensor, ports[index]));
    };
    if (py::isinstance<py::dict>(tensors)) {
        for (const auto& [key, tensor] : py::reinterpret_borrow<py::dict>(tensors)) {
            set_one(key, tensor);
        }
        return;
    }
    std::size_t number = 0;
    for (const py::handle tensor : tensors) set_one(py::int_(number++), tensor);
}

std::vector<PyTensor> tensors_of(Request& request, PortKind kind) {
    const SharedModel& program = *request.program();
    const bool is_input = kind == PortKind::input;
    const std::size_t count = (is_input ? program.inputs : program.outputs)->size();
    std::vector<PyTensor> tensors;
    for (std::size_t i = 0; i < count; ++i) {
        tensors.push_back(is_input ? request.input(i) : request.output(i));
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
        py::arg("share_outputs") = false, py::kw_only(), py::arg("decode_strings") = true,
        "Runs an inference. inputs: a dict by name, index or port, a list by position, or the "
        "array itself; those that are not given keep their values. share_inputs=True reads arrays "
        "where they are, share_outputs=True returns views that the next inference overwrites. "
        "Returns an OVDict.");
    bound.def("start_async", &Request::start_async, py::arg("inputs") = py::none(),
              py::arg("userdata") = py::none(), py::arg("share_inputs") = false,
              "Starts an inference and returns. userdata is passed to the callback. Raises an "
              "error while one runs.");
    bound.def("wait", &Request::wait,
              "Waits for the inference; raises what it or its callback has raised.");
    bound.def("wait_for", &Request::wait_for, py::arg("timeout"),
              "Waits at most so many milliseconds; returns whether the inference has ended.");
    bound.def("cancel", &Request::cancel,
              "Ends a running inference, whose wait() then raises CancelledError.");
    bound.def("set_callback", &Request::set_callback, py::arg("callback"),
              py::arg("userdata") = py::none(),
              "callback(userdata) is called when an inference has ended, on its thread.");
    bound.def_property_readonly(
        "userdata", [](Request& self) { return object_of(self.completion().userdata); },
        "The userdata of the last start_async() or set_callback().");
    bound.def_property_readonly(
        "latency", [](Request& self) { return self.completion().latency_ms.load(); },
        "Milliseconds that the last inference took.");
    bound.def_property_readonly("results", &Request::results,
                                "The outputs of the last inference, as an OVDict.");
}

template <typename Class>
void bind_tensors(Class& bound, PortKind kind, Setter set, PyTensor (Request::*get)(std::size_t)) {
    const std::string name = to_string(kind);
    const auto ports = [kind](const Request& self) -> const PortList& {
        const SharedModel& program = *self.program();
        return kind == PortKind::input ? *program.inputs : *program.outputs;
    };
    const auto all = [kind](Request& self) { return tensors_of(self, kind); };
    const auto model_ports = [ports](Request& self) { return ports(self).to_list(self.program()); };
    bound.def(("get_" + name + "_tensor").c_str(), get, py::arg("index") = 0,
              "The tensor at this place; the first one by default. It is the request's memory.");
    bound.def(("set_" + name + "_tensor").c_str(),
              [ports, set](Request& self, const PyTensor& tensor) {
                  (self.*set)(ports(self).only().index, tensor);
              },
              py::arg("tensor"), "Uses the tensor; the model has one such port.");
    bound.def(("set_" + name + "_tensor").c_str(), set, py::arg("index"), py::arg("tensor"),
              "Uses a tensor at this place. Raises ModelError for another type or shape.");
    bound.def(("set_" + name + "_tensors").c_str(),
              [ports, set](Request& self, const py::object& tensors) {
                  set_all(self, ports(self), tensors, set);
              },
              py::arg((name + "s").c_str()),
              "Uses tensors: a dict by name, index or port, or a list by position.");
    bound.def_property_readonly((name + "_tensors").c_str(), all, "All tensors, by position.");
    bound.def_property_readonly(("model_" + name + "s").c_str(), model_ports,
                                "The ports of the model.");
}

void bind_profiling(py::module_& module) {
    py::class_<ProfilingInfo> bound(
        module, "ProfilingInfo",
        "What a node took in the last inference; needs PERF_COUNT when the model is compiled.");
    py::enum_<ProfilingInfo::ExecutionStatus>(bound, "Status")
        .value("NOT_RUN", ProfilingInfo::ExecutionStatus::not_run)
        .value("OPTIMIZED_OUT", ProfilingInfo::ExecutionStatus::optimized_out)
        .value("EXECUTED", ProfilingInfo::ExecutionStatus::executed);
    bound.def_readonly("status", &ProfilingInfo::status, "EXECUTED, OPTIMIZED_OUT or NOT_RUN.")
        .def_readonly("real_time", &ProfilingInfo::real_time,
                      "The time that the node took, as a timedelta.")
        .def_readonly("cpu_time", &ProfilingInfo::real_time, "The same as real_time.")
        .def_property_readonly(
            "real_time_ns", [](const ProfilingInfo& self) { return self.real_time_ns.count(); },
            "The time that the node took, in nanoseconds.")
        .def_readonly("node_name", &ProfilingInfo::node_name, "The node.")
        .def_readonly("node_type", &ProfilingInfo::node_type, "The op.")
        .def_readonly("exec_type", &ProfilingInfo::exec_type, "The kernel that ran it.")
        .def("__repr__", [](const ProfilingInfo& self) {
            return "<ProfilingInfo: " + self.node_name + " (" + self.node_type + ", " +
                   self.exec_type + "): " + std::to_string(self.real_time_ns.count()) + " ns>";
        });
}

void bind_trace(py::module_& module) {
    py::class_<TraceSlice> bound(module, "TraceSlice",
                                 "What one thread did for one node, or for a part of one.");
    bound.def_readonly("node_name", &TraceSlice::node_name, "The node.")
        .def_readonly("node_type", &TraceSlice::node_type, "The op.")
        .def_readonly("exec_type", &TraceSlice::exec_type, "The kernel that ran it.")
        .def_readonly("part", &TraceSlice::part,
                      "The number of the part where the node was split among threads, else None.")
        .def_readonly("thread", &TraceSlice::thread, "0: the thread that runs the inference.")
        .def_property_readonly(
            "start_ns", [](const TraceSlice& self) { return self.start.count(); },
            "When it began: nanoseconds after the inference did.")
        .def_property_readonly(
            "duration_ns", [](const TraceSlice& self) { return self.duration.count(); },
            "How long it took, in nanoseconds.")
        .def("__repr__", [](const TraceSlice& self) {
            return "<TraceSlice: " + self.node_name + " on thread " + std::to_string(self.thread) +
                   ": " + std::to_string(self.duration.count()) + " ns>";
        });
}

// A request's memory of one variable. It keeps the Python request alive, whose destructor knows how
// to wait for background threads.
struct PyVariableState {
    py::object request;
    VariableState state;  // goes first
};

// For Python's garbage collector: a request's callback may refer to its states.
int visit_objects(PyVariableState& state, visitproc visit, void* argument) {
    return state.request ? visit(state.request.ptr(), argument) : 0;
}

void clear_objects(PyVariableState& state) {
    state.state = {};
    state.request = {};
}

// Throws ModelError if the request is busy.
VariableState& free_state(PyVariableState& self) {
    py::cast<Request&>(self.request).free_request();
    return self.state;
}

std::vector<PyVariableState> variable_states(const py::object& request) {
    std::vector<PyVariableState> states;
    for (auto& state : py::cast<Request&>(request).free_request().query_state()) {
        states.push_back({request, std::move(state)});
    }
    return states;
}

void bind_variable_state(py::module_& module) {
    py::class_<PyVariableState>(
        module, "VariableState",
        "What a request keeps of one variable from an inference to the next.",
        garbage_collected<PyVariableState>())
        .def_property_readonly(
            "name", [](const PyVariableState& self) { return self.state.get_name(); },
            "The variable's name.")
        .def_property(
            "state", [](PyVariableState& self) { return PyTensor{free_state(self).get_state()}; },
            [](PyVariableState& self, const PyTensor& tensor) {
                free_state(self).set_state(tensor.tensor);
            },
            "The value: a copy. Assigning a Tensor copies it and checks its type and shape.")
        .def(
            "reset", [](PyVariableState& self) { free_state(self).reset(); },
            "Gives the variable its first value.")
        .def("__repr__", [](const PyVariableState& self) {
            return "<VariableState: " + self.state.get_name() + ">";
        });
}

}  // namespace

void bind_infer_request(py::module_& module) {
    bind_variable_state(module);
    bind_profiling(module);
    bind_trace(module);
    py::class_<Request, std::shared_ptr<Request>> bound(
        module, "InferRequest",
        "Tensors and states of one user of a compiled model; runs one inference at a time.",
        garbage_collected<Request>());
    bind_running(bound);
    bind_tensors(bound, PortKind::input, &Request::set_input, &Request::input);
    bind_tensors(bound, PortKind::output, &Request::set_output, &Request::output);
    bind_fact(
        bound, "profiling_info",
        [](Request& self) { return self.free_request().get_profiling_info(); },
        "A ProfilingInfo for each node. Empty without PERF_COUNT=YES.");
    bound.def(
        "get_trace", [](Request& self) { return self.free_request().get_trace(); },
        "What each thread did for which node in the last inference: a TraceSlice each. Empty "
        "without PERF_TRACE=YES.");
    bound.def("query_state", &variable_states, "The variables of the model, each a VariableState.");
    bound.def(
        "reset_state", [](Request& self) { self.free_request().reset_state(); },
        "Starts a new stream: all variables get their first values.");
    bound.def("get_tensor", &tensor_at, py::arg("name"),
              "The tensor of an input or output, by name or port. It is the request's memory.");
    bound.def("set_tensor", &set_tensor, py::arg("name"), py::arg("tensor"),
              "Uses a tensor as an input or output, by name or port. Raises ModelError for another "
              "type or shape.");
    bound.def(
        "set_tensors",
        [](Request& self, const py::dict& tensors) {
            for (const auto& [key, tensor] : tensors) {
                set_tensor(self, py::reinterpret_borrow<py::object>(key),
                           py::reinterpret_borrow<py::object>(tensor));
            }
        },
        py::arg("inputs"), "Uses tensors as inputs or outputs: a dict by name or port.");
    bound.def("__repr__", [](const Request& self) {
        return "<InferRequest: inputs " + quoted(self.program()->inputs->names()) + "; outputs " +
               quoted(self.program()->outputs->names()) + ">";
    });
}

}  // namespace rondo::python
