// What a converter to ONNX sees: one node, the names of its inputs, and the means to add nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/writer/context/graph_draft.hpp"

namespace rondo::onnx {

class WriteContext {
public:
    /// `name`: the operator's, if there is one for the op.
    WriteContext(Node& node, GraphDraft& draft, std::string_view name = {})
        : node_(node), draft_(draft), name_(name) {}

    Node& node() { return node_; }
    const Node& node() const { return node_; }
    /// The node as an op; the tables name the right class for each type.
    template <typename T>
    const T& op() const {
        return dynamic_cast<const T&>(node_);
    }
    GraphDraft& draft() { return draft_; }
    std::string_view name() const { return name_; }

    bool has_input(std::size_t index) const { return index < node_.input_count(); }
    std::string input(std::size_t index) { return draft_.name_of(node_.input(index)); }
    Names inputs();
    /// The input as elements of that type: the same name, or that of a Cast.
    std::string input_as(std::size_t index, ElementType type);
    /// The integers of an input as i64.
    std::string wide_input(std::size_t index) { return input_as(index, ElementType::i64); }
    /// Indices, which ONNX takes as i32 and i64.
    std::string indices(std::size_t index) {
        return type(index) == ElementType::i32 ? input(index) : wide_input(index);
    }
    /// The same as a vector, even if the input is a scalar, which ONNX doesn't take.
    std::string vector(std::size_t index);
    /// An input of one element as a scalar of that type.
    std::string scalar_input(std::size_t index, ElementType type) {
        return as_scalar(input_as(index, type), shape(index));
    }
    ElementType type(std::size_t index) const { return node_.input(index).element_type(); }
    const PartialShape& shape(std::size_t index) const { return node_.input(index).shape(); }
    bool is_scalar(std::size_t index) const { return has_rank_0(shape(index)); }
    /// Throws UnsupportedError if it isn't known.
    std::size_t rank(std::size_t index) const;
    /// The number of elements of a vector; nothing if it isn't known.
    std::optional<std::size_t> length(std::size_t index) const;
    /// The same; throws UnsupportedError, calling the elements `what`, if it isn't known.
    std::size_t known_length(std::size_t index, const std::string& what) const;
    Tensor known(std::size_t index) const { return known_value(node_.input(index)); }
    /// The integers of an input that never changes; nothing for another one.
    std::optional<Ints> find_ints(std::size_t index) const;
    /// The same; throws UnsupportedError, calling the input `what`, if they aren't known.
    Ints known_ints(std::size_t index, const std::string& what) const;

    /// An axis of input 0, counted from the front. Needs the rank of a negative one alone.
    std::int64_t from_front(std::int64_t axis) const;
    /// Axes of input 0, sorted, without those that are named twice. Needs its rank only if some
    /// axes count from the end and others don't.
    Ints distinct_axes(Ints axes) const;

    NewNode emit(std::string_view type, const Names& inputs, std::size_t outputs = 1) {
        return draft_.emit(type, inputs, outputs);
    }
    /// The operator called name(), with all inputs and outputs of the node.
    NewNode emit_same() { return emit(name_, inputs(), node_.output_count()); }
    /// For an operator that the default opset doesn't have.
    void require_opset(std::int64_t opset);

    std::string ints(const Ints& values);
    std::string scalar(std::int64_t value);
    /// One number of that type, of rank 0.
    std::string number(ElementType type, double value);
    std::string constant(const Tensor& value, const std::string& name) {
        return draft_.constant(value, name);
    }

    std::string cast(const std::string& value, ElementType from, ElementType to);
    std::string transpose(const std::string& value, const Ints& order);
    std::string reshape(const std::string& value, const Ints& pattern);
    /// To extents that are in vectors, one after another; a 0 is one of them.
    std::string reshape_to(const std::string& value, const Names& extents);
    /// One element of that shape without axes.
    std::string as_scalar(const std::string& value, const PartialShape& shape);
    std::string unsqueeze(const std::string& value, const Ints& axes);
    std::string squeeze(const std::string& value, const Ints& axes);
    std::string shape_of(const std::string& value);
    std::string gather(const std::string& data, const std::string& indices, std::int64_t axis = 0);
    /// Elements of a vector, one after another: [indices].
    std::string elements(const std::string& vector, const Ints& indices);
    std::string joined(const Names& parts, std::int64_t axis = 0);

private:
    static bool has_rank_0(const PartialShape& shape) {
        return shape.has_rank() && shape.rank() == 0;
    }

    Node& node_;
    GraphDraft& draft_;
    std::string_view name_;
};

/// Writes the ONNX nodes that do what a node says, and returns the names of its outputs. Throws
/// UnsupportedError if ONNX can't say it; the caller adds the node's name.
using Writer = Names(WriteContext& context);

/// The type in which ONNX adds and multiplies numbers of `type`: integers of 8 and 16 bits, which
/// its operators don't take, keep the low bits of wide sums.
ElementType type_of_sums(ElementType type);

/// first, first + 1 ... up to `end`, without it.
Ints counted_ints(std::size_t end, std::size_t first = 0);

/// The order that turns `order` back.
Ints inverse_order(const Ints& order);

}  // namespace rondo::onnx
