#include "bindings/python/src/convert/nodes.hpp"

#include "rondo/error.hpp"

namespace rondo::python {

NodePort port_of(const GraphOutput& output) {
    PortInfo info{output.names(), output.element_type(), output.shape()};
    if (info.names.empty()) info.names.push_back(output.node().name());
    const bool is_input = output.node().type() == "Parameter";
    const PortKind kind = is_input ? PortKind::input : PortKind::output;
    return {{std::move(info), kind, output.index(), nullptr}, output};
}

GraphOutput output_from(py::handle object) {
    if (py::isinstance<NodePort>(object)) return py::cast<const NodePort&>(object).output;
    if (!py::isinstance<GraphNode>(object)) {
        throw py::type_error("expected a Node or an Output, got " +
                             py::cast<std::string>(py::repr(object)));
    }
    const auto& node = py::cast<const GraphNode&>(object);
    if (node.output_count() == 1) return node.output(0);
    throw ModelError("node '" + node.name() + "' (" + node.type() + ") has " +
                     std::to_string(node.output_count()) + " outputs; name one by output(index)");
}

std::vector<GraphOutput> outputs_from(py::handle object) {
    if (!py::isinstance<py::list>(object) && !py::isinstance<py::tuple>(object)) {
        return {output_from(object)};
    }
    std::vector<GraphOutput> outputs;
    for (const py::handle one : object) outputs.push_back(output_from(one));
    return outputs;
}

}  // namespace rondo::python
