// Runs a list of passes on a graph, and prints what each of them did. Each entry of the list says
// the pass's name, what it runs, and why it has its place in the list.
#pragma once

#include <span>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"
#include "rondo/core.hpp"

namespace rondo::passes {

/// How a pass is run.
struct PassMode {
    /// Neighbours marked so are run in turn, again and again, until none of them changes anything.
    bool until_fixed_point = false;
    /// Whether the pass also runs on the bodies of nodes, each as a graph of its own.
    bool in_bodies = true;
    /// Left out of a round in which a pass before it changed something.
    bool waits = false;
};

inline constexpr PassMode kRepeated{.until_fixed_point = true};
inline constexpr PassMode kRepeatedWhenSettled{.until_fixed_point = true, .waits = true};
inline constexpr PassMode kOutsideOfBodies{.in_bodies = false};
inline constexpr PassMode kRepeatedOutsideOfBodies{.until_fixed_point = true, .in_bodies = false};

struct PassEntry {
    const char* name;
    /// True where the graph changed. Idempotent: a second run on its own result returns false.
    bool (*run)(Graph& graph);
    const char* why;
    PassMode mode = {};
};

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
