// The graph's parts: nodes, and the ports that join them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/attribute_visitor.hpp"
#include "core/graph/node_origin.hpp"
#include "core/graph/op_traits.hpp"
#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

class Graph;
class InferContext;
class Node;
using NodePtr = std::shared_ptr<Node>;
using GraphPtr = std::shared_ptr<Graph>;

/// An input port of a node, found from its producer.
struct Consumer {
    Node* node;
    std::size_t input;
    friend bool operator==(const Consumer&, const Consumer&) = default;
};
/// A list, so that one of many consumers leaves in constant time and the order of the others stays.
using Consumers = std::list<Consumer>;

/// An output port: keeps its node alive.
class Output {
public:
    Output() = default;
    Output(NodePtr node, std::size_t index) : node_(std::move(node)), index_(index) {}
    /// The first output of a node.
    template <typename T, typename = std::enable_if_t<std::is_convertible_v<T*, Node*>>>
    Output(const std::shared_ptr<T>& node) : node_(node) {}  // NOLINT: implicit on purpose

    explicit operator bool() const { return node_ != nullptr; }
    Node& node() const { return *node_; }
    const NodePtr& node_ptr() const { return node_; }
    std::size_t index() const { return index_; }

    ElementType element_type() const;
    const PartialShape& shape() const;
    /// Tensor names, by which users find inputs and outputs.
    const std::set<std::string>& names() const;
    void add_names(const std::set<std::string>& names) const;
    void set_names(std::set<std::string> names) const;
    /// Ports that read this one, in the order in which they were joined.
    const Consumers& consumers() const;

    /// Makes all consumers read `other` instead and moves the tensor names to it.
    /// Infers nothing: call Graph::validate() after a pass.
    void replace_with(const Output& other) const;

    friend bool operator==(const Output& a, const Output& b) {
        return a.node_ == b.node_ && a.index_ == b.index_;
    }

private:
    friend class Node;
    NodePtr node_;
    std::size_t index_ = 0;
};

/// One operation. Inputs are kept alive by it; consumers are known but not owned.
class Node : public std::enable_shared_from_this<Node> {
public:
    Node() = default;
    explicit Node(std::vector<Output> inputs);
    /// Copies name, origin, attributes and run-time information; no inputs, outputs or consumers.
    Node(const Node& other);
    Node& operator=(const Node&) = delete;
    virtual ~Node();

    virtual const OpType& op_type() const = 0;
    std::string_view type_name() const { return op_type().name; }
    /// Lists the op's attributes in the IR's order. An op with attributes hides this function by
    /// its own, which calls `visitor.on(name, self.member)` for each. `self` is the op, const for a
    /// writer.
    static void visit_attributes(auto& /*self*/, auto& /*visitor*/) {}
    virtual void read_attributes(AttributeReader& reader) = 0;
    virtual void write_attributes(AttributeWriter& writer) const = 0;
    /// Checks inputs and attributes and finds every output's type and shape. Pure.
    virtual void infer(InferContext& context) const = 0;
    /// infer(), if no input has a type that the op can't compute on; else UnsupportedError.
    void check_and_infer(InferContext& context) const;
    /// The same op on other inputs, validated.
    virtual NodePtr clone_with(std::vector<Output> inputs) const = 0;

    /// How the op treats elements and axes, for passes and plans.
    virtual OpTraits traits() const { return {}; }
    /// How the rows along this axis of this output depend on the inputs' rows; empty if they
    /// depend on each other or that isn't known. The ranks of all inputs must be known. An
    /// elementwise op's axes are all independent.
    virtual std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                            std::size_t axis) const;
    /// What the extent of this axis of this output equals in every run: extents of inputs, or
    /// elements of inputs that hold extents. Empty if the op computes it, if it follows from
    /// several inputs that are broadcast, and if that isn't known.
    virtual std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const;
    /// Whether the ranks of all inputs and outputs are known.
    bool has_ranks() const;
    /// The attribute that names an axis of input 0, as it is written; null if there is none. See
    /// OpTraits::axes_input.
    virtual const std::int64_t* axis_attribute() const { return nullptr; }
    std::int64_t* axis_attribute() {
        return const_cast<std::int64_t*>(std::as_const(*this).axis_attribute());
    }
    /// The elements of an output that never change, or an empty handle: a constant's.
    virtual Tensor known_value(std::size_t /*output*/) const { return {}; }

    /// What known_extents() (core/graph/inference.hpp) gives for an output that is no known
    /// value.
    virtual std::vector<Dimension> known_extents(std::size_t /*output*/, int /*steps*/) const {
        return {};
    }

    /// The graphs that this op runs: the branches of an If, the body of a Loop. They belong to this
    /// node alone, and a copy of the node holds copies of them.
    virtual std::span<const GraphPtr> bodies() const { return {}; }
    /// How the ports of this op and those of a body belong together, as text on one line.
    virtual std::string body_text(std::size_t /*body*/) const { return {}; }

    const std::string& name() const { return name_; }
    void set_name(std::string name);

    /// What of the user's file the node was made from; null if that isn't known.
    const NodeOriginPtr& origin() const { return origin_; }
    void set_origin(NodeOriginPtr origin) { origin_ = std::move(origin); }

    std::size_t input_count() const { return inputs_.size(); }
    const Output& input(std::size_t index) const;
    const std::vector<Output>& inputs() const { return inputs_; }
    void set_input(std::size_t index, Output source);
    void set_inputs(std::vector<Output> sources);

    std::size_t output_count() const { return outputs_.size(); }
    Output output(std::size_t index);
    ElementType output_type(std::size_t index) const { return outputs_[index].type; }
    const PartialShape& output_shape(std::size_t index) const { return outputs_[index].shape; }
    const Consumers& consumers(std::size_t output) const;
    /// True if any output has a consumer. Takes the same time however many outputs there are.
    bool has_consumers() const { return consumer_count_ != 0; }

    /// Runs infer() on the inputs' current types, shapes and constant values, and keeps what it
    /// finds. Throws ModelError naming the node.
    void validate();

    /// Extra facts that survive a round trip through the IR (`<rt_info>`).
    std::map<std::string, std::string>& rt_info() { return rt_info_; }
    const std::map<std::string, std::string>& rt_info() const { return rt_info_; }

