// Declares the rules that add a batch axis to one node of a graph, and what a rule sees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/support/function_ref.hpp"
#include "transformations/batching/vmap/lift_forms.hpp"
#include "transformations/batching/vmap/lifted_value.hpp"

namespace rondo::passes {

/// What a rule sees. At least one input has rows; the ranks of all inputs and outputs are known.
struct LiftStep {
    const NodePtr& node;
    std::vector<LiftedValue*> inputs;
    LiftForms& forms;

    bool has_rows(std::size_t input) const { return inputs[input]->has_rows(); }
    const PartialShape& shape(std::size_t input) const { return inputs[input]->shape(); }
    std::size_t rank(std::size_t input) const { return shape(input).rank(); }
    /// True where axis 0 has extent 1, so that both forms have the elements in one order and the
    /// merged one has the rank of the original.
    bool is_single(std::size_t input) const;

    const Output& apart(std::size_t input) const { return forms.apart(*inputs[input]); }
    const Output& merged(std::size_t input) const { return forms.merged(*inputs[input]); }
    /// Throws UnsupportedError for an input that depends on the rows.
    const Output& plain(std::size_t input) const;
    /// The elements of an input that is a constant; throws UnsupportedError for another one.
    std::vector<std::int64_t> constant(std::size_t input) const;

    /// The same op on other inputs, under its name.
    NodePtr clone(std::vector<Output> others) const;
    /// A new node with the name of this one, and "/" and `role` appended if there is a role.
    template <typename T, typename... Args>
    Output make(const std::string& role, Args&&... args) const {
        const std::string name = role.empty() ? node->name() : node->name() + "/" + role;
        return Output(forms.rewriter().make<T>(name, std::forward<Args>(args)...), 0);
    }
    Output ints(const std::vector<std::int64_t>& values) const {
        return forms.rewriter().make_ints(node->name() + "/rows", values);
    }
    /// The constant in the type and rank that the node's input has.
    Output ints_like(std::size_t input, const std::vector<std::int64_t>& values) const;
    /// [N,B,...] with `count` axes of extent 1 inserted after axis 0.
    Output widened(std::size_t input, std::size_t count) const;
    /// Throws UnsupportedError that names the node.
    [[noreturn]] void fail(const std::string& why) const;
};

/// The axis that a constant or an attribute names, after axis 0 was inserted: negative ones stay.
inline std::int64_t behind(std::int64_t axis) { return axis < 0 ? axis : axis + 1; }
std::vector<std::int64_t> behind(std::vector<std::int64_t> axes);

/// Each rule returns nothing for a node that isn't its own.
using LiftRule = std::optional<LiftedValues> (*)(const LiftStep& step);

/// Any op that treats each element of axis 0 alone: on merged inputs it is the same op. Nothing
/// where an input that all rows share would have to be repeated.
std::optional<LiftedValues> lift_merged(const LiftStep& step);
/// The same, with such inputs repeated.
std::optional<LiftedValues> lift_merged_and_repeated(const LiftStep& step);
/// True where merging moves no elements and makes no node for any input.
bool merges_by_itself(const LiftStep& step);

std::optional<LiftedValues> lift_elementwise(const LiftStep& step);
std::optional<LiftedValues> lift_matmul(const LiftStep& step);
std::optional<LiftedValues> lift_view(const LiftStep& step);
std::optional<LiftedValues> lift_shape_of(const LiftStep& step);
/// Ops that name their axes by a constant input or an attribute.
std::optional<LiftedValues> lift_named_axes(const LiftStep& step);
std::optional<LiftedValues> lift_movement(const LiftStep& step);
std::optional<LiftedValues> lift_indexing(const LiftStep& step);
std::optional<LiftedValues> lift_bodies(const LiftStep& step);

}  // namespace rondo::passes
