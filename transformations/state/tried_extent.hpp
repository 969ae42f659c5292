// Finds by trial how long open axes of states are: by which shapes the model allows.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
#include "transformations/pass/shape_elements.hpp"

namespace rondo::passes {

/// An input, by its number, and the output that is its next value.
struct StatePorts {
    std::size_t input = 0;
    std::size_t output = 0;
};

/// An axis of an input.
struct InputAxis {
    std::size_t input = 0;
    std::size_t axis = 0;
};

/// The one open axis of an input that is no state with which those of the states always agree:
/// shapes are inferred only where both are equal, and then each state keeps its shape. Nothing
/// where no axis is such, or several are. For graphs where rows can't be followed, since an If
/// chooses between shapes.
std::optional<InputAxis> tried_extent(const Graph& graph, const std::vector<StatePorts>& states,
                                      const std::vector<InputAxis>& open);

}  // namespace rondo::passes
