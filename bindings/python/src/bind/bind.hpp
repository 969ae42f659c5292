// The functions that fill the module, a function a family of classes.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <string>

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
void bind_results(pybind11::module_& module);
void bind_shapes(pybind11::module_& module);
void bind_stream(pybind11::module_& module);
void bind_tensor(pybind11::module_& module);
void bind_types(pybind11::module_& module);
void bind_version(pybind11::module_& module);

/// Sets Python's exception of this kind. Does nothing for exceptions that aren't Rondo's.
void set_python_error(std::exception_ptr thrown);

/// OpenVINO has a fact of an object as a method and as a property: get_shape() and shape.
template <typename Class, typename Get>
void bind_fact(Class& bound, const char* name, const Get& get, const char* text) {
    bound.def((std::string("get_") + name).c_str(), get, text);
    bound.def_property_readonly(name, get, text);
}

/// The same of a property that can be assigned.
template <typename Class, typename Get, typename Set>
void bind_fact(Class& bound, const char* name, const Get& get, const Set& set, const char* text) {
    bound.def((std::string("get_") + name).c_str(), get, text);
    bound.def_property(name, get, set, text);
}

}  // namespace rondo::python
