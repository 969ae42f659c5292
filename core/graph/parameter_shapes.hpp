// The shapes of a graph's parameters.
#pragma once

#include <algorithm>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo {

inline std::vector<PartialShape> parameter_shapes(const Graph& graph) {
    std::vector<PartialShape> shapes;
    for (const auto& parameter : graph.parameters()) shapes.push_back(parameter->output_shape(0));
    return shapes;
}

/// False, too, where the rank isn't known.
inline bool has_known_extent(const PartialShape& shape) {
    const auto& extents = shape.dimensions();
    return std::any_of(extents.begin(), extents.end(),
                       [](const Dimension& extent) { return extent.is_static(); });
}

}  // namespace rondo
