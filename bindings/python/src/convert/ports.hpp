// A model's inputs or outputs, and how Python code names one: by index, by name, or by the port;
// the outputs of nodes, which are ports too; and what an inference gave for them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "rondo/graph_builder.hpp"
#include "rondo/model.hpp"

namespace rondo::python {

namespace py = pybind11;

struct SharedModel;

enum class PortKind { input, output };

using rondo::to_string;  // else the next line hides those of types and shapes
/// "input" or "output".
const char* to_string(PortKind kind);

/// One input or output as a Python object: rondo.ConstOutput.
struct Port {
    PortInfo info;
    PortKind kind = PortKind::input;
    std::size_t index = 0;
    const void* model = nullptr;  ///< distinguishes the ports of one model from those of another
    std::weak_ptr<const SharedModel> program = {};  ///< whose port it is, if it knows
};

/// "<ConstOutput: names[x] shape[1,2] type: f32>", as OpenVINO writes it.
std::string text_of(const Port& port, const char* class_name = "ConstOutput");

/// All inputs or all outputs of one model.
class PortList {
public:
    /// `constants`: the model's constant_inputs(), which messages on inputs speak of.
    PortList(std::vector<PortInfo> infos, PortKind kind, const void* model,
             std::vector<std::string> constants = {});

    std::size_t size() const { return ports_.size(); }
    const Port& operator[](std::size_t index) const { return ports_[index]; }
    PortKind kind() const { return kind_; }

    /// Finds what `key` says: an int, a name or a Port, also one of another model that has the same
    /// name. Throws ModelError for what isn't there, listing what is; TypeError for other keys.
    std::size_t index_of(py::handle key) const;
    bool has(const std::string& name) const;
    /// All names of all ports, for messages.
    std::vector<std::string> names() const;
    const std::vector<std::string>& constants() const { return constants_; }
    /// The only port; throws ModelError if there are several.
    const Port& only() const;
    /// Copies of all; with `program` they know whose they are.
    std::vector<Port> to_list(const std::shared_ptr<const SharedModel>& program = nullptr) const;

private:
    std::size_t index_of(const std::string& name) const;
    std::size_t index_of(const Port& port) const;

    std::vector<Port> ports_;
    PortKind kind_;
    std::vector<std::string> constants_;
};

/// The inputs and outputs, a line each, for messages about a model.
std::string text_of(const PortList& inputs, const PortList& outputs);

/// An output of a node as a Python object: rondo.Output. Types, shapes and names are those that it
/// had when the object was made.
struct NodePort : Port {
    GraphOutput output;
};

/// The port of a node's output.
NodePort port_of(const GraphOutput& output);

/// The output that a Node with one output or an Output is. Throws ModelError for a node with
/// several, and TypeError for anything else.
GraphOutput output_from(py::handle object);
GraphOutput only_output(const GraphNode& node);
/// The same of each element; of the object itself if it is no list or tuple.
std::vector<GraphOutput> outputs_from(py::handle object);

/// A read-only mapping from outputs to arrays, in the outputs' order: rondo.OVDict.
struct Results {
    std::shared_ptr<const PortList> ports;
    py::tuple values;
};

/// Adds `inputs`, `input()`, `outputs` and `output()` to a class; `list(self, kind)` is its
/// PortList, and `wrap(self, port)` what Python sees of a port.
template <typename Class, typename List, typename Wrap>
void bind_port_lists(Class& bound, List list, Wrap wrap) {
    using Self = typename Class::type;
    const auto add = [&](PortKind kind, const char* one, const char* all) {
        bound.def_property_readonly(
            all,
            [list, wrap, kind](const Self& self) {
                const auto& ports = list(self, kind);
                std::vector<decltype(wrap(self, ports[0]))> wrapped;
                for (std::size_t i = 0; i < ports.size(); ++i) {
                    wrapped.push_back(wrap(self, ports[i]));
                }
                return wrapped;
            },
            "All of them, by position.");
        bound.def(
            one,
            [list, wrap, kind](const Self& self) { return wrap(self, list(self, kind).only()); },
            "The only one. Raises ModelError where there are several.");
        bound.def(
            one,
            [list, wrap, kind](const Self& self, const py::object& key) {
                const auto& ports = list(self, kind);
                return wrap(self, ports[ports.index_of(key)]);
            },
            py::arg("key"), "The one of that name or index. Raises ModelError listing all.");
    };
    add(PortKind::input, "input", "inputs");
    add(PortKind::output, "output", "outputs");
}

}  // namespace rondo::python
