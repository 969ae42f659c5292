// Reshapes whose new extents are products of extents that may be open.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// An axis of some tensor, for its extent.
struct AxisOf {
    Output tensor;
    std::size_t axis = 0;
};

/// Axes whose extents are multiplied; none give 1.
using AxisGroup = std::vector<AxisOf>;

/// The extent of an axis; open where the rank isn't known.
Dimension extent_of(const AxisOf& axis);

/// i64 [number of groups], computed when the model runs where an extent is open. `role` names the
/// ops.
Output make_extents(NodeContext& context, const std::string& role,
                    const std::vector<AxisGroup>& groups);

/// `data` with one axis for each group. `role` names the op. One axis may get what the others
/// leave.
Output reshape_to_groups(NodeContext& context, const std::string& role, const Output& data,
                         const std::vector<AxisGroup>& groups);

/// The same; refused, at the latest when it runs, where the groups are not all of the data.
Output reshape_exactly(NodeContext& context, const std::string& role, const Output& data,
                       const std::vector<AxisGroup>& groups);

}  // namespace rondo::onnx
