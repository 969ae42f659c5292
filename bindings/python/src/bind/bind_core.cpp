// Python's view of Core.
#include <pybind11/stl.h>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/model_source.hpp"
#include "bindings/python/src/convert/properties.hpp"
#include "bindings/python/src/run/compiled_model.hpp"
#include "rondo/core.hpp"

namespace rondo::python {
namespace {

constexpr const char* kDefaultDevice = "CPU";

// AUTO chooses among devices for OpenVINO; here there is one to choose.
std::string device_from(const std::optional<std::string>& name) {
    return !name || name->empty() || *name == "AUTO" ? kDefaultDevice : *name;
}

// Another thread may reshape the model meanwhile: what is compiled is a copy. A path is left to
// Core, as the model cache may save reading it.
PyCompiledModel compile(const Core& core, const py::object& object,
                        const std::optional<std::string>& device, const py::object& config,
                        const py::object& weights) {
    const Properties properties = properties_from(config);
    const std::string target = device_from(device);
    const auto path = lone_path(object, weights);
    const bool was_read = py::isinstance<Model>(object);
    const Model model = path       ? Model()
                        : was_read ? py::cast<const Model&>(object).clone()
                                   : read_model(core, object, weights);
    CompiledModel compiled;
    {
        const WithoutGil unlocked;
        compiled = path ? core.compile_model(*path, target, properties)
                        : core.compile_model(model, target, properties);
    }
    return PyCompiledModel(std::make_shared<SharedModel>(std::move(compiled)));
}

void bind_version(py::module_& module) {
    const auto part = [](int index) {
        return [index](const Version& self) {
            const auto parts = py::str(self.build_number).attr("split")(".");
            return py::int_(py::object(parts[py::int_(index)]));
        };
    };
    py::class_<Version>(module, "Version")
        .def_readonly("build_number", &Version::build_number)
        .def_readonly("description", &Version::description)
        .def_property_readonly("major", part(0))
        .def_property_readonly("minor", part(1))
        .def_property_readonly("patch", part(2))
        .def("__repr__", [](const Version& self) {
            return "<Version: " + self.build_number + " " + self.description + ">";
        });
    module.def("get_version", [] { return get_version().build_number; });
}

template <typename Class>
void bind_properties(Class& bound) {
    bound.def(
        "set_property",
        [](Core& self, const std::string& device, const py::object& values) {
            self.set_property(device_from(device), properties_from(values));
        },
        py::arg("device_name"), py::arg("properties"));
    bound.def(
        "set_property",
        [](Core& self, const py::object& values) {
            self.set_property(kDefaultDevice, properties_from(values));
        },
        py::arg("properties"));
    bound.def(
        "get_property",
        [](const Core& self, const std::string& device, const std::string& name) {
            return property_to_python(name, self.get_property(device_from(device), name));
        },
        py::arg("device_name"), py::arg("property"));
    bound.def(
        "get_property",
        [](const Core& self, const std::string& name) {
            return property_to_python(name, self.get_property(kDefaultDevice, name));
        },
        py::arg("property"));
}

}  // namespace

void bind_core(py::module_& module) {
    bind_version(module);
    py::class_<Core> bound(module, "Core");
    bound.def(py::init<>());
    bound.def("read_model", &read_model, py::arg("model"), py::arg("weights") = py::none());
    bound.def("compile_model", &compile, py::arg("model"), py::arg("device_name") = py::none(),
              py::arg("config") = py::none(), py::kw_only(), py::arg("weights") = py::none());
    bound.def_property_readonly("available_devices", &Core::get_available_devices);
    bound.def("get_available_devices", &Core::get_available_devices);
    bound.def(
        "get_versions",
        [](const Core& self, const std::string& device) {
            return self.get_versions(device_from(device));
        },
        py::arg("device_name"));
    bound.def(
        "register_plugin",
        [](Core& self, const py::object& path, const std::string& name) {
            self.register_plugin(path_from(path), name);
        },
        py::arg("plugin"), py::arg("device_name"));
    bind_properties(bound);
}

}  // namespace rondo::python
