// Python's view of Model.
#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/ports.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"
#include "rondo/graph_builder.hpp"
#include "rondo/model.hpp"

namespace rondo::python {
namespace {

PortList ports_of_model(const Model& model, PortKind kind) {
    const void* const identity = model.graph().get();
    if (kind == PortKind::output) return {model.outputs(), kind, identity};
    return {model.inputs(), kind, identity, model.constant_inputs()};
}

PartialShape shape_for(py::handle object) {
    auto shape = partial_shape_from(object);
    if (shape) return *std::move(shape);
    throw py::type_error("reshape: expected a shape, got " + repr_of(object));
}

void reshape(Model& model, const py::object& shapes) {
    const PortList inputs = ports_of_model(model, PortKind::input);
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
    const PortList inputs = ports_of_model(model, PortKind::input);
    const PortList outputs = ports_of_model(model, PortKind::output);
    const py::object items = py::hasattr(object, "items") ? object.attr("items")() : object;
    const auto name_of = [](const PortList& ports, const py::object& key) {
        if (py::isinstance<py::str>(key)) return utf8_from(key, "make_stateful: a name");
        return ports[ports.index_of(key)].info.any_name();
    };
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const py::handle item : items) {
        if (py::isinstance<py::str>(item) || !py::isinstance<py::sequence>(item) ||
            py::len(item) != 2) {
            throw py::type_error("make_stateful: expected pairs of an input and an output, got " +
                                 repr_of(item));
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
    throw py::type_error(std::string(method) + ": expected an extent, got " + repr_of(batch));
}

void set_batch(Model& model, const py::object& batch) {
    model.set_batch(extent_of(batch, "set_batch"));
}

void add_batch_axis(Model& model, const py::object& batch) {
    model.add_batch_axis(extent_of(batch, "add_batch_axis"));
}

bool is_dynamic(const Model& model) {
    for (const PortKind kind : {PortKind::input, PortKind::output}) {
        const PortList ports = ports_of_model(model, kind);
        for (std::size_t i = 0; i < ports.size(); ++i) {
            if (!ports[i].info.shape.is_static()) return true;
        }
    }
    return false;
}

std::string describe_model(const Model& model) {
    return "<Model: '" + model.name() + "'" +
           text_of(ports_of_model(model, PortKind::input),
                   ports_of_model(model, PortKind::output)) +
           ">";
}

// The ports of a model, which know their nodes.
NodePort live_port(const Model& model, const Port& port) {
    const auto nodes = port.kind == PortKind::input ? parameter_nodes(model) : result_nodes(model);
    return {port, nodes[port.index].output(0)};
}

Model make(const py::object& results, const std::vector<GraphNode>& sinks,
           const std::vector<GraphNode>& parameters, std::string name) {
    if (name.empty()) {
        const py::module_ nodes = py::module_::import("rondo._openvino.nodes");
        name = py::cast<std::string>(nodes.attr("new_name")("Model"));
    }
    return make_model({name, parameters, outputs_from(results), sinks});
}

// The model may be changed by another thread while it is written: what is written is a copy.
void save(const Model& model, const py::object& path, const SaveOptions& options) {
    const std::string file = path_from(path);
    const Model copy = model.clone();
    const WithoutGil unlocked;
    save_model(copy, file, options);
}

void save_as(const Model& model, const py::object& path, bool compress,
             const std::optional<TypeArgument>& weights, bool external_data) {
    if (compress && weights) {
        throw ModelError("save_model: give compress_to_fp16 or weights_type, not both");
    }
    const ElementType kept = compress ? ElementType::f16 : ElementType::f32;
    save(model, path, {weights ? weights->value : kept, external_data});
}

void serialize(const Model& model, const py::object& xml_path, const py::object& bin_path,
               const std::string& version) {
    if (version != "UNSPECIFIED" && version != "IR_V11") {
        throw UnsupportedError("serialize: got version '" + version +
                               "'; expected 'IR_V11' or 'UNSPECIFIED'");
    }
    const std::string path = path_from(xml_path);
    if (!bin_path.is_none()) {
        const std::string bin = path_from(bin_path);
        const auto expected = path.substr(0, path.rfind('.')) + ".bin";
        if (!bin.empty() && bin != expected) {
            throw UnsupportedError("the weights go beside the XML, to '" + expected +
                                   "', not to '" + bin + "'");
        }
    }
    save(model, xml_path, {});
}

void make_streaming(Model& model, const std::map<std::string, std::int64_t>& time_axes) {
    const WithoutGil unlocked;
    model.make_streaming({time_axes});
}

std::vector<LayerQuantization> quantize(Model& model, const std::string& format,
                                        const std::vector<std::string>& keep, double least_decibels,
                                        std::optional<std::size_t> least_weights) {
    const WithoutGil unlocked;
    return model.quantize({format, keep, least_decibels, least_weights});
}

void bind_quantization(py::module_& module) {
    py::class_<LayerQuantization>(module, "LayerQuantization",
                                  "What became of a recurrent layer: see quantize().")
        .def_readonly("name", &LayerQuantization::name, "One of a body as in 'loop/lstm'.")
        .def_readonly("type", &LayerQuantization::type, "Such as 'GRUSequence'.")
        .def_readonly("kept", &LayerQuantization::kept,
                      "Why the layer stays f32; empty where it has integers now.")
        .def_readonly("decibels", &LayerQuantization::decibels,
                      "The weights' signal to noise; 0 where it was not computed.")
        .def_readonly("bytes", &LayerQuantization::bytes, "Of W and R before.")
        .def_readonly("new_bytes", &LayerQuantization::new_bytes, "And now.")
        .def("__repr__", [](const LayerQuantization& layer) {
            return "<LayerQuantization '" + layer.name + "' " +
                   (layer.kept.empty() ? "quantised" : "f32: " + layer.kept) + ">";
        });
    module.def(
        "quantize", &quantize, py::arg("model"), py::arg("format") = "w8r16",
        py::arg("keep") = std::vector<std::string>(), py::arg("least_decibels") = 20.0,
        py::arg("least_weights") = py::none(),
        "Stores W and R of recurrent layers as integers, in which the CPU then computes, and "
        "returns what became of each layer. The portable passes run first. format: 'w8r16', "
        "'w8r8' or 'w16r16'. keep: names of layers that stay f32, as those do whose weights "
        "would keep less signal to noise than least_decibels, and those with fewer weights a "
        "direction than least_weights (None: about as many as it takes to run faster than in "
        "f32). Raises ModelError for an "
        "unknown format or name; the model then stays as it is.");
}

void bind_constructors(py::class_<Model>& bound) {
    bound.def(py::init([](const Model& model) { return model.clone(); }), py::arg("other"),
              "A copy.");
    bound.def(py::init([](const py::object& results, const std::vector<GraphNode>& parameters,
                          const std::string& name) { return make(results, {}, parameters, name); }),
              py::arg("results"), py::arg("parameters"), py::arg("name") = "",
              "A model of nodes. results: a list of Node and Output. parameters: those that "
              "ops.parameter() made, in the order of inputs.");
    bound.def(py::init(&make), py::arg("results"), py::arg("sinks"), py::arg("parameters"),
              py::arg("name") = "", "The same with nodes Assign, which set variables.");
}

void bind_nodes(py::class_<Model>& bound) {
    bound.def("get_ops", &graph_nodes, "All nodes, each behind those that it reads.")
        .def("get_ordered_ops", &graph_nodes, "All nodes, each behind those that it reads.");
    bind_fact(bound, "parameters", &parameter_nodes,
              "The nodes Parameter, in the order of inputs.");
    bind_fact(bound, "results", &result_nodes, "The nodes Result, in the order of outputs.");
    bind_fact(bound, "sinks", &sink_nodes, "The nodes Assign.");
}

void bind_saving(py::module_& module) {
    module.def("save_model", &save_as, py::arg("model"), py::arg("output_model"),
               py::arg("compress_to_fp16") = false, py::kw_only(),
               py::arg("weights_type") = py::none(), py::arg("external_data") = false,
               "Writes an IR (.xml and .bin) or an ONNX model (.onnx). compress_to_fp16=True "
               "halves the weights, as weights_type=Type.f16 or Type.bf16 does. external_data=True "
               "writes the larger constants of ONNX to a file beside it (.onnx.data), where a "
               "model of 2 GiB or more has them anyway. Raises ModelError if it cannot be "
               "written, UnsupportedError naming the nodes that ONNX cannot say.");
    module.def("serialize", &serialize, py::arg("model"), py::arg("xml_path"),
               py::arg("bin_path") = py::none(), py::arg("version") = "UNSPECIFIED",
               "Writes an IR of version 11; the weights go beside it.");
}

}  // namespace

void bind_model(py::module_& module) {
    const auto name = [](const Model& self) { return self.name(); };
    py::class_<Model> bound(module, "Model",
                            "A graph that was read or built: inputs, outputs, nodes, shapes. "
                            "Core.compile_model() makes it run.");
    bind_constructors(bound);
    bind_port_lists(bound, ports_of_model, live_port);
    bind_fact(bound, "name", name, "The model's name.");
    bind_fact(bound, "friendly_name", name, &Model::set_name, "The model's name.");
    bound.def("set_friendly_name", &Model::set_name, py::arg("friendly_name"),
              "Renames the model.");
    bound.def("reshape", &reshape, py::arg("partial_shapes"),
              "Gives inputs new shapes and infers all others again. partial_shapes: a shape if "
              "there is one input, or a dict of inputs (name, index, port) and shapes; extents are "
              "numbers, -1, (1, 64), \"1..64\" or a Dimension. On an error nothing changes. Raises "
              "UnsupportedError where known extents that change are part of the model.");
    bind_quantization(module);
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
    bound.def("__copy__", [](const Model& self) { return self.clone(); });
    bound.def("__deepcopy__", [](const Model& self, const py::dict&) { return self.clone(); });
    bind_nodes(bound);
    bound.def("to_text", &Model::to_text, "The graph as text, a line a node.");
    bound.def("_rt_info", &Model::rt_info).def("_set_rt_info", &Model::set_rt_info);
    bound.def("_assign", [](Model& self, const Model& other) { self = other; });
    bound.def("__repr__", &describe_model);
    bind_saving(module);
}

}  // namespace rondo::python
