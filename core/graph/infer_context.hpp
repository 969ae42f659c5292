// What type and shape inference sees of a node: its inputs' types, shapes and known values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

class Node;

/// An input as inference sees it; `value` is empty if the elements aren't known.
struct InferInput {
    ElementType type = ElementType::dynamic;
    PartialShape shape;
    Tensor value;
};

/// An output as inference finds it.
struct InferOutput {
    ElementType type = ElementType::dynamic;
    PartialShape shape;
};

/// Serves the graph (open shapes, constants' values) and a plan (known shapes, computed values)
/// alike, so that one infer() an op does both.
class InferContext {
public:
    /// The node must outlive it.
    InferContext(const Node& node, std::vector<InferInput> inputs)
        : node_(&node), inputs_(std::move(inputs)) {}
    /// If there is no node yet.
    InferContext(std::string node_name, std::string_view node_type, std::vector<InferInput> inputs)
        : node_name_(std::move(node_name)), node_type_(node_type), inputs_(std::move(inputs)) {}

    std::size_t input_count() const { return inputs_.size(); }
    ElementType type(std::size_t input) const { return inputs_[input].type; }
    const PartialShape& shape(std::size_t input) const { return inputs_[input].shape; }
    /// The elements, or an empty handle.
    const Tensor& value(std::size_t input) const;
    /// The elements of an integer input (any width) of rank 0 or 1, or nothing while not known.
    std::optional<std::vector<std::int64_t>> ints(std::size_t input) const;

    /// The numbers of an integer input as known_extents() finds them in the graph; empty if
    /// there is no graph around.
    std::vector<Dimension> extents(std::size_t input) const {
        return extents_ ? extents_(input) : std::vector<Dimension>();
    }
    void set_extents(std::function<std::vector<Dimension>(std::size_t input)> find) {
        extents_ = std::move(find);
    }

    void set_output(std::size_t output, ElementType type, PartialShape shape);
    const std::vector<InferOutput>& outputs() const { return outputs_; }
    /// The inputs whose elements were asked for and aren't known: they may decide what the outputs
    /// leave open. Each is here once.
    const std::vector<std::size_t>& missing_values() const { return missing_values_; }

    /// As describe() names the node.
    std::string place() const;
    /// Throws ModelError: "node 'name' (Type): message".
    [[noreturn]] void fail(std::string_view message) const;
    /// Throws UnsupportedError in the same form.
    [[noreturn]] void refuse(std::string_view message) const;
    void check(bool holds, std::string_view message) const {
        if (!holds) fail(message);
    }
    /// Throws unless there are between `min` and `max` inputs.
    void check_input_count(std::size_t min, std::size_t max) const;
    /// Throws unless the input's rank is unknown or `rank`; `what` names the input, such as "X".
    void check_rank(std::size_t input, std::size_t rank, std::string_view what) const;
    /// The common part of two extents; throws naming `what` if they contradict.
    Dimension merge(const Dimension& a, const Dimension& b, std::string_view what) const;
    /// The inputs' common element type (`dynamic` gives way); throws if they differ.
    ElementType merge_types(std::initializer_list<std::size_t> inputs) const;

private:
    void check_extents(std::size_t output, const PartialShape& shape) const;

    const Node* node_ = nullptr;
    std::string node_name_;
    std::string node_type_;
    std::vector<InferInput> inputs_;
    std::vector<InferOutput> outputs_;
    std::function<std::vector<Dimension>(std::size_t)> extents_;
    mutable std::vector<std::size_t> missing_values_;
};

/// `axis` with a negative one counted from the end; throws through `context` when out of range.
std::size_t normalize_axis(const InferContext& context, std::int64_t axis, std::size_t rank);

/// NumPy broadcasting of two shapes; throws through `context` if they don't fit.
PartialShape broadcast_shapes(const InferContext& context, const PartialShape& a,
                              const PartialShape& b);

/// The elements, widened: integers (u64 keeps its bits) or whole floating values.
std::vector<std::int64_t> to_int64_vector(const Tensor& tensor);

}  // namespace rondo