protected:
    /// Called after infer() by validate(): an op that has bodies gives their parameters the types
    /// and shapes that follow from the op's inputs, and validates the bodies.
    virtual void validate_bodies(const InferContext&) {}

private:
    friend class Output;
    /// Moved but never copied: inputs hold iterators into `consumers`.
    struct OutputState {
        OutputState() = default;
        OutputState(OutputState&&) = default;
        OutputState(const OutputState&) = delete;

        ElementType type = ElementType::dynamic;
        PartialShape shape;
        std::set<std::string> names;
        Consumers consumers;
    };
    Consumers::iterator join(std::size_t input, const Output& source);
    void leave(std::size_t input);
    void leave_all();
    static void release(NodePtr node);

    std::string name_;
    NodeOriginPtr origin_;
    std::vector<Output> inputs_;
    std::vector<Consumers::iterator> places_;  ///< where each input's producer lists it
    std::vector<OutputState> outputs_;
    std::size_t consumer_count_ = 0;  ///< of all outputs together
    std::map<std::string, std::string> rt_info_;
};

/// Gives an op class its clone_with() and the walks over its attributes. `Base` is what a family of
/// ops has in common. core/graph/clonable.hpp defines them; the file that lists a folder's ops
/// instantiates them, so that they are compiled once.
template <typename Derived, typename Base = Node>
class Clonable : public Base {
public:
    using Base::Base;
    NodePtr clone_with(std::vector<Output> inputs) const override;
    void read_attributes(AttributeReader& reader) override;
    void write_attributes(AttributeWriter& writer) const override;
};

/// Base of an op with a class of its own: `class MatMul final : public Op<MatMul>` with a
/// `static constexpr OpType kType`. A class whose ops are rows of a table derives from Clonable.
template <typename Derived, typename Base = Node>
class Op : public Clonable<Derived, Base> {
public:
    using Clonable<Derived, Base>::Clonable;
    const OpType& op_type() const override { return Derived::kType; }
};

/// The node, shared. One function does so for all classes: std::make_shared() would be compiled
/// once for each in every file that makes nodes.
NodePtr shared_node(std::unique_ptr<Node> node);

/// Makes a node that isn't validated yet.
template <typename T, typename... Args>
std::shared_ptr<T> new_node(Args&&... args) {
    std::unique_ptr<Node> node(new T(std::forward<Args>(args)...));
    return std::static_pointer_cast<T>(shared_node(std::move(node)));
}

/// Makes a node and validates it: the one way in which graph code makes nodes.
template <typename T, typename... Args>
std::shared_ptr<T> make_node(Args&&... args) {
    auto node = new_node<T>(std::forward<Args>(args)...);
    node->validate();
    return node;
}

/// The node as a T, or null.
template <typename T>
std::shared_ptr<T> as(const NodePtr& node) {
    return std::dynamic_pointer_cast<T>(node);
}
template <typename T>
std::shared_ptr<T> as(const Output& output) {
    return std::dynamic_pointer_cast<T>(output.node_ptr());
}

template <typename T>
const T* as_op(const Node& node) {
    return dynamic_cast<const T*>(&node);
}
/// The elements of a value that never changes, or an empty handle.
inline Tensor known_value(const Output& value) { return value.node().known_value(value.index()); }

/// "node 'name' (Type)", the way errors name a node, with its origin before it.
std::string describe(const Node& node);

/// The node's origin, for a node that is made from it: never NodeOrigin::itself(), and null if
/// it isn't known.
NodeOriginPtr origin_to_share(const Node& node);

}  // namespace rondo
