// Python's view of Core.
#include <pybind11/stl.h>

#include <sstream>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/model_source.hpp"
#include "bindings/python/src/convert/properties.hpp"
#include "bindings/python/src/run/compiled_model.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

constexpr const char* kDefaultDevice = "CPU";

// The properties of a device other than CPU may be unknown to it.
Properties reading_properties(const Properties& properties) {
    const auto at = properties.find(property::kKeepInputs);
    return at == properties.end() ? Properties() : Properties{*at};
}

// Another thread may reshape the model meanwhile: what is compiled is a copy. A path is left to
// Core, as the model cache may save reading it.
PyCompiledModel compile(const Core& core, const py::object& object,
                        const std::optional<std::string>& device, const py::object& config,
                        const py::object& weights) {
    const Properties properties = properties_from(config);
    const std::string target = device.value_or(kDefaultDevice);
    const auto path = lone_path(object, weights);
    const bool was_read = py::isinstance<Model>(object);
    const Model model = path ? Model()
                        : was_read
                            ? py::cast<const Model&>(object).clone()
                            : read_model(core, object, weights, reading_properties(properties));
    CompiledModel compiled = without_gil([&] {
        return path ? core.compile_model(*path, target, properties)
                    : core.compile_model(model, target, properties);
    });
    return PyCompiledModel(std::make_shared<SharedModel>(std::move(compiled)));
}

PyCompiledModel import_model(const Core& core, const std::string& data,
                             const std::optional<std::string>& device, const py::object& config) {
    const Properties properties = properties_from(config);
    std::istringstream stream(data);
    CompiledModel compiled = without_gil(
        [&] { return core.import_model(stream, device.value_or(kDefaultDevice), properties); });
    return PyCompiledModel(std::make_shared<SharedModel>(std::move(compiled)));
}

void bind_default_threads(py::module_& module) {
    module.def(
        "set_default_threads",
        [](std::int64_t threads) {
            if (threads < 0) {
                throw ModelError("set_default_threads: got " + std::to_string(threads) +
                                 "; expected 0 or more");
            }
            set_default_threads(static_cast<std::size_t>(threads));
        },
        py::arg("threads"),
        "How many threads models get that are compiled from now on without INFERENCE_NUM_THREADS, "
        "in the whole process. 0, as at first: the cores, the quota or OMP_NUM_THREADS, whichever "
        "is smallest.");
}

void bind_node_support(py::module_& module) {
    py::class_<NodeSupport>(module, "NodeSupport", "Whether a node of a model can be read.")
        .def_readonly("name", &NodeSupport::name,
                      "As messages call it: the node's, or \"LSTM_3\" if it has none.")
        .def_readonly("op_type", &NodeSupport::op_type,
                      "\"LSTM\", or with its domain: \"com.microsoft.Gelu\".")
        .def_readonly("supported", &NodeSupport::supported, "Whether it can.")
        .def_readonly("reason", &NodeSupport::reason, "Why it can't.")
        .def("__bool__", [](const NodeSupport& self) { return self.supported; })
        .def("__repr__", [](const NodeSupport& self) {
            return "<NodeSupport: " + self.name + " (" + self.op_type + ")" +
                   (self.supported ? ">" : ": " + self.reason + ">");
        });
}

void bind_query(py::class_<Core>& bound) {
    bound.def(
        "query_nodes",
        [](const Core& self, const py::object& model, const py::object& weights,
           const py::object& config) {
            return query_nodes(self, model, weights, properties_from(config));
        },
        py::arg("model"), py::arg("weights") = py::none(), py::arg("config") = py::none(),
        "Which nodes of an ONNX model can be read: a NodeSupport for each node of its main graph, "
        "in the file's order. Nothing is compiled. The arguments are those of read_model(). A node "
        "after one that isn't supported is looked at if the model declares the type and shape of "
        "what lies between. Raises ModelError for a model that is broken as a whole.");
}

template <typename Class>
void bind_properties(Class& bound) {
    bound.def(
        "set_property",
        [](Core& self, const std::string& device, const py::object& values) {
            self.set_property(device, properties_from(values));
        },
        py::arg("device_name"), py::arg("properties"),
        "Sets properties of a device for all models that are compiled from now on. properties: a "
        "dict of names and values. Raises ModelError for a name or value that the device does not "
        "have.");
    bound.def(
        "set_property",
        [](Core& self, const py::object& values) {
            self.set_property(kDefaultDevice, properties_from(values));
        },
        py::arg("properties"), "The same for the device CPU.");
    bound.def(
        "get_property",
        [](const Core& self, const std::string& device, const std::string& name) {
            return property_to_python(name, self.get_property(device, name));
        },
        py::arg("device_name"), py::arg("property"),
        "The value of a device's property, as bool, int, float, str, list or Type. Raises "
        "ModelError for a name that the device does not have.");
    bound.def(
        "get_property",
        [](const Core& self, const std::string& name) {
            return property_to_python(name, self.get_property(kDefaultDevice, name));
        },
        py::arg("property"), "The same for the device CPU.");
}

}  // namespace

void bind_core(py::module_& module) {
    bind_node_support(module);
    bind_default_threads(module);
    py::class_<Core> bound(module, "Core",
                           "The entry: reads and compiles models. Thread-safe, and cheap to keep.");
    bound.def(py::init<>());
    bound.def(
        "read_model",
        [](const Core& self, const py::object& model, const py::object& weights,
           const py::object& config) {
            return read_model(self, model, weights, properties_from(config));
        },
        py::arg("model"), py::arg("weights") = py::none(), py::arg("config") = py::none(),
        "Reads a model. model: a path of an .onnx or .xml file (its .bin beside it), bytes of "
        "either, an open file, or an onnx.ModelProto. weights: the path or the bytes of the .bin "
        "of an IR, or for an ONNX model in memory a dict of the files of its external data: "
        "location "
        "-> bytes, array or Tensor, whose memory the model keeps and does not copy. config: a dict "
        "of properties of reading, such as KEEP_INPUTS. Raises ModelError "
        "where it is damaged, UnsupportedError naming all that Rondo lacks.");
    bound.def("compile_model", &compile, py::arg("model"), py::arg("device_name") = py::none(),
              py::arg("config") = py::none(), py::kw_only(), py::arg("weights") = py::none(),
              "Compiles a Model, or what read_model() takes, for a device: CPU (AUTO means it too) "
              "or REFERENCE. config: a dict of properties. The model is copied. Raises ModelError "
              "for unknown devices and properties.");
    bind_query(bound);
    bound.def("_import_model", &import_model, py::arg("data"), py::arg("device_name"),
              py::arg("config"), "Core.import_model() for bytes.");
    bind_fact(bound, "available_devices", &Core::get_available_devices,
              "The names of the devices.");
    bound.def(
        "get_versions",
        [](const Core& self, const std::string& device) { return self.get_versions(device); },
        py::arg("device_name"), "A dict of the device's name and its Version.");
    bound.def(
        "register_plugin",
        [](Core& self, const py::object& path, const std::string& name) {
            self.register_plugin(path_from(path), name);
        },
        py::arg("plugin"), py::arg("device_name"),
        "Adds a device from a shared library; docs/how_to_add_a_device.md shows how to write one. "
        "A path without a slash is looked for where the system looks for libraries. Raises "
        "ModelError where it can't be loaded or was built for another version of Rondo.");
    bind_properties(bound);
    bound.def("__repr__", [](const Core& self) {
        std::string devices;
        for (const auto& name : self.get_available_devices()) devices += " " + name;
        return "<Core:" + devices + ">";
    });
}

}  // namespace rondo::python
