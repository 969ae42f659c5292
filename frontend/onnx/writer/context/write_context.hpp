// What a converter to ONNX sees: one node, the names of its inputs, and the means to add nodes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "frontend/onnx/writer/context/graph_draft.hpp"
#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

using Ints = std::vector<std::int64_t>;

class WriteContext {
public:
    WriteContext(Node& node, GraphDraft& draft) : node_(node), draft_(draft) {}

    Node& node() { return node_; }
    const Node& node() const { return node_; }
    /// The node as an op; the tables name the right class for each type.
    template <typename T>
    const T& op() const {
        return dynamic_cast<const T&>(node_);
    }
    GraphDraft& draft() { return draft_; }

    bool has_input(std::size_t index) const { return index < node_.input_count(); }
    std::string input(std::size_t index) { return draft_.name_of(node_.input(index)); }
    Names inputs();
    /// The input as elements of that type: the same name, or that of a Cast.
    std::string input_as(std::size_t index, ElementType type);
    /// An input of integers as a vector of i64, also where it is a scalar, which ONNX doesn't take.
    std::string vector(std::size_t index);
    ElementType type(std::size_t index) const { return node_.input(index).element_type(); }
    const PartialShape& shape(std::size_t index) const { return node_.input(index).shape(); }
    /// Throws UnsupportedError where it isn't known.
    std::size_t rank(std::size_t index) const;
    Tensor known(std::size_t index) const { return known_value(node_.input(index)); }
    /// The integers of an input that never changes; nothing for another one.
    std::optional<Ints> find_ints(std::size_t index) const;
    /// The same; throws UnsupportedError, calling the input `what`, where they aren't known.
    Ints known_ints(std::size_t index, const std::string& what) const;
    /// The only one of them, counted from the front of `rank` axes where it is negative.
    std::size_t known_axis(std::size_t index, std::size_t rank) const;

    /// Axes of input 0 without those that are named twice. Needs its rank only where some axes
    /// count from the end and others don't.
    Ints distinct_axes(Ints axes) const;

    NewNode emit(const std::string& type, const Names& inputs, std::size_t outputs = 1) {
        return draft_.emit(type, inputs, outputs);
    }
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
    std::string unsqueeze(const std::string& value, const Ints& axes);
    std::string squeeze(const std::string& value, const Ints& axes);
    std::string shape_of(const std::string& value);
    /// Elements of a vector, one after another: [indices].
    std::string elements(const std::string& vector, const Ints& indices);
    std::string joined(const Names& parts, std::int64_t axis = 0);

private:
    Node& node_;
    GraphDraft& draft_;
};

/// A tensor of one number of that type, of rank 0.
Tensor number_tensor(ElementType type, double value);

/// The type in which ONNX adds and multiplies numbers of `type`: integers of 8 and 16 bits, which
/// its operators don't take, keep the low bits of wide sums.
ElementType type_of_sums(ElementType type);

/// 0, 1, 2 ... up to `end`, without it.
Ints counted_ints(std::size_t end);

/// The order that turns `order` back.
Ints inverse_order(const Ints& order);

}  // namespace rondo::onnx
