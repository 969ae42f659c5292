// Along which axes the rows of a model lie that don't depend on each other, as plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"

namespace rondo {

/// The rows of a batch are independent where `obstacle` is empty: what the graph makes of inputs
/// and variables that were joined along these axes is, bit for bit, what it makes of each stream's
/// own, joined along these axes.
struct RowAxes {
    /// A parameter's axis; nothing for one that all streams share, as a sampling rate.
    std::vector<std::optional<std::size_t>> inputs;
    /// A result's, along which each stream has as many elements, one stream's behind another's;
    /// nothing for one that is the same for all streams.
    std::vector<std::optional<std::size_t>> outputs;
    /// A variable's, in the order of ops::variables_of(); nothing for one that all streams share.
    std::vector<std::optional<std::size_t>> variables;
    /// The op that breaks it, and why, in one sentence; empty where the rows are independent.
    std::string obstacle;
};

/// Declared here, defined in transformations/rows, so that the core needs no
/// upward include. Takes the graph as it is: a batch of a fixed extent is an obstacle.
RowAxes find_row_axes(const Graph& graph);

/// Gives the row axes of inputs and variables that extent, or opens them. Returns whether the graph
/// has changed; throws UnsupportedError naming the op that is in the way, and then changes nothing.
bool set_batch(Graph& graph, const Dimension& batch);

/// What Model::add_batch_axis() does; declared and defined likewise, in transformations/lift.
void add_batch_axis(Graph& graph, const Dimension& batch);

/// What Model::batch_rows() says.
BatchRows batch_rows_of(const Graph& graph);

}  // namespace rondo
