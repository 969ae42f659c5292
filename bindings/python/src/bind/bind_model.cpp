// Python's view of Model.
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/ports.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"
#include "rondo/model.hpp"

namespace rondo::python {
namespace {

PortList ports_of(const Model& model, PortKind kind) {
    const void* const identity = model.graph().get();
    return {kind == PortKind::input ? model.inputs() : model.outputs(), kind, identity};
}

PartialShape shape_for(py::handle object) {
    auto shape = partial_shape_from(object);
    if (shape) return *std::move(shape);
    throw py::type_error("reshape: expected a shape, got " +
                         py::cast<std::string>(py::repr(object)));
}

void reshape(Model& model, const py::object& shapes) {
    const PortList inputs = ports_of(model, PortKind::input);
    std::map<std::string, PartialShape> wanted;
    if (const auto dict = dict_from(shapes)) {
        for (const auto& [key, shape] : *dict) {
            const std::string name = inputs[inputs.index_of(key)].info.any_name();
            if (!wanted.emplace(name, shape_for(shape)).second) {
                throw ModelError("reshape: input '" + name + "' is given twice");
            }
        }
    } else {
        wanted[inputs.only().info.any_name()] = shape_for(shapes);
    }
    model.reshape(wanted);
}

// A mapping of inputs to outputs, or a sequence of pairs; ports by name, number or as objects.
std::vector<std::pair<std::string, std::string>> pairs_from(const Model& model,
                                                            const py::object& object) {
    const PortList inputs = ports_of(model, PortKind::input);
    const PortList outputs = ports_of(model, PortKind::output);
    const py::object items = py::hasattr(object, "items") ? object.attr("items")() : object;
    const auto name_of = [](const PortList& ports, const py::object& key) {
        if (py::isinstance<py::str>(key)) return py::cast<std::string>(key);
        return ports[ports.index_of(key)].info.any_name();
    };
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const py::handle item : items) {
        if (py::isinstance<py::str>(item) || !py::isinstance<py::sequence>(item) ||
            py::len(item) != 2) {
            throw py::type_error("make_stateful: expected pairs of an input and an output, got " +
                                 py::cast<std::string>(py::repr(item)));
        }
        const auto pair = py::reinterpret_borrow<py::sequence>(item);
        pairs.emplace_back(name_of(inputs, pair[0]), name_of(outputs, pair[1]));
    }
    return pairs;
}

void make_stateful(Model& model, const py::object& pairs) {
    if (pairs.is_none()) {
        model.make_stateful();
    } else {
        model.make_stateful(pairs_from(model, pairs));
    }
}

void set_batch(Model& model, const py::object& batch) {
    const auto dimension = dimension_from(batch);
    if (!dimension) {
        throw py::type_error("set_batch: expected an extent, got " +
                             py::cast<std::string>(py::repr(batch)));
    }
    model.set_batch(*dimension);
}

void add_batch_axis(Model& model, const py::object& batch) {
    const auto dimension = dimension_from(batch);
    if (!dimension) {
        throw py::type_error("add_batch_axis: expected an extent, got " +
                             py::cast<std::string>(py::repr(batch)));
    }
    model.add_batch_axis(*dimension);
}

bool is_dynamic(const Model& model) {
    for (const PortKind kind : {PortKind::input, PortKind::output}) {
        const PortList ports = ports_of(model, kind);
        for (std::size_t i = 0; i < ports.size(); ++i) {
            if (!ports[i].info.shape.is_static()) return true;
        }
    }
    return false;
}

std::string describe(const Model& model) {
    std::string text = "<Model: '" + model.name() + "'";
    for (const PortKind kind : {PortKind::input, PortKind::output}) {
        const PortList ports = ports_of(model, kind);
        text += std::string("\n") + to_string(kind) + "s[";
        for (std::size_t i = 0; i < ports.size(); ++i) {
            text += "\n" + py::cast<std::string>(py::repr(py::cast(ports[i])));
        }
        text += "\n]";
    }
    return text + ">";
}

void bind_nodes(py::module_& module) {
    const auto name = [](const NodeInfo& self) { return self.name; };
    const auto type = [](const NodeInfo& self) { return self.type; };
    py::class_<NodeInfo>(module, "Node")
        .def("get_friendly_name", name)
        .def_property_readonly("friendly_name", name)
        .def("get_name", name)
        .def_property_readonly("name", name)
        .def("get_type_name", type)
        .def_property_readonly("type_name", type)
        .def_property_readonly("opset", [](const NodeInfo& self) { return self.opset; })
        .def("get_attributes",
             [](const NodeInfo& self) {
                 return std::map<std::string, std::string>(self.attributes.begin(),
                                                           self.attributes.end());
             })
        .def("get_output_size", [](const NodeInfo& self) { return self.outputs.size(); })
        .def("__repr__", [](const NodeInfo& self) {
            return "<" + self.opset + "." + self.type + " '" + self.name + "'>";
        });
}

// The model may be changed by another thread while it is written: what is written is a copy.
void save(const Model& model, const py::object& path, bool compress) {
    const std::string file = path_from(path);
    const Model copy = model.clone();
    const WithoutGil unlocked;
    save_model(copy, file, compress);
}

void serialize(const Model& model, const py::object& xml_path, const py::object& bin_path) {
    const std::string path = path_from(xml_path);
    if (!bin_path.is_none()) {
        const std::string bin = path_from(bin_path);
        const auto expected = path.substr(0, path.rfind('.')) + ".bin";
        if (!bin.empty() && bin != expected) {
            throw UnsupportedError("the weights go beside the XML, to '" + expected +
                                   "', not to '" + bin + "'");
        }
    }
    save(model, xml_path, false);
}

void make_streaming(Model& model, const std::map<std::string, std::int64_t>& time_axes) {
    const WithoutGil unlocked;
    model.make_streaming({time_axes});
}

}  // namespace

