// What a converter sees of an ONNX node: inputs, attributes, and the means to make nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/unique_names.hpp"
#include "frontend/onnx/context/body_graph.hpp"
#include "frontend/onnx/messages/attributes.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/tensor_reader.hpp"

namespace rondo::ops {
class Constant;
}

namespace rondo::onnx {

/// What a converter sees of a node. The caller adds the node's place to errors that it throws.
class NodeContext {
public:
    /// What all nodes of a graph share.
    struct Shared {
        UniqueNames& names;
        TensorReader& tensors;
        /// Reads a body with the node's graph around it. Empty where there are no bodies.
        ReadBody read_body = {};
        /// Whose nodes may read the outputs.
        const rondo_onnx::GraphProto* graph = nullptr;
        /// What the nodes that the converter makes stand for.
        NodeOriginPtr origin = {};
    };

    /// `inputs` has an empty Output where the node omits one. `name` is taken among the names.
    NodeContext(const rondo_onnx::NodeProto& node, std::string name, std::int64_t opset,
                std::vector<Output> inputs, Shared shared);

    const std::string& name() const { return name_; }
    /// The version of the node's domain that the model imports.
    std::int64_t opset() const { return opset_; }

    /// Without omitted inputs at the end.
    std::size_t input_count() const { return inputs_.size(); }
    bool has_input(std::size_t index) const;
    /// Throws ModelError where it is omitted: "input 1 is missing"; UnsupportedError where it is no
    /// tensor.
    Output input(std::size_t index);
    /// The same, but it may be a sequence or an optional value (context/sequence.hpp).
    Output any_input(std::size_t index);
    /// The tensors of an input that is a sequence; throws ModelError where it is none,
    /// UnsupportedError where their number isn't known.
    std::vector<Output> sequence(std::size_t index);
    /// Empty where it is omitted.
    Output optional_input(std::size_t index);
    /// All of them; throws where one is omitted or there are fewer than `min`.
    std::vector<Output> all_inputs(std::size_t min);

    std::size_t output_count() const;
    /// Whether the model gives the output a name.
    bool has_output(std::size_t index) const;
    /// Where the output is a sequence: the axis along which all of its readers join its tensors.
    std::optional<std::int64_t> joined_axis(std::size_t index) const;

    /// Whether the right side of a product is transposed, where the output is that of one MatMul or
    /// Gemm, which alone reads it, and has a left side that is not. Looks at all nodes.
    std::optional<bool> transposed_right_side(std::size_t index) const;

    Attributes& attributes() { return attributes_; }
    Tensor read_tensor(const rondo_onnx::TensorProto& tensor);
    /// As a dense one.
    Tensor read_tensor(const rondo_onnx::SparseTensorProto& tensor);
    /// Reads the graph that an attribute holds. Where `accept` changes the request it returns
    /// false, and the graph is read again, as it is where a list that goes round needs another
    /// form. Throws ModelError where the attribute is missing.
    BodyGraph read_body(
        const std::string& attribute, BodyRequest request = {},
        const std::function<bool(const BodyGraph& body, BodyRequest& request)>& accept = {});

    /// Makes an op named "<node's name>/<role>", or with the node's own name where role is empty:
    /// each converter names its main op so. Throws what the op's inference throws.
    template <typename T, typename... Args>
    std::shared_ptr<T> make(std::string_view role, Args&&... args) {
        return finish(new_node<T>(std::forward<Args>(args)...), role);
    }
    /// Names and validates a node that the converter made itself. Throws ModelError for a constant
    /// that is larger than constants may be.
    template <typename T>
    std::shared_ptr<T> finish(std::shared_ptr<T> node, std::string_view role) {
        finish_node(*node, role);
        if constexpr (std::is_same_v<T, ops::Constant>) count(*node);
        return node;
    }

    /// Throws ModelError unless the tensor's shape can be `expected`; `what` names it: "W".
    static void check_shape(const Output& value, const PartialShape& expected,
                            std::string_view what);
    /// Throws UnsupportedError where the element type isn't known.
    static ElementType known_type(const Output& value, std::string_view what);
    /// The elements of an integer tensor that never changes, or nothing.
    static std::optional<std::vector<std::int64_t>> known_ints(const Output& value);

    /// Throws unless every input and attribute that is there was read: nothing is dropped silently.
    void check_all_read() const;

private:
    std::string unique_name(std::string_view role);
    void finish_node(Node& node, std::string_view role);
    void adopt_ports(Node& node, std::string_view role);
    void count(const ops::Constant& constant);

    const rondo_onnx::NodeProto& node_;
    std::string name_;
    bool own_name_used_ = false;
    std::int64_t opset_;
    std::vector<Output> inputs_;
    std::vector<bool> read_;
    Shared shared_;
    Attributes attributes_;
};

}  // namespace rondo::onnx
