// Moves a transpose from an op's output to its inputs: finds the inputs that give the transposed
// output.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// The change of an input.
struct MovedInput {
    enum class Kind { same, reordered, replaced };
    Kind kind = Kind::same;
    AxisOrder order;                 ///< reordered: Transpose(input, order)
    std::vector<std::int64_t> ints;  ///< replaced: an integer vector instead
};

/// The changes of a node whose output becomes transposed.
struct MovedNode {
    std::vector<MovedInput> inputs;
    std::optional<std::vector<std::int64_t>> axes;  ///< that it names then
};

/// The plan for Transpose(node, order) without a transpose after the node. Returns nothing for ops
/// whose axes have a meaning that this doesn't know. Elements are computed exactly as before.
std::optional<MovedNode> move_axes(const Node& node, const AxisOrder& order);

/// The node of the plan. `data` holds an output for each input: transposed where the plan wants it.
NodePtr make_moved(Rewriter& rewriter, const Node& node, const MovedNode& plan,
                   std::vector<Output> data);

}  // namespace rondo::passes
