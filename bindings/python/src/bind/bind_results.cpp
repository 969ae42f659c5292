// Python's view of the results of inferences.
#include <pybind11/stl.h>

#include <set>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/ports.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

// Raises KeyError if there is none of that name, index or port.
py::object value_at(const Results& results, py::handle key) {
    try {
        return results.values[results.ports->index_of(key)];
    } catch (const ModelError& error) {
        throw py::key_error(error.what());
    }
}

py::dict dict_of(const Results& results) {
    py::dict dict;
    for (std::size_t i = 0; i < results.ports->size(); ++i) {
        dict[py::cast((*results.ports)[i])] = results.values[i];
    }
    return dict;
}

py::tuple names_of(const Results& results) {
    py::tuple names(results.ports->size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& known = (*results.ports)[i].info.names;
        names[i] = py::cast(std::set<std::string>(known.begin(), known.end()));
    }
    return names;
}

bool contains(const Results& results, py::handle key) {
    try {
        results.ports->index_of(key);
        return true;
    } catch (const ModelError&) {
        return false;
    }
}

}  // namespace

void bind_results(py::module_& module) {
    py::class_<Results>(module, "OVDict",
                        "The outputs of an inference: arrays by name, index or port.")
        .def("__getitem__", &value_at, "An output by name, index or port.")
        .def("__contains__", &contains)
        .def("__len__", [](const Results& self) { return self.values.size(); })
        .def("__iter__",
             [](const Results& self) { return py::iter(py::cast(self.ports->to_list())); })
        .def(
            "get",
            [](const Results& self, const py::object& key, const py::object& otherwise) {
                return contains(self, key) ? value_at(self, key) : otherwise;
            },
            py::arg("key"), py::arg("default") = py::none(),
            "The output's array, or `default` where there is no such output.")
        .def(
            "keys", [](const Results& self) { return dict_of(self).attr("keys")(); }, "The ports.")
        .def(
            "values", [](const Results& self) { return dict_of(self).attr("values")(); },
            "The arrays.")
        .def(
            "items", [](const Results& self) { return dict_of(self).attr("items")(); },
            "Pairs of a port and its array.")
        .def("names", &names_of, "The tensor names of each output.")
        .def("to_dict", &dict_of, "A dict of ports and arrays.")
        .def(
            "to_tuple", [](const Results& self) { return self.values; }, "The arrays by position.")
        .def("__repr__", [](const Results& self) { return py::repr(dict_of(self)); });
}

}  // namespace rondo::python
