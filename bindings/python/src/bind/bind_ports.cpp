// Python's view of ports.
#include <pybind11/stl.h>

#include <set>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/ports.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "bindings/python/src/run/infer_request.hpp"
#include "rondo/error.hpp"
#include "rondo/graph_builder.hpp"

namespace rondo::python {
namespace {

bool same_port(const Port& a, const Port& b) {
    return a.model == b.model && a.kind == b.kind && a.index == b.index;
}

// Made at each call, as a copy of what runs: a port doesn't keep its model alive.
py::object node_of(const Port& port) {
    const auto program = port.program.lock();
    if (program == nullptr) {
        throw ModelError("this " + std::string(to_string(port.kind)) +
                         " doesn't know its model, or that is gone; ports of CompiledModel and "
                         "Model have nodes, such as CompiledModel.output(0).node");
    }
    const Model model = program->model.runtime_model();
    const bool is_input = port.kind == PortKind::input;
    return py::cast((is_input ? parameter_nodes(model) : result_nodes(model)).at(port.index));
}

}  // namespace

void bind_ports(py::module_& module) {
    const auto any_name = [](const Port& self) { return self.info.any_name(); };
    const auto names = [](const Port& self) {
        return std::set<std::string>(self.info.names.begin(), self.info.names.end());
    };
    const auto partial_shape = [](const Port& self) { return self.info.shape; };
    const auto shape = [](const Port& self) { return PyShape{self.info.shape.to_shape()}; };
    const auto type = [](const Port& self) { return Type{self.info.element_type}; };
    const auto index = [](const Port& self) { return self.index; };
    py::class_<Port> bound(module, "ConstOutput", "An input or output of a model.");
    bound.def("get_any_name", any_name, "The first tensor name.")
        .def_property_readonly("any_name", any_name, "The first tensor name.");
    bound.def("get_names", names, "All tensor names.")
        .def_property_readonly("names", names, "All tensor names.");
    bound.def("get_partial_shape", partial_shape, "The shape, whose extents may be open.");
    bound.def_property_readonly("partial_shape", partial_shape,
                                "The shape, whose extents may be open.");
    bound.def("get_shape", shape, "The shape. Raises ModelError where extents are open.")
        .def_property_readonly("shape", shape,
                               "The shape. Raises ModelError where extents are open.");
    bound.def("get_element_type", type, "The element type.")
        .def_property_readonly("element_type", type, "The element type.");
    bound.def("get_index", index, "The place among the inputs or outputs.")
        .def_property_readonly("index", index, "The place among the inputs or outputs.");
    bound.def("get_node", &node_of, "The node Parameter or Result that it belongs to.")
        .def_property_readonly("node", &node_of,
                               "The node Parameter or Result that it belongs to.");
    bound.def(
        "get_tensor", [](const py::object& self) { return self; },
        "Itself: it has the names, the type and the shape.");
    bound.def("__eq__", &same_port, py::is_operator());
    bound.def("__hash__", [](const Port& self) {
        return py::hash(py::make_tuple(reinterpret_cast<std::uintptr_t>(self.model),
                                       self.kind == PortKind::input, self.index));
    });
    bound.def("__repr__", [](const Port& self) { return text_of(self); });
}

}  // namespace rondo::python
