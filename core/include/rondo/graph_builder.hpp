// Graphs that a program makes itself: nodes by the names and attributes of the IR, and models of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rondo/element_type.hpp"
#include "rondo/export.hpp"
#include "rondo/model.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

class Node;
class GraphOutput;

/// Names and values, as the IR writes them: {"transpose_b", "true"}.
using AttributeTexts = std::vector<std::pair<std::string, std::string>>;

/// A handle to one operation; copies share it. It keeps what it reads alive.
class RONDO_API GraphNode {
public:
    GraphNode() = default;
    explicit GraphNode(std::shared_ptr<Node> node);

    explicit operator bool() const { return node_ != nullptr; }
    friend bool operator==(const GraphNode& a, const GraphNode& b) { return a.node_ == b.node_; }

    const std::string& name() const;
    void set_name(const std::string& name);
    /// Such as "LSTMSequence".
    std::string type() const;
    /// The first opset that has the op in this form, such as "opset5".
    std::string opset() const;
    AttributeTexts attributes() const;
    /// The elements of a Const, or an empty handle.
    Tensor value() const;

    std::size_t input_count() const;
    /// What an input reads. Throws ModelError if there is none of that number.
    GraphOutput input(std::size_t index) const;
    std::size_t output_count() const;
    /// Throws ModelError if there is none of that number.
    GraphOutput output(std::size_t index) const;

    /// For Rondo's own code.
    const std::shared_ptr<Node>& node() const { return node_; }

private:
    std::shared_ptr<Node> node_;
};

/// An output of a node.
class RONDO_API GraphOutput {
public:
    GraphOutput() = default;
    GraphOutput(GraphNode node, std::size_t index) : node_((std::move)(node)), index_(index) {}

    friend bool operator==(const GraphOutput& a, const GraphOutput& b) {
        return a.node_ == b.node_ && a.index_ == b.index_;
    }

    const GraphNode& node() const { return node_; }
    std::size_t(index)() const { return index_; }
    ElementType element_type() const;
    PartialShape shape() const;
    /// Tensor names, sorted: those of the model's inputs and outputs.
    std::vector<std::string> names() const;
    void set_names(const std::vector<std::string>& names);

private:
    GraphNode node_;
    std::size_t index_ = 0;
};

/// An op that make_node() knows.
struct OpInfo {
    std::string type;
    std::string opset;          ///< the first that has it in this form
    AttributeTexts attributes;  ///< their defaults; empty for ops that are composed of others
};

/// All ops that an IR may hold, sorted by type.
RONDO_API std::vector<OpInfo> known_ops();

/// What a node is made of.
struct NodeParts {
    std::string type;   ///< any case
    std::string opset;  ///< "opset13": the newest form up to this one; or "rondo1"
    std::string name;
    std::vector<GraphOutput> inputs = {};
    AttributeTexts attributes = {};  ///< those that aren't there have the op's defaults
};

/// Makes a node, checks it and infers its outputs' types and shapes. An op that OpenVINO has and
/// Rondo composes of others gives the last one of these. Throws ModelError and UnsupportedError
/// naming the node: for unknown ops and attributes, and for inputs that don't fit.
RONDO_API GraphNode make_node(const NodeParts& parts);
/// Makes a Const, which shares the tensor's memory.
RONDO_API GraphNode make_constant(const Tensor& value, const std::string& name);

/// A tensor cut along an axis, a part an iteration; negative numbers count from the end.
struct BodyRange {
    std::int64_t axis = 0;
    std::int64_t start = 0;
    std::int64_t stride = 1;
    std::int64_t part_size = 1;
    std::int64_t end = -1;
};

/// How a body's ports belong to those of its op; all are numbers of ports.
struct BodyParts {
    struct Input {
        std::size_t input;      ///< of the op
        std::size_t parameter;  ///< of the body
        std::optional<BodyRange> slice = {};
        std::optional<std::size_t> back_edge = {};  ///< a result that is the next value
    };
    struct Output {
        std::size_t output;  ///< of the op
        std::size_t result;  ///< of the body
        std::optional<BodyRange> concat = {};
    };
    Model body;
    std::vector<Input> inputs = {};
    std::vector<Output> outputs = {};
};

/// What an If, Loop or TensorIterator is made of.
struct BodyNodeParts {
    std::string type;
    std::string name;
    std::vector<GraphOutput> inputs = {};
    std::vector<BodyParts> bodies = {};         ///< then and else of an If, else one
    std::optional<std::size_t> iteration = {};  ///< a Loop's parameter that counts
    std::optional<std::size_t> condition = {};  ///< a Loop's result that says whether to go on
};

/// Makes an op with bodies, of which it takes copies. Throws as make_node().
RONDO_API GraphNode make_body_node(const BodyNodeParts& parts);
/// Makes such a node what the parts say, so that it can get outputs one by one. After an error its
/// parts are unspecified.
RONDO_API void change_body_node(const GraphNode& node, const BodyNodeParts& parts);

/// Copies of the bodies that an If, Loop or TensorIterator runs, which share their weights; none
/// for other ops.
RONDO_API std::vector<Model> node_bodies(const GraphNode& node);

/// What a model is made of.
struct ModelParts {
    std::string name;
    std::vector<GraphNode> parameters;
    std::vector<GraphOutput> results;
    std::vector<GraphNode> sinks = {};  ///< Assign
};

/// Makes a model of these nodes, which it shares; a result that is no Result gets one, and a name
/// that several nodes have gets numbers. Throws ModelError naming a Parameter that is needed and
/// isn't listed, and what variables lack.
RONDO_API Model make_model(const ModelParts& parts);

/// The nodes of a model, each after its inputs.
RONDO_API std::vector<GraphNode> graph_nodes(const Model& model);
/// Its Parameters and Results, in the order of its inputs and outputs.
RONDO_API std::vector<GraphNode> parameter_nodes(const Model& model);
RONDO_API std::vector<GraphNode> result_nodes(const Model& model);
/// Its Assigns.
RONDO_API std::vector<GraphNode> sink_nodes(const Model& model);

/// Lets all that reads `from` read `to`, which has the same type and shape and doesn't need `from`.
/// Both keep their tensor names.
RONDO_API void move_readers(const GraphOutput& from, const GraphOutput& to);

}  // namespace rondo
