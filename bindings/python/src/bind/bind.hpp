// The functions that fill the module, a function a family of classes.
#pragma once

#include <pybind11/pybind11.h>

namespace rondo::python {

// keep-sorted
void bind_async_queue(pybind11::module_& module);
void bind_compiled_model(pybind11::module_& module);
void bind_core(pybind11::module_& module);
void bind_errors(pybind11::module_& module);
void bind_infer_request(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_ports(pybind11::module_& module);
void bind_results(pybind11::module_& module);
void bind_shapes(pybind11::module_& module);
void bind_tensor(pybind11::module_& module);
void bind_types(pybind11::module_& module);
void bind_variable_state(pybind11::module_& module);

}  // namespace rondo::python
