// Python's view of StreamPool, Stream and StreamStep.
#include <pybind11/stl.h>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/run/streams.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

// What is written in Python.
py::object python_part(const char* name) {
    return py::module_::import("rondo._streams").attr(name);
}

py::object exception_of(PyStreamStep& step, const py::object& timeout) {
    try {
        step.check(timeout);
    } catch (const Error&) {
        set_python_error(std::current_exception());
        return py::error_already_set().value();
    }
    return py::none();
}

void add_done_callback(const py::object& self, const py::object& function) {
    check_callable(function, "add_done_callback", "the step");
    auto& step = py::cast<PyStreamStep&>(self);
    if (!step.call_at_end(py::make_tuple(self, function))) python_part("call")(self, function);
}

// Called if `waiter` awaits the step; see _streams.py.
void wake_at_end(const py::object& self, const py::object& waiter) {
    auto& step = py::cast<PyStreamStep&>(self);
    if (!step.wake_at_end(py::make_tuple(self, waiter))) waiter(self);
}

std::string describe_step(const PyStreamStep& step) {
    if (!step.is_done()) return "<StreamStep: pending>";
    return step.is_cancelled() ? "<StreamStep: cancelled>" : "<StreamStep: done>";
}

void bind_step(py::module_& module) {
    py::class_<PyStreamStep>(module, "StreamStep",
                             "One step of a stream; awaitable, and used as a "
                             "concurrent.futures.Future is.")
        .def("result", &PyStreamStep::result, py::arg("timeout") = py::none(),
             "Waits for the outputs. Raises what the step raised, CancelledError, or "
             "TimeoutError after `timeout` seconds.")
        .def("exception", &exception_of, py::arg("timeout") = py::none(),
             "Waits, and returns what result() would raise, or None.")
        .def("done", &PyStreamStep::is_done, "True if the step has ended, however.")
        .def("cancelled", &PyStreamStep::is_cancelled, "True if the step was cancelled or dropped.")
        .def("cancel", &PyStreamStep::cancel,
             "Cancels the step if it hasn't begun; returns cancelled().")
        .def("add_done_callback", &add_done_callback, py::arg("fn"),
             "Calls fn(step) once the step has ended, or now if it has.")
        .def("_wake", &wake_at_end, py::arg("waiter"))
        .def("__await__",
             [](const py::object& self) {
                 return python_part("outputs_of")(self).attr("__await__")();
             })
        .def("__repr__", &describe_step);
}

void bind_pool(py::module_& module) {
    py::class_<PyStreamPool>(module, "StreamPool",
                             "Runs the steps of many streams on one compiled model, whose "
                             "variables are kept for each stream. Thread-safe.")
        .def("open", &PyStreamPool::open, py::arg("priority") = 0, py::arg("deadline") = 0.01,
             "A new stream. Steps of higher priority run first, then those whose deadline (seconds "
             "from push to result) ends first. Raises QueueFullError where max_streams are open.")
        .def("stats", &PyStreamPool::stats, "What the pool has done so far: StreamPoolStats.")
        .def("warm_up", &PyStreamPool::warm_up, py::arg("inputs"),
             "Plans inferences of up to max_batch steps with inputs as these.")
        .def("close", &PyStreamPool::close, "Closes all streams and cancels the steps that wait.")
        .def("__enter__", [](const py::object& self) { return self; })
        .def("__exit__", [](PyStreamPool& self, const py::args&) { self.close(); })
        .def("__repr__", [](const PyStreamPool& self) {
            return "<StreamPool: " + std::to_string(self.stats().streams) + " streams>";
        });
}

}  // namespace

void bind_stream(py::module_& module) {
    bind_step(module);
    py::class_<PyStream>(module, "Stream",
                         "One live sequence: each step starts from the state that the one before "
                         "left. Thread-safe.")
        .def("push", &PyStream::push, py::arg("inputs"),
             "Queues a step; the inputs are copied. Returns a StreamStep.")
        .def("infer", &PyStream::infer, py::arg("inputs"),
             "Pushes a step and waits for its outputs.")
        .def(
            "results",
            [](const py::object& self, const py::object& inputs, std::int64_t in_flight) {
                return python_part("results")(self, inputs, in_flight);
            },
            py::arg("inputs"), py::arg("in_flight") = 4,
            "An asynchronous iterator over the outputs for each of the (asynchronous) iterable's "
            "inputs, in order. At most `in_flight` steps are under way.")
        .def("state", &PyStream::state,
             "The variables as arrays by name, after all steps that were pushed.")
        .def("set_state", &PyStream::set_state, py::arg("state"),
             "Steps that are pushed from now on start from these arrays; variables that aren't "
             "named keep their values.")
        .def("save_state", &PyStream::save_state,
             "The whole state as bytes, after all steps that were pushed: for load_state() of a "
             "stream of the same model, in this process or another one.")
        .def("load_state", &PyStream::load_state, py::arg("state"),
             "Steps that are pushed from now on go on from where the stream was whose save_state() "
             "gave these bytes. Raises ModelError where they are damaged or of another model.")
        .def(
            "reset", [](PyStream& self) { self.stream().reset(); },
            "Steps that are pushed from now on start as those of a new stream do.")
        .def("fork", &PyStream::fork,
             "Another stream that goes on from this one's state, after all steps that were pushed.")
        .def(
            "cancel", [](PyStream& self) { self.stream().cancel(); },
            "Cancels the steps that wait.")
        .def(
            "close", [](PyStream& self) { self.stream().close(); },
            "The steps that were pushed still run; others can't be pushed.")
        .def_property_readonly(
            "is_open", [](PyStream& self) { return self.stream().is_open(); },
            "Whether steps can be pushed.")
        .def("__enter__", [](const py::object& self) { return self; })
        .def("__exit__", [](PyStream& self, const py::args&) { self.stream().close(); })
        .def("__repr__", [](PyStream& self) {
            return std::string("<Stream: ") + (self.stream().is_open() ? "open>" : "closed>");
        });
    bind_pool(module);
}

}  // namespace rondo::python
