// What a converter sees of an ONNX node: inputs, attributes, and the means to make nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ops/builder.hpp"
#include "core/support/unique_names.hpp"
#include "frontend/onnx/context/body_graph.hpp"
#include "frontend/onnx/messages/attributes.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/tensor_reader.hpp"

namespace rondo::ops {
class Constant;
}

namespace rondo::onnx {

/// What a converter sees of a node, and the builder of what the node becomes: ops are named one
/// after another, "<node's name>/part_7". The caller adds the node's place to errors that it
/// throws.
class NodeContext : public ops::Builder {
public:
    /// What all nodes of a graph share.
    struct Shared {
        UniqueNames& names;
        TensorReader& tensors;
        /// Reads a body with the node's graph around it. Empty if there are no bodies.
        ReadBody read_body = {};
        /// Whose nodes may read the outputs.
        const rondo_onnx::GraphProto* graph = nullptr;
        /// The origin of the nodes that the converter makes.
        NodeOriginPtr origin = {};
    };

    /// `inputs` has an empty Output if the node omits one. `name` is taken among the names.
    NodeContext(const rondo_onnx::NodeProto& node, std::string name, std::int64_t opset,
                std::vector<Output> inputs, Shared shared);

    const std::string& name() const { return name_; }
    /// The version of the node's domain that the model imports.
    std::int64_t opset() const { return opset_; }

    /// Without omitted inputs at the end.
    std::size_t input_count() const { return inputs_.size(); }
    bool has_input(std::size_t index) const;
    /// Throws ModelError if it is omitted: "input 1 is missing"; UnsupportedError if it is no
    /// tensor.
    Output input(std::size_t index);
    /// The same, but it may be a sequence or an optional value (context/sequence.hpp).
    Output any_input(std::size_t index);
    /// An input that is a sequence or an optional value; throws ModelError if it is a tensor.
    const Sequence& sequence(std::size_t index);
    /// The tensors of a sequence; throws UnsupportedError if their number isn't known.
    const std::vector<Output>& tensors(std::size_t index);
    /// Empty if it is omitted.
    Output optional_input(std::size_t index);
    /// All of them; throws if one is omitted or there are fewer than `min`.
    std::vector<Output> all_inputs(std::size_t min);

    std::size_t output_count() const;
    /// Whether the model gives the output a name.
    bool has_output(std::size_t index) const;
    /// If the output is a sequence: the axis along which all of its readers join its tensors.
    std::optional<std::int64_t> joined_axis(std::size_t index) const;

    /// Whether the right side of a product is transposed, if the output is that of one MatMul or
    /// Gemm, which alone reads it, and has a left side that is not. Looks at all nodes.
    std::optional<bool> transposed_right_side(std::size_t index) const;

    Attributes& attributes() { return attributes_; }
    /// The value of an attribute, or what it is if it's absent.
    bool attribute(const std::string& name, bool otherwise);
    std::int64_t attribute(const std::string& name, std::int64_t otherwise);
    std::int64_t attribute(const std::string& name, int otherwise) {
        return attribute(name, std::int64_t{otherwise});
    }
    float attribute(const std::string& name, float otherwise);
    std::string attribute(const std::string& name, const char* otherwise);
    Ints attribute(const std::string& name, const Ints& otherwise);
    /// Throws ModelError if the number is below `least`.
    std::int64_t attribute_from(const std::string& name, std::int64_t otherwise,
                                std::int64_t least);
    /// Throw ModelError if the attribute is missing.
    std::int64_t required_int(const std::string& name);
    Ints required_ints(const std::string& name);
    std::string required_string(const std::string& name);
    /// What the text of an attribute means. Throws ModelError for one that isn't in the table.
    template <typename T, std::size_t size>
    T choice(const std::string& name, const char* otherwise,
             const std::pair<std::string_view, T> (&table)[size]) {
        const std::string text = attribute(name, otherwise);
        std::vector<std::string> names;
        for (const auto& [known, value] : table) {
            if (known == text) return value;
            names.emplace_back(known);
        }
        refuse_choice(name, text, names);
    }
    Tensor read_tensor(const rondo_onnx::TensorProto& tensor);
    /// As a dense one.
    Tensor read_tensor(const rondo_onnx::SparseTensorProto& tensor);
    /// Reads the graph that an attribute holds. If `accept` changes the request it returns
    /// false, and the graph is read again, as it is if a sequence that a loop carries needs
    /// another form. Throws ModelError if the attribute is missing.
    BodyGraph read_body(
        const std::string& attribute, BodyRequest& request,
        const std::function<bool(BodyGraph& body, BodyRequest& request)>& accept = {});

    /// Makes the next op of the formula. Throws what the op's inference throws.
    template <typename T, typename First, typename... Args>
    requires(!std::is_convertible_v<First, std::string_view>) Output
        make(First&& first, Args&&... args) {
        return Builder::make<T>(std::forward<First>(first), std::forward<Args>(args)...);
    }
    /// The same, named "<node's name>/<role>", or as the node itself if role is empty.
    template <typename T, typename... Args>
    std::shared_ptr<T> make(std::string_view role, Args&&... args) {
        return finish(new_node<T>(std::forward<Args>(args)...), role);
    }
    /// Names and validates a node that the converter made itself, as above. Throws ModelError for a
    /// constant that is larger than constants may be.
    template <typename T>
    std::shared_ptr<T> finish(std::shared_ptr<T> node, std::string_view role) {
        finish_node(*node, role);
        if constexpr (std::is_same_v<T, ops::Constant>) count(*node);
        return node;
    }

    /// Names and validates a node that the converter made itself as the next op of the formula.
    template <typename T>
    Output finish(const std::shared_ptr<T>& node) {
        adopt(node);
        return node;
    }
    /// What a converter returns: if no op has the node's own name, the one that makes the first
    /// output gets it, unless that is an input.
    std::vector<Output> results(std::vector<Output> outputs);

    /// Throws ModelError unless the tensor's shape can be `expected`; `what` names it: "W".
    static void check_shape(const Output& value, const PartialShape& expected,
                            std::string_view what);
    /// Throws UnsupportedError if the element type isn't known.
    static ElementType known_type(const Output& value, std::string_view what);
    /// The same, and for types that aren't floating; `what` also names the tensor in that case.
    static ElementType floating_type(const Output& value, std::string_view what = "the input");
    /// The rank. Throws UnsupportedError if it isn't known, and ModelError below `least`.
    static std::size_t rank_of(const Output& value, std::size_t least = 0,
                               std::string_view what = "X");
    /// Counted from the first axis of a shape whose rank is known; throws ModelError.
    std::size_t normal_axis(std::int64_t axis, const PartialShape& shape) const;
    /// The elements of an integer tensor that never changes, or nothing.
    static std::optional<std::vector<std::int64_t>> known_ints(const Output& value);

    /// Throws unless every input and attribute that is there was read: nothing is dropped silently.
    void check_all_read() const;

private:
    void adopt(const NodePtr& node) override;
    [[noreturn]] static void refuse_choice(const std::string& name, const std::string& text,
                                           const std::vector<std::string>& known);
    std::string unique_name(std::string_view role);
    void finish_node(Node& node, std::string_view role);
    void adopt_ports(Node& node, std::string_view role);
    void count(const ops::Constant& constant);

    const rondo_onnx::NodeProto& node_;
    std::string name_;
    bool own_name_used_ = false;
    std::vector<const Node*> parts_;
    std::int64_t opset_;
    std::vector<Output> inputs_;
    std::vector<bool> read_;
    Shared shared_;
    Attributes attributes_;
};

}  // namespace rondo::onnx
