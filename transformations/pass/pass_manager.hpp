// Runs a list of passes on a graph, and prints what each of them did.
#pragma once

#include <span>

#include "core/support/deadline.hpp"
#include "rondo/core.hpp"
#include "transformations/pass/pass.hpp"

namespace rondo::passes {

/// Infers the graph again after every pass that changed it. Throws ModelError if `options` names
/// a pass that isn't in the list, and InternalError naming the pass after which the graph is broken
/// (if `options.validate`).
/// Passes that never stop changing the graph are left after some rounds with a warning that names
/// them, since the graph is right after each of them. In debug builds, with `options.validate`, and
/// where RONDO_MUST_SETTLE is set, as ctest does, they are an InternalError.
/// Looks at the deadline before each pass. Returns whether any pass changed the graph.
bool run_passes(Graph& graph, std::span<const PassEntry> passes, const TransformOptions& options,
                const Deadline& deadline = {});

}  // namespace rondo::passes
