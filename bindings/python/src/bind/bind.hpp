// The functions that fill the module, a function a family of classes.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

namespace rondo::python {

// keep-sorted
void bind_async_queue(pybind11::module_& module);
void bind_compiled_model(pybind11::module_& module);
void bind_core(pybind11::module_& module);
void bind_errors(pybind11::module_& module);
void bind_graph(pybind11::module_& module);
void bind_infer_request(pybind11::module_& module);
void bind_log(pybind11::module_& module);
void bind_metrics(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_ports(pybind11::module_& module);
void bind_results(pybind11::module_& module);
void bind_shapes(pybind11::module_& module);
void bind_stream(pybind11::module_& module);
void bind_stream_pool(pybind11::module_& module);
void bind_tensor(pybind11::module_& module);
void bind_types(pybind11::module_& module);
void bind_variable_state(pybind11::module_& module);
void bind_version(pybind11::module_& module);

/// Sets Python's exception of this kind. Does nothing for exceptions that aren't Rondo's.
void set_python_error(std::exception_ptr thrown);

}  // namespace rondo::python
