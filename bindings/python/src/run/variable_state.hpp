// A request's memory of one variable, from Python: rondo.VariableState.
#pragma once

#include <pybind11/pybind11.h>

#include "rondo/variable_state.hpp"

namespace rondo::python {

namespace py = pybind11;

/// Keeps the Python request alive, whose destructor knows how to wait for background threads.
struct PyVariableState {
    py::object request;
    VariableState state;  // goes first
};

/// For Python's garbage collector: a request's callback may refer to its states.
int visit_objects(PyVariableState& state, visitproc visit, void* argument);
void clear_objects(PyVariableState& state);

/// A list of VariableState, one for each variable of the rondo.InferRequest.
py::list variable_states(const py::object& request);

}  // namespace rondo::python
