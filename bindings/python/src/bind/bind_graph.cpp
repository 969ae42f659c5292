// Python's view of ports, of nodes and their outputs, and what rondo._openvino.ops makes graphs of.
#include <pybind11/stl.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/convert/ports.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "bindings/python/src/run/infer_request.hpp"
#include "rondo/error.hpp"
#include "rondo/graph_builder.hpp"
#include "rondo/openvino/names.hpp"

namespace rondo::python {
namespace {

bool same_port(const Port& a, const Port& b) {
    return a.model == b.model && a.kind == b.kind && a.index == b.index;
}

// Made at each call, as a copy of what runs: a port doesn't keep its model alive.
GraphNode node_of(const Port& port) {
    const auto program = port.program.lock();
    if (program == nullptr) {
        throw ModelError("this " + std::string(to_string(port.kind)) +
                         " doesn't know its model, or that is gone; ports of CompiledModel and "
                         "Model have nodes, such as CompiledModel.output(0).node");
    }
    const Model model = program->model.runtime_model();
    const bool is_input = port.kind == PortKind::input;
    return (is_input ? parameter_nodes(model) : result_nodes(model)).at(port.index);
}

void bind_ports(py::class_<Port>& bound) {
    const auto any_name = [](const Port& self) { return self.info.any_name(); };
    const auto names = [](const Port& self) {
        return std::set<std::string>(self.info.names.begin(), self.info.names.end());
    };
    const auto partial_shape = [](const Port& self) { return self.info.shape; };
    const auto shape = [](const Port& self) { return PyShape{self.info.shape.to_shape()}; };
    const auto type = [](const Port& self) { return Type{self.info.element_type}; };
    const auto index = [](const Port& self) { return self.index; };
    bind_fact(bound, "any_name", any_name, "The first tensor name.");
    bind_fact(bound, "names", names, "All tensor names.");
    bind_fact(bound, "partial_shape", partial_shape, "The shape, whose extents may be open.");
    bind_fact(bound, "shape", shape, "The shape. Raises ModelError where extents are open.");
    bind_fact(bound, "element_type", type, "The element type.");
    bind_fact(bound, "index", index, "The place among the inputs or outputs.");
    bind_fact(bound, "node", &node_of, "The node Parameter or Result that it belongs to.");
    bind_fact(
        bound, "tensor", [](const py::object& self) { return self; },
        "Itself: it has the names, the type and the shape.");
    bound.def("__eq__", &same_port, py::is_operator());
    bound.def("__hash__", [](const Port& self) {
        return py::hash(py::make_tuple(reinterpret_cast<std::uintptr_t>(self.model),
                                       self.kind == PortKind::input, self.index));
    });
    bound.def("__repr__", [](const Port& self) { return text_of(self); });
}

py::ssize_t hash_of(const GraphNode& node) {
    return py::hash(py::int_(reinterpret_cast<std::uintptr_t>(node.node().get())));
}

std::string type_name_of(const GraphNode& node) { return ov::class_name_of(node.type()); }

std::string describe_node(const GraphNode& node) {
    return "<" + node.opset() + "." + type_name_of(node) + " '" + node.name() + "'>";
}

void set_names(NodePort& port, const std::set<std::string>& names) {
    port.output.set_names({names.begin(), names.end()});
    port.info.names = port.output.names();
    if (port.info.names.empty()) port.info.names.push_back(port.output.node().name());
}

void add_names(NodePort& port, std::set<std::string> names) {
    const auto old = port.output.names();
    names.insert(old.begin(), old.end());
    set_names(port, names);
}

std::vector<NodePort> outputs_of(const GraphNode& node) {
    std::vector<NodePort> outputs;
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        outputs.push_back(port_of(node.output(i)));
    }
    return outputs;
}

std::vector<NodePort> sources_of(const GraphNode& node) {
    std::vector<NodePort> sources;
    for (std::size_t i = 0; i < node.input_count(); ++i) sources.push_back(port_of(node.input(i)));
    return sources;
}

void bind_names(py::class_<GraphNode>& bound) {
    bind_fact(bound, "friendly_name", &GraphNode::name, &GraphNode::set_name, "The node's name.");
    bound.def("set_friendly_name", &GraphNode::set_name, py::arg("friendly_name"),
              "Renames the node.");
    bind_fact(bound, "name", &GraphNode::name, "The node's name.");
    bind_fact(
        bound, "type_name", &type_name_of,
        "The op, such as \"LSTMSequence\". Constant, PRelu, Relu and Softmax are Const, PReLU, "
        "ReLU and SoftMax in the IR.");
    bound.def_property_readonly("opset", &GraphNode::opset,
                                "The opset that the op is of, such as \"opset5\".");
}

void bind_node_ports(py::class_<GraphNode>& bound) {
    bound.def("get_input_size", &GraphNode::input_count, "The number of inputs.")
        .def("get_output_size", &GraphNode::output_count, "The number of outputs.");
    bound.def(
        "input_value",
        [](const GraphNode& self, std::size_t index) { return port_of(self.input(index)); },
        py::arg("index"), "The output that an input reads.");
    bound.def("input_values", &sources_of, "The outputs that all inputs read.");
    bound.def(
        "output",
        [](const GraphNode& self, std::size_t index) { return port_of(self.output(index)); },
        py::arg("index"), "One output. Raises ModelError where there is none of that number.");
    bound.def("outputs", &outputs_of, "All outputs.");
}

Type type_of(const GraphOutput& port) { return {port.element_type()}; }

PyShape shape_of(const GraphOutput& port) { return {port.shape().to_shape()}; }

// What OpenVINO asks a node of one of its inputs or outputs; `port` finds what it means.
template <typename FindPort>
void bind_types_of(py::class_<GraphNode>& bound, const std::string& kind, FindPort port) {
    const auto add = [&](const std::string& fact, auto get, const std::string& text) {
        bound.def(("get_" + kind + "_" + fact).c_str(),
                  [get, port](const GraphNode& self, std::size_t index) {
                      return get((self.*port)(index));
                  },
                  py::arg("index"), text.c_str());
    };
    const std::string whose = " of an " + kind;
    add("element_type", &type_of, "The element type" + whose + ".");
    add("partial_shape", std::mem_fn(&GraphOutput::shape),
        "The shape" + whose + ", whose extents may be open.");
    add("shape", &shape_of, "The shape" + whose + ". Raises ModelError where extents are open.");
}

void bind_node_types(py::class_<GraphNode>& bound) {
    bind_types_of(bound, "input", &GraphNode::input);
    bind_types_of(bound, "output", &GraphNode::output);
    bind_fact(
        bound, "element_type", [](const GraphNode& self) { return type_of(only_output(self)); },
        "The element type of the only output. Raises ModelError where there are several.");
    bind_fact(
        bound, "partial_shape", [](const GraphNode& self) { return only_output(self).shape(); },
        "The shape of the only output. Raises ModelError where there are several.");
    bind_fact(
        bound, "shape", [](const GraphNode& self) { return shape_of(only_output(self)); },
        "The shape of the only output. Raises ModelError where extents are open.");
}

void bind_node(py::class_<GraphNode>& bound) {
    bind_names(bound);
    bind_node_ports(bound);
    bind_node_types(bound);
    bound.def(
        "get_attributes",
        [](const GraphNode& self) {
            const AttributeTexts texts = self.attributes();
            return std::map<std::string, std::string>(texts.begin(), texts.end());
        },
        "The attributes as a dict of names and texts.");
    const auto data = [](const GraphNode& self) {
        const Tensor value = self.value();
        if (value) return copy_of(value);
        throw ModelError("node '" + self.name() + "' (" + type_name_of(self) +
                         ") is not a constant");
    };
    bind_fact(bound, "data", data, "A copy of the elements of a constant.");
    bound.def("_bodies", &node_bodies);
    bound.def(
        "__eq__", [](const GraphNode& a, const GraphNode& b) { return a == b; }, py::is_operator());
    bound.def("__hash__", &hash_of);
    bound.def("__repr__", [](const GraphNode& self) { return describe_node(self); });
}

void bind_output(py::class_<NodePort, Port>& bound) {
    const auto node = [](const NodePort& self) { return self.output.node(); };
    bind_fact(bound, "node", node, "The node that it belongs to.");
    bound.def("_own_names", [](const NodePort& self) { return self.output.names(); });
    bound.def("set_names", &set_names, py::arg("names"), "Gives it these tensor names alone.")
        .def("add_names", &add_names, py::arg("names"), "Gives it more tensor names.");
    bound.def(
        "__eq__", [](const NodePort& a, const NodePort& b) { return a.output == b.output; },
        py::is_operator());
    bound.def("__hash__", [](const NodePort& self) {
        return py::hash(py::make_tuple(hash_of(self.output.node()), self.output.index()));
    });
    bound.def("__repr__", [](const NodePort& self) { return text_of(self, "Output"); });
}

std::optional<BodyRange> range_from(const py::object& object) {
    if (object.is_none()) return std::nullopt;
    const auto values = py::cast<std::array<std::int64_t, 5>>(object);
    return BodyRange{values[0], values[1], values[2], values[3], values[4]};
}

// (model, [(input, parameter, range, back edge)], [(output, result, range)])
using BodyTuple = std::tuple<
    Model,
    std::vector<std::tuple<std::size_t, std::size_t, py::object, std::optional<std::size_t>>>,
    std::vector<std::tuple<std::size_t, std::size_t, py::object>>>;

BodyParts body_from(const BodyTuple& tuple) {
    BodyParts parts{std::get<0>(tuple)};
    for (const auto& [input, parameter, range, back_edge] : std::get<1>(tuple)) {
        parts.inputs.push_back({input, parameter, range_from(range), back_edge});
    }
    for (const auto& [output, result, range] : std::get<2>(tuple)) {
        parts.outputs.push_back({output, result, range_from(range)});
    }
    return parts;
}

void bind_making(py::module_& module) {
    module.def("_known_ops", [] {
        std::vector<std::tuple<std::string, std::string, AttributeTexts>> ops;
        for (const OpInfo& op : known_ops()) ops.emplace_back(op.type, op.opset, op.attributes);
        return ops;
    });
    module.def("_make_node",
               [](const std::string& type, const std::string& opset, const std::string& name,
                  const py::list& inputs, const AttributeTexts& attributes) {
                   return make_node({type, opset, name, outputs_from(inputs), attributes});
               });
    module.def("_move_readers", [](const NodePort& from, const NodePort& to) {
        move_readers(from.output, to.output);
    });
    module.def("_make_constant", [](const PyTensor& value, const std::string& name) {
        return make_constant(value.tensor, name);
    });
    // The node, changed if there is one already.
    module.def(
        "_make_body_node",
        [](const std::optional<GraphNode>& node, const std::string& type, const std::string& name,
           const py::list& inputs, const std::vector<BodyTuple>& bodies,
           const std::pair<std::optional<std::size_t>, std::optional<std::size_t>>& special) {
            BodyNodeParts parts{type, name,          outputs_from(inputs),
                                {},   special.first, special.second};
            for (const BodyTuple& body : bodies) parts.bodies.push_back(body_from(body));
            if (!node) return make_body_node(parts);
            change_body_node(*node, parts);
            return *node;
        });
}

}  // namespace

void bind_graph(py::module_& module) {
    // All before their members, whose texts in Python name them.
    py::class_<Port> port(module, "ConstOutput", "An input or output of a model.");
    py::class_<GraphNode> node(
        module, "Node", "One operation of a model. rondo.opset15 and its like make new ones.");
    py::class_<NodePort, Port> output(module, "Output",
                                      "An output of a node, or an input or output of a model.");
    bind_ports(port);
    bind_output(output);
    bind_node(node);
    bind_making(module);
}

}  // namespace rondo::python
