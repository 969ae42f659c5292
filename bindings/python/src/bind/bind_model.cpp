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

Dimension extent_of(const py::object& batch, const char* method) {
    if (const auto dimension = dimension_from(batch)) return *dimension;
    throw py::type_error(std::string(method) + ": expected an extent, got " +
                         py::cast<std::string>(py::repr(batch)));
}

void set_batch(Model& model, const py::object& batch) {
    model.set_batch(extent_of(batch, "set_batch"));
}

void add_batch_axis(Model& model, const py::object& batch) {
    model.add_batch_axis(extent_of(batch, "add_batch_axis"));
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
    py::class_<NodeInfo>(module, "Node", "One operation of a model.")
        .def("get_friendly_name", name, "The node's name.")
        .def_property_readonly("friendly_name", name, "The node's name.")
        .def("get_name", name, "The node's name.")
        .def_property_readonly("name", name, "The node's name.")
        .def("get_type_name", type, "The op, such as \"LSTMSequence\".")
        .def_property_readonly("type_name", type, "The op, such as \"LSTMSequence\".")
        .def_property_readonly(
            "opset", [](const NodeInfo& self) { return self.opset; },
            "The opset that the op is of, such as \"opset5\".")
        .def(
            "get_attributes",
            [](const NodeInfo& self) {
                return std::map<std::string, std::string>(self.attributes.begin(),
                                                          self.attributes.end());
            },
            "The attributes as a dict of names and texts.")
        .def(
            "get_output_size", [](const NodeInfo& self) { return self.outputs.size(); },
            "The number of outputs.")
        .def_property_readonly("_sources",
                               [](const NodeInfo& self) {
                                   std::vector<std::pair<std::size_t, std::size_t>> sources;
                                   for (const auto& source : self.inputs) {
                                       sources.emplace_back(source.node, source.output);
                                   }
                                   return sources;
                               })
        .def_property_readonly("_output_texts",
                               [](const NodeInfo& self) {
                                   std::vector<std::string> texts;
                                   for (const auto& port : self.outputs) {
                                       texts.push_back(std::string(to_string(port.element_type)) +
                                                       to_string(port.shape));
                                   }
                                   return texts;
                               })
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

void bind_saving(py::module_& module) {
    module.def("save_model", &save, py::arg("model"), py::arg("output_model"),
               py::arg("compress_to_fp16") = false,
               "Writes an IR (.xml and .bin) or an ONNX model (.onnx). compress_to_fp16=True "
               "halves the weights. Raises ModelError if it cannot be written, UnsupportedError "
               "naming the nodes that ONNX cannot say.");
    module.def("serialize", &serialize, py::arg("model"), py::arg("xml_path"),
               py::arg("bin_path") = py::none(), "Writes an IR; the weights go beside it.");
}

}  // namespace

void bind_model(py::module_& module) {
    bind_nodes(module);
    const auto name = [](const Model& self) { return self.name(); };
    py::class_<Model> bound(module, "Model",
                            "A graph that was read: inputs, outputs, nodes, shapes. "
                            "Core.compile_model() makes it run.");
    bound.def(py::init([](const py::args&, const py::kwargs&) -> Model {
        throw UnsupportedError(
            "graphs aren't built in Python: write ONNX (onnx.helper) or an IR, "
            "and read it by Core.read_model()");
    }));
    bind_port_lists(bound, ports_of);
    bound.def("get_name", name, "The model's name.")
        .def_property_readonly("name", name, "The model's name.");
    bound.def("get_friendly_name", name, "The model's name.")
        .def_property_readonly("friendly_name", name, "The model's name.");
    bound.def("reshape", &reshape, py::arg("partial_shapes"),
              "Gives inputs new shapes and infers all others again. partial_shapes: a shape if "
              "there is one input, or a dict of inputs (name, index, port) and shapes; extents are "
              "numbers, -1, (1, 64), \"1..64\" or a Dimension. On an error nothing changes.");
    py::class_<StateSearch>(module, "StateSearch", "What Model.find_states() has found.")
        .def_readonly("pairs", &StateSearch::pairs,
                      "Pairs of an input and the output that is its next value.")
        .def_readonly("unpaired", &StateSearch::unpaired,
                      "A sentence for each other port that looks like a state: what it lacks.");
    bound.def("find_states", &Model::find_states,
              "Looks for states that the model takes as inputs and gives as outputs.");
    bound.def("make_stateful", &make_stateful, py::arg("pairs") = py::none(),
              "Makes variables of states, which requests then keep. pairs: {input: output} or a "
              "list of pairs; None finds them. Raises ModelError for names that are not there; on "
              "an error nothing changes.");
    bound.def("apply_low_latency", &Model::apply_low_latency,
              py::arg("use_const_initializer") = true,
              "Makes variables of the states of recurrent layers and loops, as OpenVINO's "
              "LowLatency2. They start as zeros, or as before with use_const_initializer=False. "
              "Raises UnsupportedError naming a layer that runs backwards.");
    bound.def("make_streaming", &make_streaming,
              py::arg("time_axes") = std::map<std::string, std::int64_t>(),
              "Makes the model take sequences in chunks of any length. time_axes: a dict of inputs "
              "and their axes of time; empty finds them. Raises UnsupportedError naming the node "
              "that needs the future.");
    bound.def("set_batch", &set_batch, py::arg("batch_size"),
              "Gives the batch of all inputs and variables that extent: a number, or -1 for any. "
              "Raises UnsupportedError naming the op that mixes rows.");
    bound.def("add_batch_axis", &add_batch_axis, py::arg("batch_size") = -1,
              "Puts a batch axis in front of the shapes of all inputs, variables and outputs; -1 "
              "leaves it open. Each row gives the bits that the model gives for it alone. Inputs "
              "without axes are shared by all rows.");
    bound.def("is_dynamic", &is_dynamic, "Whether a shape of an input or output has open extents.")
        .def_property_readonly("dynamic", &is_dynamic,
                               "Whether a shape of an input or output has open extents.");
    bound.def("clone", &Model::clone, "An independent copy; weights are shared.");
    bound.def("__deepcopy__", [](const Model& self, const py::dict&) { return self.clone(); });
    bound.def("get_ops", &Model::nodes, "All nodes, each behind those that it reads.")
        .def("get_ordered_ops", &Model::nodes, "All nodes, each behind those that it reads.");
    bound.def("to_text", &Model::to_text, "The graph as text, a line a node.");
    bound.def("_assign", [](Model& self, const Model& other) { self = other; });
    bound.def("__repr__", &describe);
    bind_saving(module);
}

}  // namespace rondo::python
