// Declares the rules that carry time through each family of ops.
#pragma once

#include <cstdint>
#include <limits>

#include "transformations/streaming/time_walk.hpp"

namespace rondo::passes {

/// A stop from here on means the end of an axis.
inline constexpr std::int64_t kEnd = std::numeric_limits<std::int32_t>::max();

/// See FindTimeRule.
TimeRule time_rule_of(const Node& node, const TimeWalk& walk);

// One for each family; an op without a rule of its own follows rows_rule(), which takes each op
// along an axis whose rows are independent.
void rows_rule(TimeWalk& walk, const NodePtr& node);
void result_rule(TimeWalk& walk, const NodePtr& node);
void assign_rule(TimeWalk& walk, const NodePtr& node);
void read_value_rule(TimeWalk& walk, const NodePtr& node);
void shape_of_rule(TimeWalk& walk, const NodePtr& node);
void extent_rule(TimeWalk& walk, const NodePtr& node);
void broadcast_rule(TimeWalk& walk, const NodePtr& node);
void reshape_rule(TimeWalk& walk, const NodePtr& node);
void squeeze_rule(TimeWalk& walk, const NodePtr& node);
void reduce_rule(TimeWalk& walk, const NodePtr& node);
void concat_rule(TimeWalk& walk, const NodePtr& node);
void pad_rule(TimeWalk& walk, const NodePtr& node);
void slice_rule(TimeWalk& walk, const NodePtr& node);
void strided_slice_rule(TimeWalk& walk, const NodePtr& node);
void gather_rule(TimeWalk& walk, const NodePtr& node);
void convolution_rule(TimeWalk& walk, const NodePtr& node);
void backprop_rule(TimeWalk& walk, const NodePtr& node);
void pool_rule(TimeWalk& walk, const NodePtr& node);
void recurrent_rule(TimeWalk& walk, const NodePtr& node);
void cumulation_rule(TimeWalk& walk, const NodePtr& node);
/// Slice and Gather of a tensor that a scatter has partly written over: if they take only elements
/// that it left as they were, they read the scatter's data.
void untouched_rule(TimeWalk& walk, const NodePtr& node);

}  // namespace rondo::passes