void bind_model(py::module_& module) {
    bind_nodes(module);
    const auto name = [](const Model& self) { return self.name(); };
    py::class_<Model> bound(module, "Model");
    bind_port_lists(bound, ports_of);
    bound.def("get_name", name).def_property_readonly("name", name);
    bound.def("get_friendly_name", name).def_property_readonly("friendly_name", name);
    bound.def("reshape", &reshape, py::arg("partial_shapes"));
    py::class_<StateSearch>(module, "StateSearch")
        .def_readonly("pairs", &StateSearch::pairs)
        .def_readonly("unpaired", &StateSearch::unpaired);
    bound.def("find_states", &Model::find_states);
    bound.def("make_stateful", &make_stateful, py::arg("pairs") = py::none());
    bound.def("apply_low_latency", &Model::apply_low_latency,
              py::arg("use_const_initializer") = true);
    bound.def("make_streaming", &make_streaming,
              py::arg("time_axes") = std::map<std::string, std::int64_t>());
    bound.def("set_batch", &set_batch, py::arg("batch_size"));
    bound.def("add_batch_axis", &add_batch_axis, py::arg("batch_size") = -1,
              "Puts a batch axis in front of the shapes of all inputs, variables and outputs; -1 "
              "leaves it open. Each row gives the bits that the model gives for it alone. Inputs "
              "without axes are shared by all rows.");
    bound.def("is_dynamic", &is_dynamic).def_property_readonly("dynamic", &is_dynamic);
    bound.def("clone", &Model::clone);
    bound.def("__deepcopy__", [](const Model& self, const py::dict&) { return self.clone(); });
    bound.def("get_ops", &Model::nodes).def("get_ordered_ops", &Model::nodes);
    bound.def("to_text", &Model::to_text);
    bound.def("__repr__", &describe);
    module.def("save_model", &save, py::arg("model"), py::arg("output_model"),
               py::arg("compress_to_fp16") = false);
    module.def("serialize", &serialize, py::arg("model"), py::arg("xml_path"),
               py::arg("bin_path") = py::none());
}

}  // namespace rondo::python
