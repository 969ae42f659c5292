// How long an open axis of a state is when the state starts.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "core/extents/integers.hpp"
#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The nodes, also those in bodies, whose outputs may depend on the elements or shapes of
/// `sources`.
std::set<const Node*> nodes_behind(const Graph& graph, const std::set<const Node*>& sources);

/// The extent that `axis` of `state` must have, because an op joins its rows with those of a tensor
/// that isn't in `behind`: an operand beside it, a layer's X, another part of a Concat. Rows are
/// followed through ops along whose axis they are independent, and into bodies. The tensor belongs
/// to the graph of `state`. 0 where the only op in the way appends rows along that axis; nothing
/// where no op says it.
std::optional<ShapeElement> starting_extent(const Output& state, std::size_t axis,
                                            const std::set<const Node*>& behind);

// Finds by trial how long open axes of states are: by which shapes the model allows.

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
std::optional<InputAxis> probed_extents(const Graph& graph, const std::vector<StatePorts>& states,
                                        const std::vector<InputAxis>& open);

}  // namespace rondo::passes
