// The first half of planning: every tensor's shape, and the values that follow from shapes alone.
#pragma once

#include <span>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"

namespace rondo::cpu {

/// What is known of each of the program's values.
struct ShapeWalk {
    std::vector<TensorInfo> values;
    std::vector<bool> known_steps;  ///< a step each: all of its outputs have a value
    bool complete = true;           ///< false where a shape depends on elements
};

/// Throws ModelError naming the node whose shapes don't fit.
ShapeWalk walk_shapes(const Program& program, const PlanKey& key);

/// The outputs of a node whose inputs look like this; nothing where a shape depends on elements
/// that aren't known.
std::optional<std::vector<TensorInfo>> infer_node(const Node& node,
                                                  std::span<const TensorInfo* const> inputs);

}  // namespace rondo::cpu
