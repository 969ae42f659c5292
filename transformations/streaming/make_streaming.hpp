// Makes a model that takes a whole sequence take it in chunks.
#pragma once

#include <vector>

#include "core/graph/graph.hpp"
#include "rondo/model.hpp"
#include "transformations/streaming/time_walk.hpp"

namespace rondo::passes {

/// The time axes that the options name or, if they name none, the open axes: first those after axis
/// 0, which is mostly the batch. Throws ModelError for names and axes that don't exist, and
/// UnsupportedError if nothing is named and no axis is open.
std::vector<TimeAxes> time_axes(const Graph& graph, const StreamingOptions& options);

/// The graph then takes chunks of any length along time, and keeps what the next one needs in
/// variables: states of recurrent layers, frames before those of a convolution, running sums. The
/// results of all chunks, put together along time, are those of one call of the original graph;
/// the rt_info of parameters and results names the axis. Known extents of time are opened: the
/// original then means its calls one after another, and keeps its states in variables or gives
/// them to its caller. Throws as time_axes() does, and UnsupportedError naming the node that needs
/// the future or all frames at once; the graph then stays as it is.
void make_streaming(Graph& graph, const StreamingOptions& options);

}  // namespace rondo::passes
