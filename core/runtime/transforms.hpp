// The table of what the transformations do for Core and Model, so that the core includes none of
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"
#include "rondo/core.hpp"
#include "rondo/model.hpp"

namespace rondo {

/// Along which axes rows lie that don't depend on each other. The rows of a batch are independent
/// if `obstacle` is empty: what the graph makes of inputs and variables that were joined along
/// these axes is, bit for bit, what it makes of each stream's own, joined along these axes.
struct RowAxes {
    /// A parameter's axis; nothing for one that all streams share, as a sampling rate.
    std::vector<std::optional<std::size_t>> inputs;
    /// A result's, along which each stream has as many elements, one stream's after another's;
    /// nothing for one that is the same for all streams.
    std::vector<std::optional<std::size_t>> outputs;
    /// A variable's, in the order of ops::variables_of(); nothing for one that all streams share.
    std::vector<std::optional<std::size_t>> variables;
    /// The op that breaks it, and why, in one sentence; empty if the rows are independent.
    std::string obstacle;
};

/// Each changes a graph as Model's function of that name says, or finds something in it. After an
/// error the graph is as it was, except after one of the portable passes.
struct Transforms {
    /// Runs the portable passes, each within the deadline.
    void (*run_portable_passes)(Graph& graph, const TransformOptions& options,
                                const Deadline& deadline);
    void (*make_streaming)(Graph& graph, const StreamingOptions& options);
    std::vector<LayerQuantization> (*quantize)(Graph& graph, const QuantizationOptions& options);
    StateSearch (*find_states)(const Graph& graph);
    void (*make_stateful)(Graph& graph,
                          const std::vector<std::pair<std::string, std::string>>& pairs);
    /// Model::make_stateful() without pairs.
    void (*find_and_make_stateful)(Graph& graph);
    void (*apply_low_latency)(Graph& graph, bool use_const_initializer);
    /// Takes the graph as it is: a batch of a fixed extent is an obstacle.
    RowAxes (*find_row_axes)(const Graph& graph);
    /// Gives the row axes of inputs and variables that extent, or opens them. Returns whether the
    /// graph has changed; throws UnsupportedError naming the op that is in the way.
    bool (*set_batch)(Graph& graph, const Dimension& batch);
    void (*add_batch_axis)(Graph& graph, const Dimension& batch);
};

/// Defined in transformations/builtin_transforms.cpp.
const Transforms& builtin_transforms();

inline void run_portable_passes(Graph& graph, const TransformOptions& options = {},
                                const Deadline& deadline = {}) {
    builtin_transforms().run_portable_passes(graph, options, deadline);
}

}  // namespace rondo
