// Nodes and ports of a model under OpenVINO's names, for rondo/openvino.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rondo/model.hpp"
#include "rondo/nearest_name.hpp"
#include "rondo/openvino/any.hpp"
#include "rondo/openvino/names.hpp"
#include "rondo/openvino/shape.hpp"

namespace rondo::ov {

class Node;

enum class PortKind { input, output, node_output };

/// What all copies of a port share.
struct PortData {
    PortData(const PortInfo& info, PortKind port_kind, std::size_t index)
        : names(info.names.begin(), info.names.end()),
          any_name(info.any_name()),
          element_type(info.element_type),
          partial_shape(PartialShape::from(info.shape)),
          kind(port_kind),
          place(index) {
        if (info.shape.is_static()) shape = info.shape.to_shape();
    }

    std::unordered_set<std::string> names;
    std::string any_name;
    element::Type element_type;
    PartialShape partial_shape;
    Shape shape;  ///< if it is static
    PortKind kind;
    std::size_t place;  ///< among the inputs or outputs of a model, or the outputs of a node
    const void* owner = nullptr;
    std::function<std::shared_ptr<Node>()> find_node = {};
};

/// An input or output of a model, or an output of a node. N is Node or const Node.
template <typename N>
class Output {
public:
    Output() = default;
    explicit Output(std::shared_ptr<const PortData> data) : data_((std::move)(data)) {}
    /// A port of a node that may be changed is one that may not.
    template <typename M, std::enable_if_t<std::is_same_v<const M, N>, int> = 0>
    Output(const Output<M>& other) : data_(other.data_) {}  // NOLINT: implicit on purpose

    std::string get_any_name() const { return data().any_name; }
    const std::unordered_set<std::string>& get_names() const { return data().names; }
    element::Type get_element_type() const { return data().element_type; }
    const PartialShape& get_partial_shape() const { return data().partial_shape; }
    /// Throws ov::Exception if the shape is open.
    const Shape& get_shape() const {
        if (data().partial_shape.is_dynamic()) {
            throw ModelError("the shape of '" + data().any_name +
                             "' is open: " + data().partial_shape.to_string());
        }
        return data().shape;
    }
    /// Among the outputs of its node.
    std::size_t get_index() const {
        return data().kind == PortKind::node_output ? data().place : 0;
    }
    std::shared_ptr<N> get_node_shared_ptr() const { return data().find_node(); }
    /// For Rondo's own code.
    const PortData& data() const {
        if (data_ == nullptr) throw ModelError("the port is empty");
        return *data_;
    }

    friend bool operator==(const Output& a, const Output& b) { return a.key() == b.key(); }
    friend bool operator!=(const Output& a, const Output& b) { return !(a == b); }
    friend bool operator<(const Output& a, const Output& b) { return a.key() < b.key(); }
    friend std::ostream& operator<<(std::ostream& stream, const Output& port) {
        return stream << port.get_any_name() << port.get_partial_shape();
    }

private:
    template <typename M>
    friend class Output;
    std::tuple<const void*, PortKind, std::size_t> key() const {
        if (data_ == nullptr) return {nullptr, PortKind::input, 0};
        return {data_->owner, data_->kind, data_->place};
    }

    std::shared_ptr<const PortData> data_;
};

/// One operation, as it was when the model was asked for it.
class Node : public std::enable_shared_from_this<Node> {
public:
    explicit Node(NodeInfo info)
        : info_((std::move)(info)), type_name_(class_name_of(info_.type)) {}

    const std::string& get_friendly_name() const { return info_.name; }
    const std::string& get_name() const { return info_.name; }
    /// The name of OpenVINO's class, such as Relu, which the IR calls ReLU.
    const char* get_type_name() const { return type_name_.c_str(); }
    std::size_t get_input_size() const { return info_.inputs.size(); }
    std::size_t get_output_size() const { return info_.outputs.size(); }
    /// These two describe output 0.
    element::Type get_element_type() const { return output(0).get_element_type(); }
    Shape get_shape() const { return output(0).get_shape(); }
    element::Type get_output_element_type(std::size_t index) const {
        return output(index).get_element_type();
    }
    Shape get_output_shape(std::size_t index) const { return output(index).get_shape(); }
    PartialShape get_output_partial_shape(std::size_t index) const {
        return output(index).get_partial_shape();
    }
    const AnyMap get_rt_info() const { return AnyMap(info_.facts.begin(), info_.facts.end()); }
    /// Throws ov::Exception past the last output.
    Output<const Node> output(std::size_t index) const {
        if (index >= info_.outputs.size()) {
            throw ModelError("node '" + info_.name + "' (" + info_.type + ") has " +
                             std::to_string(info_.outputs.size()) + " outputs; got the index " +
                             std::to_string(index));
        }
        auto data = std::make_shared<PortData>(info_.outputs[index], PortKind::node_output, index);
        data->owner = this;
        data->find_node = [self = std::const_pointer_cast<Node>(shared_from_this())] {
            return self;
        };
        return Output<const Node>((std::move)(data));
    }

private:
    NodeInfo info_;
    std::string type_name_;
};

using NodeVector = std::vector<std::shared_ptr<Node>>;

/// The nodes of that type; all if it is empty.
inline NodeVector nodes_of(const rondo::Model& model, const std::string& type = "") {
    NodeVector nodes;
    for (NodeInfo& info : model.nodes()) {
        if (type.empty() || info.type == type) nodes.push_back(std::make_shared<Node>(info));
    }
    return nodes;
}

/// The ports of a model, whose nodes `model` gives.
template <typename N>
std::vector<Output<N>> ports_of(const std::vector<PortInfo>& infos, PortKind kind,
                                const void* owner, const std::function<rondo::Model()>& model) {
    std::vector<Output<N>> ports;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        auto data = std::make_shared<PortData>(infos[i], kind, i);
        data->owner = owner;
        data->find_node = [model, kind, i] {
            return nodes_of(model(), kind == PortKind::input ? "Parameter" : "Result").at(i);
        };
        ports.emplace_back((std::move)(data));
    }
    return ports;
}

/// The place of the port of that name. Throws ov::Exception that lists the names there are.
template <typename N>
std::size_t find_port(const std::vector<Output<N>>& ports, const std::string& name,
                      const char* kind) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        if (ports[i].get_names().count(name) != 0) return i;
        known.push_back(ports[i].get_any_name());
    }
    throw ModelError(std::string("no ") + kind + " '" + name + "'; " + known_names(name, known));
}

/// The place `index`, or of the only port. Throws ov::Exception if there is none.
template <typename N>
const Output<N>& port_at(const std::vector<Output<N>>& ports, std::size_t index, const char* kind) {
    if (index < ports.size()) return ports[index];
    throw ModelError(std::string(kind) + " " + std::to_string(index) +
                     " doesn't exist; the model has " + std::to_string(ports.size()));
}
template <typename N>
const Output<N>& only_port(const std::vector<Output<N>>& ports, const char* kind) {
    if (ports.size() == 1) return ports.front();
    throw ModelError("the model has " + std::to_string(ports.size()) + " " + kind +
                     "s; say which one by its name or index");
}

}  // namespace rondo::ov
