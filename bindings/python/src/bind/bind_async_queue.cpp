// Python's view of AsyncInferQueue.
#include <pybind11/stl.h>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/run/async_queue.hpp"
#include "bindings/python/src/run/compiled_model.hpp"
#include "bindings/python/src/run/garbage.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

constexpr std::int64_t kMaxJobs = 1 << 16;

AsyncQueue make_queue(const PyCompiledModel& model, std::int64_t jobs) {
    if (jobs < 0 || jobs > kMaxJobs) {
        throw ModelError("a queue can't have " + std::to_string(jobs) +
                         " jobs; expected 0, for OPTIMAL_NUMBER_OF_INFER_REQUESTS, to " +
                         std::to_string(kMaxJobs));
    }
    return AsyncQueue(model.program(), static_cast<std::size_t>(jobs));
}

std::shared_ptr<Request> request_at(const AsyncQueue& queue, std::size_t index) {
    if (index >= queue.requests().size()) {
        throw py::index_error("the queue has no request " + std::to_string(index) + "; there are " +
                              std::to_string(queue.requests().size()));
    }
    return queue.requests()[index];
}

}  // namespace

void bind_async_queue(py::module_& module) {
    py::class_<AsyncQueue>(
        module, "AsyncInferQueue",
        "Requests of one model that are kept busy. jobs: how many; 0: the model's optimal number.",
        garbage_collected<AsyncQueue>())
        .def(py::init(&make_queue), py::arg("model"), py::arg("jobs") = 0)
        .def("start_async", &AsyncQueue::start_async, py::arg("inputs") = py::none(),
             py::arg("userdata") = py::none(), py::arg("share_inputs") = false,
             "Starts an inference on a free request; waits until there is one. userdata is passed "
             "to the callback.")
        .def("is_ready", &AsyncQueue::is_ready, "Whether a request is free.")
        .def("wait_all", &AsyncQueue::wait_all,
             "Waits for all inferences; raises what one or its callback has raised.")
        .def("get_idle_request_id", &AsyncQueue::idle_request,
             "Waits until a request is free; returns its index.")
        .def("set_callback", &AsyncQueue::set_callback, py::arg("callback"),
             "callback(request, userdata) is called when an inference has ended, on its thread.")
        .def_property_readonly("userdata", &AsyncQueue::userdata, "The userdata of each request.")
        .def("__len__", [](const AsyncQueue& self) { return self.requests().size(); })
        .def("__getitem__", &request_at, "A request by its number.")
        .def("__iter__", [](const AsyncQueue& self) { return py::iter(py::cast(self.requests())); })
        .def("__repr__", [](const AsyncQueue& self) {
            return "<AsyncInferQueue: " + std::to_string(self.requests().size()) + " jobs>";
        });
}

}  // namespace rondo::python
