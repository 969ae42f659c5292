// Python's view of nodes and their outputs, and what rondo._ops makes graphs of.
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/convert/nodes.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "rondo/error.hpp"
#include "rondo/graph_builder.hpp"
#include "rondo/openvino/names.hpp"

namespace rondo::python {
namespace {

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
    bound.def("get_friendly_name", &GraphNode::name, "The node's name.")
        .def("set_friendly_name", &GraphNode::set_name, py::arg("friendly_name"),
             "Renames the node.")
        .def_property("friendly_name", &GraphNode::name, &GraphNode::set_name, "The node's name.");
    bound.def("get_name", &GraphNode::name, "The node's name.")
        .def_property_readonly("name", &GraphNode::name, "The node's name.");
    constexpr const char* kTypeText =
        "The op, such as \"LSTMSequence\". Constant, PRelu, Relu and Softmax are Const, PReLU, "
        "ReLU "
        "and SoftMax in the IR.";
    bound.def("get_type_name", &type_name_of, kTypeText)
        .def_property_readonly("type_name", &type_name_of, kTypeText);
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

// What OpenVINO asks a node of its inputs and outputs.
void bind_node_types(py::class_<GraphNode>& bound) {
    const auto input_type = [](const GraphNode& self, std::size_t index) {
        return Type{self.input(index).element_type()};
    };
    const auto input_shape = [](const GraphNode& self, std::size_t index) {
        return self.input(index).shape();
    };
    const auto output_type = [](const GraphNode& self, std::size_t index) {
        return Type{self.output(index).element_type()};
    };
    const auto output_shape = [](const GraphNode& self, std::size_t index) {
        return self.output(index).shape();
    };
    const py::arg index("index");
    bound.def("get_input_element_type", input_type, index, "The element type of an input.");
    bound.def("get_input_partial_shape", input_shape, index,
              "The shape of an input, whose extents may be open.");
    bound.def(
        "get_input_shape",
        [](const GraphNode& self, std::size_t i) {
            return PyShape{self.input(i).shape().to_shape()};
        },
        index, "The shape of an input. Raises ModelError where extents are open.");
    bound.def("get_output_element_type", output_type, index, "The element type of an output.");
    bound.def("get_output_partial_shape", output_shape, index,
              "The shape of an output, whose extents may be open.");
    bound.def(
        "get_output_shape",
        [](const GraphNode& self, std::size_t i) {
            return PyShape{self.output(i).shape().to_shape()};
        },
        index, "The shape of an output. Raises ModelError where extents are open.");
    bound.def(
        "get_element_type",
        [](const GraphNode& self) { return Type{output_from(py::cast(self)).element_type()}; },
        "The element type of the only output. Raises ModelError where there are several.");
    bound.def(
        "get_partial_shape",
        [](const GraphNode& self) { return output_from(py::cast(self)).shape(); },
        "The shape of the only output. Raises ModelError where there are several.");
    const auto shape = [](const GraphNode& self) {
        return PyShape{output_from(py::cast(self)).shape().to_shape()};
    };
    bound.def("get_shape", shape,
              "The shape of the only output. Raises ModelError where extents are open.");
    bound.def_property_readonly(
        "shape", shape, "The shape of the only output. Raises ModelError where extents are open.");
}

void bind_node(py::module_& module) {
    py::class_<GraphNode> bound(
        module, "Node", "One operation of a model. rondo.opset15 and its like make new ones.");
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
    bound.def("get_data", data, "A copy of the elements of a constant.")
        .def_property_readonly("data", data, "A copy of the elements of a constant.");
    bound.def("_bodies", &node_bodies);
    bound.def(
        "__eq__", [](const GraphNode& a, const GraphNode& b) { return a == b; }, py::is_operator());
    bound.def("__hash__", &hash_of);
    bound.def("__repr__", [](const GraphNode& self) { return describe_node(self); });
}

void bind_output(py::module_& module) {
    py::class_<NodePort, Port> bound(module, "Output",
                                     "An output of a node, or an input or output of a model.");
    const auto node = [](const NodePort& self) { return self.output.node(); };
    bound.def("get_node", node, "The node that it belongs to.")
        .def_property_readonly("node", node, "The node that it belongs to.");
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
    module.def("_make_constant", [](const PyTensor& value, const std::string& name) {
        return make_constant(value.tensor, name);
    });
    // The node, changed where there is one already.
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
    bind_output(module);
    bind_node(module);
    bind_making(module);
}

}  // namespace rondo::python
