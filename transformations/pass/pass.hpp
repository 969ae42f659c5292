// A pass as an entry of a pipeline: its name, what it runs, and why it stands where it stands.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

struct PassEntry {
    const char* name;
    /// True where the graph changed. Idempotent: a second run on its own result returns false.
    bool (*run)(Graph& graph);
    const char* why;
    /// Neighbours marked so are run in turn, again and again, until none of them changes anything.
    bool until_fixed_point = false;
    /// Whether the pass also runs on the bodies of nodes, each as a graph of its own.
    bool in_bodies = true;
    /// Left out of a round in which a pass before it changed something.
    bool waits = false;
};

}  // namespace rondo::passes
