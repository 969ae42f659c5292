// Python's view of VariableState.
#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/run/garbage.hpp"
#include "bindings/python/src/run/infer_request.hpp"
#include "bindings/python/src/run/variable_state.hpp"
#include "rondo/error.hpp"

namespace rondo::python {

namespace {

// Throws ModelError where the request is busy.
VariableState& free_state(PyVariableState& self) {
    py::cast<Request&>(self.request).free_request();
    return self.state;
}

}  // namespace

int visit_objects(PyVariableState& state, visitproc visit, void* argument) {
    return state.request ? visit(state.request.ptr(), argument) : 0;
}

void clear_objects(PyVariableState& state) {
    state.state = {};
    state.request = {};
}

py::list variable_states(const py::object& request) {
    py::list states;
    for (auto& state : py::cast<Request&>(request).free_request().query_state()) {
        states.append(py::cast(PyVariableState{request, std::move(state)}));
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

}  // namespace rondo::python
