#include "bindings/python/src/convert/ports.hpp"

#include <algorithm>

#include "bindings/python/src/convert/arguments.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::python {
namespace {

bool has_name(const PortInfo& info, const std::string& name) {
    return std::find(info.names.begin(), info.names.end(), name) != info.names.end();
}

std::string lines_of(const PortList& ports) {
    std::string text = std::string("\n") + to_string(ports.kind()) + "s[";
    for (std::size_t i = 0; i < ports.size(); ++i) {
        text += (i == 0 ? "\n" : ",\n") + text_of(ports[i]);
    }
    return text + "\n]";
}

}  // namespace

std::string text_of(const Port& port, const char* class_name) {
    std::string names;
    for (const auto& name : port.info.names) names += (names.empty() ? "" : ", ") + name;
    return std::string("<") + class_name + ": names[" + names + "] shape" +
           to_string(port.info.shape) + " type: " + std::string(to_string(port.info.element_type)) +
           ">";
}

std::string text_of(const PortList& inputs, const PortList& outputs) {
    return lines_of(inputs) + lines_of(outputs);
}

const char* to_string(PortKind kind) { return kind == PortKind::input ? "input" : "output"; }

PortList::PortList(std::vector<PortInfo> infos, PortKind kind, const void* model,
                   std::vector<std::string> constants)
    : kind_(kind), constants_(std::move(constants)) {
    for (std::size_t i = 0; i < infos.size(); ++i) {
        ports_.push_back({std::move(infos[i]), kind, i, model});
    }
}

std::size_t PortList::index_of(py::handle key) const {
    if (py::isinstance<py::str>(key)) {
        return index_of(utf8_from(key, std::string("the name of an ") + to_string(kind_)));
    }
    if (py::isinstance<Port>(key)) return index_of(py::cast<const Port&>(key));
    if (!PyIndex_Check(key.ptr())) {
        throw py::type_error(std::string("an ") + to_string(kind_) +
                             " is named by an index, a name or a port, not by " + repr_of(key));
    }
    const py::ssize_t index = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
    if (index == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (index >= 0 && static_cast<std::size_t>(index) < size()) {
        return static_cast<std::size_t>(index);
    }
    throw ModelError(std::string("the model has no ") + to_string(kind_) + " " +
                     std::to_string(index) + "; there are " + std::to_string(size()));
}

bool PortList::has(const std::string& name) const {
    return std::any_of(ports_.begin(), ports_.end(),
                       [&](const Port& port) { return has_name(port.info, name); });
}

std::vector<std::string> PortList::names() const {
    std::vector<std::string> names;
    for (const Port& port : ports_) {
        names.insert(names.end(), port.info.names.begin(), port.info.names.end());
    }
    return names;
}

std::size_t PortList::index_of(const std::string& name) const {
    for (const Port& port : ports_) {
        if (has_name(port.info, name)) return port.index;
    }
    throw ModelError(std::string("the model has no ") + to_string(kind_) + " '" + name + "'; " +
                     known_inputs(name, names(), constants_));
}

std::size_t PortList::index_of(const Port& port) const {
    if (port.kind != kind_) {
        throw ModelError(std::string(to_string(port.kind)) + " '" + port.info.any_name() +
                         "' is not an " + to_string(kind_));
    }
    const bool own = !ports_.empty() && port.model == ports_.front().model;
    return own ? port.index : index_of(port.info.any_name());
}

const Port& PortList::only() const {
    if (size() == 1) return ports_.front();
    throw ModelError("the model has " + std::to_string(size()) + " " + to_string(kind_) +
                     "s; name the one you mean, or give its index");
}

std::vector<Port> PortList::to_list(const std::shared_ptr<const SharedModel>& program) const {
    std::vector<Port> list = ports_;
    for (Port& port : list) port.program = program;
    return list;
}

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
        throw py::type_error("expected a Node or an Output, got " + repr_of(object));
    }
    return only_output(py::cast<const GraphNode&>(object));
}

GraphOutput only_output(const GraphNode& node) {
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
