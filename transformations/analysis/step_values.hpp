// Answers what passes ask of the values of a recurrent step, and of the nodes above them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "transformations/analysis/views.hpp"

namespace rondo::passes {

/// A tensor of rank 3 that a step reads one part of: along axis 0 or 1; features lie in axis 2.
struct StepInput {
    Output tensor;
    std::size_t time_axis = 0;
    friend bool operator==(const StepInput&, const StepInput&) = default;
};

/// The last extent of a shape; 0 where it isn't known.
std::size_t units_of(const PartialShape& shape);

/// Whether that is the last axis, also counted from the end, where the rank isn't known.
bool is_last_axis(std::int64_t axis, const PartialShape& shape);

/// Follows a value up through views, such as those that only add and remove axes of extent 1.
Output behind_views(Output value);

/// The dense elements of a constant of f32; empty for other values.
Tensor known_floats(const Output& value);

/// The axis along which a Gather takes elements; nothing for other nodes, and where that isn't
/// known or depends on batch axes.
std::optional<std::size_t> gathered_axis(const Node& node);

/// Whether the node takes parts of its first input along axes: a Slice or a Split.
bool cuts_parts(const Node& node);

/// How many of the node's inputs, from the first one on, hold the elements that its outputs consist
/// of; 0 for an op that computes.
std::size_t moved_inputs(const Node& node);

/// Whether the node is a sum, a difference or a product.
bool is_sum(const Node& node);

/// Calls `visit` for the nodes of these values and for those above them, each node once. It returns
/// how many inputs of the node are followed, from the first on, or nothing: then the walk ends at
/// that node, which is the result. Null where the walk came to its end.
using Visit = FunctionRef<std::optional<std::size_t>(const Node&)>;
const Node* walk_up(const std::vector<Output>& values, Visit visit);
/// What a visitor returns that follows all inputs.
inline constexpr std::size_t kAllInputs = OpTraits::kAllInputs;

/// Whether a node is among those above the values.
bool depends_on(const std::vector<Output>& values, const Node& other);

}  // namespace rondo::passes
